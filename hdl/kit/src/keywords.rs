// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names that no signal, port, instance or module may have, since a tool that reads the Verilog takes them for something else.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Keywords of Verilog (IEEE 1364-2005, annex B).
const VERILOG: &str = "always and assign automatic begin buf bufif0 bufif1 case casex casez cell cmos config deassign default \
    defparam design disable edge else end endcase endconfig endfunction endgenerate endmodule endprimitive endspecify endtable \
    endtask event for force forever fork function generate genvar highz0 highz1 if ifnone incdir include initial inout input \
    instance integer join large liblist library localparam macromodule medium module nand negedge nmos nor \
    noshowcancelled not notif0 notif1 or output parameter pmos posedge primitive pull0 pull1 pulldown pullup \
    pulsestyle_ondetect pulsestyle_onevent rcmos real realtime reg release repeat rnmos rpmos rtran rtranif0 rtranif1 \
    scalared showcancelled signed small specify specparam strong0 strong1 supply0 supply1 table task time tran tranif0 \
    tranif1 tri tri0 tri1 triand trior trireg unsigned use uwire vectored wait wand weak0 weak1 while wire wor xnor xor";

/// What SystemVerilog adds (IEEE 1800-2017, annex B).
const SYSTEM_VERILOG: &str = "accept_on alias always_comb always_ff always_latch assert assume before bind bins binsof bit break \
    byte chandle checker class clocking const constraint context continue cover covergroup coverpoint cross dist do endchecker \
    endclass endclocking endgroup endinterface endpackage endprogram endproperty endsequence enum eventually expect export \
    extends extern final first_match foreach forkjoin global iff ignore_bins illegal_bins implements implies import inside int \
    interconnect interface intersect join_any join_none let local logic longint matches modport nettype new nexttime null \
    package packed priority program property protected pure rand randc randcase randsequence ref reject_on restrict return \
    s_always s_eventually s_nexttime s_until s_until_with sequence shortint shortreal soft solve static string strong struct \
    super sync_accept_on sync_reject_on tagged this throughout timeprecision timeunit type typedef union unique unique0 until \
    until_with untyped var virtual void wait_order weak wildcard with within";

/// What Verilog-AMS adds (Accellera 2.4, annex B), names of natures' access functions among them, which parsers take for keywords.
const VERILOG_AMS: &str = "above abs absdelay absdelta abstol access acos acosh ac_stim aliasparam analog analysis asin asinh assert \
    atan atan2 atanh branch ceil connect connectmodule connectrules continuous cos cosh ddt ddt_nature ddx discipline discrete \
    domain driver_update endconnectrules enddiscipline endnature endparamset exclude exp final_step flicker_noise floor flow \
    from ground hypot idt idtmod idt_nature inf initial_step laplace_nd laplace_np laplace_zd laplace_zp last_crossing \
    limexp ln log max merged min nature net_resolution noise_table noise_table_log paramset potential pow resolveto sin sinh \
    slew split sqrt tan tanh timer transition units white_noise wreal zi_nd zi_np zi_zd zi_zp";

/// Reserved words of VHDL (IEEE 1076-2008, clause 15.10), which reads names without regard to case.
const VHDL: &str = "abs access after alias all and architecture array assert assume assume_guarantee attribute begin block body \
    buffer bus case component configuration constant context cover default disconnect downto else elsif end entity exit \
    fairness file for force function generate generic group guarded if impure in inertial inout is label library linkage \
    literal loop map mod nand new next nor not null of on open or others out package parameter port postponed procedure \
    process property protected pure range record register reject release rem report restrict restrict_guarantee return rol \
    ror select sequence severity shared signal sla sll sra srl strong subtype then to transport type unaffected units until \
    use variable vmode vprop vunit wait when while with xnor xor";

/// The languages with their words, each a name's look-up away: every signal of a design is asked for.
static LANGUAGES: LazyLock<[(&str, HashSet<&str>); 4]> = LazyLock::new(|| {
    [("Verilog", VERILOG), ("SystemVerilog", SYSTEM_VERILOG), ("Verilog-AMS", VERILOG_AMS), ("VHDL", VHDL)]
        .map(|(language, words)| (language, words.split_whitespace().collect()))
});

/// The language that has the name as a keyword.
pub fn keyword_of(name: &str) -> Option<&'static str> {
    let [case_sensitive @ .., (vhdl, vhdl_words)] = &*LANGUAGES;
    let found = case_sensitive.iter().find(|(_, words)| words.contains(name));
    let vhdl = || vhdl_words.contains(&*name.to_ascii_lowercase()).then_some(*vhdl);
    found.map(|(language, _)| *language).or_else(vhdl)
}

#[cfg(test)]
mod tests {
    use super::keyword_of;

    #[test]
    fn each_language_has_its_own() {
        for (name, language) in [
            ("always", Some("Verilog")),
            ("logic", Some("SystemVerilog")),
            ("potential", Some("Verilog-AMS")),
            ("Downto", Some("VHDL")),
            ("Always", None),
            ("window_sum", None),
        ] {
            assert_eq!(keyword_of(name), language, "{name}");
        }
    }
}
