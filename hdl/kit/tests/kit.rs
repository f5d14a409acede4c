// SPDX-License-Identifier: MIT OR Apache-2.0
//! The typed kit: every mistake is told with circuit, signal and line; what is described is printed and simulated alike.
#![allow(missing_docs)]

use kit::{Module, Modules, Value, Waves, bundle, cat, when};

/// What a description is told, without its lines.
fn told(describe: impl FnOnce(&Module)) -> Vec<String> {
    let module = Module::new("sample", "A sample.", true);
    describe(&module);
    let Err(errors) = module.finish() else { return Vec::new() };
    for error in &errors.0 {
        assert!(error.place.file().ends_with("tests/kit.rs"), "{error}");
        assert!(error.to_string().contains("tests/kit.rs:"), "{error}");
    }
    errors.0.iter().map(|error| format!("{}: {}", error.circuit, error.mistake)).collect()
}

#[test]
fn widths_must_agree() {
    let said = told(|m| {
        let (gain, rank) = (m.input("gain", 8), m.input("rank", 10));
        m.output("sum", gain + rank);
    });
    assert_eq!(said, ["sample: rank has 10 bits where 8 are due"]);
    let said = told(|m| {
        let gain = m.input("gain", 8);
        m.output("flag", gain.mux(1, 0));
    });
    assert_eq!(said, ["sample: gain has 8 bits where 1 are due"]);
}

#[test]
fn numbers_and_bits_must_be_there() {
    let said = told(|m| {
        let gain = m.input("gain", 8);
        m.output("too_large", gain.is(300));
        m.output("high", gain.bits(4..9));
    });
    assert_eq!(said, ["sample: 300 does not fit 8 bits", "sample: bits 4 to 8 of gain, which has 8"]);
}

#[test]
fn names_are_taken_once() {
    let said = told(|m| {
        let gain = m.input("gain", 8);
        m.wire("gain", gain);
    });
    assert!(said[0].starts_with("sample: gain is declared twice, first at "), "{said:?}");
}

#[test]
fn no_name_is_a_keyword_of_a_tool_that_may_read_it() {
    let said = told(|m| {
        let potential = m.input("potential", 8);
        let group = m.wire("Group", potential);
        m.output("sum", m.part("next", group));
    });
    assert_eq!(
        said,
        [
            "sample: potential is a keyword of Verilog-AMS: find another name",
            "sample: Group is a keyword of VHDL: find another name",
            "sample: next is a keyword of VHDL: find another name",
        ]
    );
}

#[test]
fn every_signal_has_one_driver() {
    let said = told(|m| {
        let (open, twice, never) = (m.declare("unset", 1), m.declare("twice", 1), m.register("never", 4));
        let one = m.constant(1, 1);
        m.drive(twice, one);
        m.drive(twice, one);
        m.output("result", cat([open, twice, never]));
    });
    assert_eq!(
        said,
        ["sample: twice is driven twice", "sample: unset is never driven", "sample: never is never driven"]
    );
    let said = told(|m| {
        let register = m.control("state", 1, 0);
        let input = m.input("given", 1);
        m.at_edge([register.set(input)]);
        m.at_edge([register.set(!input)]);
        m.at_edge([input.set(register)]);
    });
    assert_eq!(said, ["sample: state is driven twice", "sample: given is no register"]);
}

#[test]
fn a_wire_does_not_depend_on_itself() {
    let said = told(|m| {
        let (a, b) = (m.declare("a", 1), m.declare("b", 1));
        m.drive(a, !b);
        m.drive(b, !a);
        m.output("result", a);
    });
    assert_eq!(said, ["sample: a combinational loop: a -> b -> a"]);
    // Through a register it may.
    let said = told(|m| {
        let a = m.control("a", 1, 0);
        m.at_edge([a.set(!a)]);
        m.output("result", a);
    });
    assert!(said.is_empty(), "{said:?}");
}

#[test]
fn an_edge_has_one_kind_of_reset_and_a_table_one_value_a_code() {
    let said = told(|m| {
        let (a, b, input) = (m.control("a", 1, 0), m.register("b", 1), m.input("given", 1));
        m.at_edge([a.set(input), b.set(input)]);
        let on = m.input("lit", 2);
        m.table("chosen", on, [(1, a), (1, b), (4, a)], 0);
    });
    assert_eq!(
        said,
        [
            "sample: b has no reset, unlike a, which is set at the same edge: give each a block of its own",
            "sample: chosen has code 1 twice",
            "sample: 4 does not fit 2 bits",
        ]
    );
}

#[test]
fn a_reset_value_needs_a_reset() {
    let module = Module::new("sample", "A sample.", false);
    let count = module.control("count", 4, 0);
    module.at_edge([count.set(count + 1)]);
    let Err(errors) = module.finish() else { panic!("it has no reset") };
    assert!(
        errors.to_string().ends_with("sample: count has a reset value, but the module no reset\n"),
        "{errors}"
    );
}

#[test]
fn what_joins_is_of_one_pipeline_stage() {
    let said = told(|m| {
        let (a, b) = (m.input_at(0, "a", 4), m.input_at(0, "b", 4));
        let late = m.delayed("late", a);
        m.output("sum", late + b);
        m.output("early", m.delay_to("wanted", m.delayed("later", late), 1));
    });
    assert_eq!(
        said,
        [
            "sample: an expression joins stage 1 (late) and stage 0 (b)",
            "sample: later comes at stage 2, after stage 1 where it is wanted",
        ]
    );
    // What has been brought to one stage may; the latency follows.
    let m = Module::new("sum", "A sum of two stages.", false);
    let (a, b) = (m.input_at(0, "a", 4), m.input_at(0, "b", 4));
    let late = m.delay("late", a, 3);
    m.output("sum", m.delayed("sum", late + m.delay_to("also_late", b, 3)));
    assert_eq!(m.circuit().latency("sum"), 4);
}

#[test]
fn a_memory_has_no_reset() {
    let said = told(|m| {
        let (address, word, memory) = (m.input("address", 2), m.input("word", 8), m.memory("words", 8, 4));
        let count = m.control("count", 4, 0);
        m.at_edge([count.set(count + 1), memory.write(address, word)]);
        m.output("read", memory.read(address));
        m.output("count", count);
    });
    assert_eq!(
        said,
        [
            "sample: memory words is written where registers are reset: it has no reset, give it a block of its own"
        ]
    );
}

kit::states! {
    /// States of a sample.
    pub enum Light {
        /// Off.
        Off = "OFF",
        /// On.
        On = "LIT",
    }
}

#[test]
fn a_state_belongs_to_a_machine_that_is_declared() {
    let said = told(|m| {
        let light = m.control("light", 1, Light::Off);
        m.at_edge([light.set(Light::On)]);
        m.output("shines", light.is(Light::On));
    });
    assert_eq!(said, vec!["sample: LIT is no state that has been declared"; 2]);
}

#[test]
fn a_childs_inputs_are_driven_once_and_its_ports_are_there() {
    let said = told(|m| {
        let child = m.child("counter", counter(4).circuit());
        child.drive("load", m.bit(true));
        child.drive("load", m.bit(false));
        child.drive("lode", m.bit(true));
        child.drive("value", m.zero(3));
        m.output("count", child.get("count"));
        m.output("total", child.get("total"));
    });
    assert_eq!(
        said,
        [
            "sample: counter.load is driven twice",
            "sample: counter has no such port: lode",
            "sample: 3'd0 has 3 bits where 4 are due",
            "sample: counter has no such port: total",
            "sample: counter.counts is never driven",
        ]
    );
    // A loop through a child is one.
    let said = told(|m| {
        let inverter = Module::combinational("inverter", "Turns a bit.");
        let turned = !inverter.input("a", 1);
        inverter.output("b", turned);
        let child = m.child("inverter", inverter.circuit());
        child.drive("a", child.get("b"));
        m.output("result", child.get("b"));
    });
    assert_eq!(said, ["sample: a combinational loop: inverter$b -> inverter$b"]);
}

/// Turns on and off, and counts how often.
fn lamp() -> Module {
    let m = Module::new("lamp", "A lamp that counts.", true);
    m.states::<Light>();
    let press = m.input("press", 1);
    let (light, count) = (m.control("light", 1, Light::Off), m.register("count", 4));
    m.machine([when(
        press,
        [light.matches(
            [(Light::Off, vec![light.set(Light::On), count.set(count + 1)])],
            [light.set(Light::Off)],
        )],
    )]);
    m.output("shines", light.is(Light::On));
    m.output("count", count);
    m
}

#[test]
fn a_machine_is_printed_with_its_states_and_drawn() {
    insta::assert_snapshot!("lamp", Modules::of(&lamp().circuit(), "sample").verilog());
    let mut simulator = lamp().circuit().simulator();
    let mut waves = Waves::of(&["press", "shines", "count"]);
    for (reset, press) in [(0, 0), (1, 1), (1, 0), (1, 1), (1, 1), (1, 1)] {
        assert!(simulator.set("aresetn", &[reset]) && simulator.set("press", &[press]));
        waves.sample(&mut simulator);
        simulator.tick();
    }
    insta::assert_snapshot!(waves, @"
     press ▁▁▔▔▁▁▔▔▔▔▔▔
    shines ▁▁▁▁▔▔▔▔▁▁▔▔
     count |0  |1    |2
    ");
}

#[test]
fn the_longest_chain_of_operators_is_told() {
    let m = Module::new("chain", "Three operators between two registers.", false);
    let (a, b) = (m.input("a", 4), m.input("b", 4));
    let sum = m.wire("sum", a + b);
    m.output("far", m.delayed("far", sum.is(3) & sum.less(b)));
    let chain = m.circuit().longest_chain();
    assert_eq!((chain.operators, chain.signals), (3, vec!["b".to_string(), "sum".into()]));
}

#[test]
fn the_first_that_is_set_stands_alone() {
    for count in 1..=9 {
        let m = Module::combinational("first_alone", "The first bit that is set.\nCombinational.");
        let set = m.input("set", count);
        m.output("alone", bundle(m.first_alone("alone_at", &set.each_bit())));
        let mut simulator = m.simulator().unwrap();
        for set in 0..1_u64 << count {
            assert!(simulator.set("set", &[set]));
            assert_eq!(simulator.get("alone").unwrap().words()[0], set & set.wrapping_neg(), "of {set:b}");
        }
    }
}

#[test]
fn words_and_bits_go_together_lowest_first() {
    let m = Module::combinational("words", "Words of three bits, the other way round.\nCombinational.");
    let words = m.input("words", 12).each_word(3);
    m.output("turned", cat(words.iter().copied()));
    m.output("same", bundle(&words));
    let mut simulator = m.simulator().unwrap();
    assert!(simulator.set("words", &[0o4321]));
    assert_eq!(simulator.get("turned").unwrap().words()[0], 0o1234);
    assert_eq!(simulator.get("same").unwrap().words()[0], 0o4321);
}

#[test]
fn numbers_by_bits_are_put_together() {
    let mut rng = fastrand::Rng::with_seed(6);
    for (bits, cells) in [(1, 3), (2, 5), (3, 64), (5, 33), (8, 8), (11, 45), (13, 61)] {
        let m = Module::combinational("numbers", "Numbers by bits.\nCombinational.");
        let planes: Vec<_> = (0..bits).map(|bit| m.input(&format!("plane_{bit}"), cells)).collect();
        for (cell, number) in m.transposed("square", &planes).into_iter().enumerate() {
            m.output(&format!("number_{cell}"), number);
        }
        let mut simulator = m.simulator().unwrap();
        for _ in 0..50 {
            let numbers: Vec<u64> = (0..cells).map(|_| rng.u64(0..1 << bits)).collect();
            let plane = |of: &dyn Fn(u64) -> bool| {
                numbers.iter().rev().fold(0, |plane, &number| plane << 1 | u64::from(of(number)))
            };
            for bit in 0..bits {
                assert!(simulator.set(&format!("plane_{bit}"), &[plane(&|number| number >> bit & 1 == 1)]));
            }
            for (cell, &number) in numbers.iter().enumerate() {
                assert_eq!(
                    simulator.get(&format!("number_{cell}")).unwrap().low(),
                    number,
                    "{bits} bits, {cell}"
                );
            }
        }
    }
}

#[test]
fn a_part_that_nobody_reads_is_not_printed() {
    let m = Module::combinational("parts", "Parts.\nCombinational.");
    let (a, b) = (m.input("a", 1), m.input("b", 1));
    let read = m.part("read", a & b);
    let only_by_unread = m.part("only_by_unread", a | b);
    m.part("unread", only_by_unread ^ read);
    m.wire("named", a ^ b);
    m.output("result", !read);
    let text = m.circuit().verilog(&[]);
    let printed = |name: &str| text.contains(&format!("wire {name} ")) || text.contains(&format!("{name} ="));
    let [read, by_unread, unread, named] = ["read", "only_by_unread", "unread", "named"].map(printed);
    assert_eq!((read, by_unread, unread, named), (true, false, false, true), "{text}");
}

/// Counts up or is loaded; tells when it is at its end.
fn counter(width: usize) -> Module {
    let m = Module::new("counter", "Counts up while it may, or is loaded.", true);
    let (load, value, counts) = (m.input("load", 1), m.input("value", width), m.input("counts", 1));
    m.comment("The count.");
    let count = m.control("count", width, 0);
    let next = m.wire("following", count + 1);
    m.at_edge([when(load, [count.set(value)]).otherwise([when(counts, [count.set(next)])])]);
    let last = m.delayed("last", count);
    m.output("count", count);
    m.output("wraps", counts & next.is(0));
    m.output("odd_before", last.bit(0));
    m
}

#[test]
fn it_is_printed_as_a_person_writes_it() {
    insta::assert_snapshot!(Modules::of(&counter(4).circuit(), "sample").verilog());
}

#[test]
fn it_runs_as_it_is_written() {
    for width in [1, 4, 64, 65, 130] {
        let mut simulator = counter(width).simulator().unwrap();
        let mut count = vec![0_u64; width.div_ceil(64)];
        let mut rng = fastrand::Rng::with_seed(width as u64);
        assert!(simulator.set("aresetn", &[0]));
        simulator.tick();
        assert!(simulator.set("aresetn", &[1]) && !simulator.set("no_such_port", &[1]));
        for _ in 0..2000 {
            let (load, counts) = (rng.u8(0..8) == 0, rng.bool());
            // Often close to the end.
            let value: Vec<u64> =
                count.iter().map(|_| if rng.bool() { u64::MAX } else { rng.u64(..) }).collect();
            let given =
                [("load", vec![load.into()]), ("counts", vec![counts.into()]), ("value", value.clone())];
            assert!(given.iter().all(|(name, words)| simulator.set(name, words)));
            let shown = Value::new(width, &count);
            assert_eq!(simulator.get("count").as_ref(), Some(&shown));
            let mut next = count.clone();
            for word in &mut next {
                *word = word.wrapping_add(1);
                if *word != 0 {
                    break;
                }
            }
            let next = Value::new(width, &next);
            let wraps = counts && next.words().iter().all(|word| *word == 0);
            assert_eq!(simulator.get("wraps").unwrap().low(), u64::from(wraps));
            let odd = shown.low() & 1;
            simulator.tick();
            assert_eq!(simulator.get("odd_before").unwrap().low(), odd);
            let after = if load {
                Value::new(width, &value)
            } else if counts {
                next
            } else {
                shown
            };
            count = after.words().to_vec();
        }
    }
}

kit::record! {
    /// A sample.
    pub struct Winner {
        /// Lowest.
        found,
        /// Middle.
        gain,
        /// Highest.
        rank,
    }
}

#[test]
fn a_record_is_widths_signals_and_values() {
    let widths = Winner { found: 1, gain: 9, rank: 60 };
    assert_eq!(widths.width(), 70);
    let m = Module::new("pack", "Packs and unpacks.", false);
    let packed = m.wire("whole", widths.inputs(&m).pack());
    let again = widths.unpack(packed);
    m.output("same", again.pack().is(packed));
    let mut simulator = m.simulator().unwrap();
    let values = Winner { found: 1, gain: 300, rank: 0xabc_def0_1234_5678 };
    assert!(values.fields().iter().all(|(name, value)| simulator.set(name, &[*value])));
    assert_eq!(widths.values(&simulator.get("whole").unwrap()), values);
    assert_eq!(simulator.get("same").unwrap().low(), 1);
    let said = told(|m| {
        let short = m.input("short", 69);
        m.output("result", widths.unpack(short).rank);
    });
    assert_eq!(said, ["sample: bits 10 to 69 of short, which has 69"]);
}

#[test]
fn operators_mean_what_verilog_means() {
    // Two operands of 70 bits against a model of wide numbers, all operators at once.
    let m = Module::new("operators", "All operators.", false);
    let (a, b) = (m.input("a", 70), m.input("b", 70));
    m.output("sum", a + b);
    m.output("difference", a - b);
    m.output("less", a.less(b));
    m.output("at_least", a.at_least(b));
    m.output("signed_less", a.signed_less(b));
    m.output("same", a.is(b));
    m.output("mixed", cat([(a ^ b).bits(60..70), (a & !b).bits(3..5), b.bit(69).times(3)]));
    let mut simulator = m.simulator().unwrap();
    let mask = (1_u128 << 70) - 1;
    let signed = |x: u128| ((x << 58) as i128) >> 58;
    let mut rng = fastrand::Rng::with_seed(5);
    for _ in 0..3000 {
        let mut draw = || if rng.u8(0..4) == 0 { mask >> rng.u8(0..70) } else { rng.u128(..) & mask };
        let a = draw();
        let b = if rng.u8(0..8) == 0 { a } else { rng.u128(..) & mask >> rng.u8(0..4) };
        let words = |x: u128| [x as u64, (x >> 64) as u64];
        assert!(simulator.set("a", &words(a)) && simulator.set("b", &words(b)));
        let mut get = |name: &str| {
            let value = simulator.get(name).unwrap();
            let words = value.words();
            u128::from(words[0]) | u128::from(words.get(1).copied().unwrap_or(0)) << 64
        };
        assert_eq!(get("sum"), (a + b) & mask);
        assert_eq!(get("difference"), a.wrapping_sub(b) & mask);
        assert_eq!(get("less"), u128::from(a < b));
        assert_eq!(get("at_least"), u128::from(a >= b));
        assert_eq!(get("signed_less"), u128::from(signed(a) < signed(b)));
        assert_eq!(get("same"), u128::from(a == b));
        let mixed = ((a ^ b) >> 60 & 0x3ff) << 5 | ((a & !b) >> 3 & 3) << 3 | ((b >> 69) * 7);
        assert_eq!(get("mixed"), mixed);
    }
}
