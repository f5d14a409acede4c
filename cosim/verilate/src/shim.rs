// SPDX-License-Identifier: MIT OR Apache-2.0
//! The C++ side of a model's plain C interface.

use crate::source::{Port, Source, Waves};
use std::fmt::Write;

/// Verilator's class of a model.
pub fn prefix(name: &str) -> String {
    format!("V{name}")
}

/// Port names that Verilator prefixes because C++ code tends to use them.
const RESERVED: [&str; 1] = ["interrupt"];

/// 32-bit words of a port's value.
fn words(port: &Port) -> usize {
    port.width.div_ceil(32)
}

/// The writer of FST.
const FST_WRITER: &str = r#"EXPORT void* verilatedfstc_new() { return new VerilatedFstC; }
EXPORT void verilatedfstc_delete(void* w) { delete static_cast<VerilatedFstC*>(w); }
EXPORT void verilatedfstc_open(void* w, const char* file) { static_cast<VerilatedFstC*>(w)->open(file); }
EXPORT int verilatedfstc_is_open(void* w) { return static_cast<VerilatedFstC*>(w)->isOpen(); }
EXPORT void verilatedfstc_close(void* w) { static_cast<VerilatedFstC*>(w)->close(); }
EXPORT void verilatedfstc_dump(void* w, uint64_t time) { static_cast<VerilatedFstC*>(w)->dump(time); }
"#;

/// What writes how often each bit has changed, or begins anew without a file; a context counts for itself.
const COVERAGE: &str = r"EXPORT void tengen_coverage(void* p, const char* file) {
    VerilatedCovContext* counts = static_cast<Model*>(p)->context.coveragep();
    if (file) counts->write(file); else counts->zero();
}
";

/// The C++ text: create, destroy, evaluate, set, get, trace, write counts.
pub fn text(source: &Source) -> String {
    let (name, class) = (&source.name, prefix(&source.name));
    let mut set = String::new();
    let mut get = String::new();
    for (index, port) in source.ports.iter().enumerate() {
        let signal = format!(
            "m->{}{}",
            if RESERVED.contains(&port.name.as_str()) { "__SYM__" } else { "" },
            port.name
        );
        let (to, from) = if port.width <= 32 {
            (format!("{signal} = w[0];"), format!("w[0] = {signal};"))
        } else if port.width <= 64 {
            (
                format!("{signal} = (QData(w[1]) << 32) | w[0];"),
                format!("w[0] = IData({signal}); w[1] = IData({signal} >> 32);"),
            )
        } else {
            let count = words(port);
            (
                format!("for (int i = 0; i < {count}; ++i) {signal}[i] = w[i];"),
                format!("for (int i = 0; i < {count}; ++i) w[i] = {signal}[i];"),
            )
        };
        if port.input {
            let _ = writeln!(set, "    case {index}: {to} break;");
        }
        let _ = writeln!(get, "    case {index}: {from} break;");
    }
    let (include, on, trace) = match source.waves {
        None => (String::new(), "", String::new()),
        Some(waves) => {
            let class = match waves {
                Waves::Vcd => "VerilatedVcdC",
                Waves::Fst => "VerilatedFstC",
            };
            let include = format!("#include \"verilated_{}_c.h\"\n", waves.ending());
            let trace = format!(
                "EXPORT void tengen_trace(void* p, void* writer, int levels) {{\n    \
                 static_cast<Model*>(p)->top->trace(static_cast<{class}*>(writer), levels);\n}}\n"
            );
            // The writer of VCD is the runtime's, behind the interface of the crate `verilated`; this one is like it.
            let writer = if waves == Waves::Fst { FST_WRITER } else { "" };
            (include, "    model->context.traceEverOn(true);\n", trace + writer)
        }
    };
    // From random power-up states every bit would change at once.
    let random = if source.coverage { 0 } else { 2 };
    let coverage = if source.coverage { COVERAGE } else { "" };
    format!(
        r#"// Plain C interface of the verilated model {name}.
#include "{class}.h"
#include "verilated.h"
{include}#include <cstdint>
#define EXPORT __attribute__((visibility("default")))

namespace {{
struct Model {{
    VerilatedContext context;
    {class}* top;
}};
}}

extern "C" {{
EXPORT void* tengen_new(uint32_t seed) {{
    Model* model = new Model;
    // Power-up state is random and follows from the seed alone (0 would mean: take one from the clock).
    model->context.randReset({random});
    model->context.randSeed(static_cast<int>(seed & 0x7fffffff) | 1);
{on}    Verilated::threadContextp(&model->context);
    model->top = new {class}{{&model->context}};
    return model;
}}
EXPORT void tengen_delete(void* p) {{
    Model* model = static_cast<Model*>(p);
    model->top->final();
    delete model->top;
    delete model;
}}
EXPORT void tengen_eval(void* p) {{ static_cast<Model*>(p)->top->eval(); }}
EXPORT void tengen_set(void* p, uint32_t port, const uint32_t* w) {{
    {class}* m = static_cast<Model*>(p)->top;
    switch (port) {{
{set}    default: break;
    }}
}}
EXPORT void tengen_get(void* p, uint32_t port, uint32_t* w) {{
    {class}* m = static_cast<Model*>(p)->top;
    switch (port) {{
{get}    default: break;
    }}
}}
{trace}{coverage}}}
"#
    )
}
