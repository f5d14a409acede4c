// SPDX-License-Identifier: MIT OR Apache-2.0
//! A run tells which bits never changed and which conditions were never met, or always.
#![allow(missing_docs)]

use cosim::lockstep::run;
use engine_model::Config;
use rtl_tests::circuits::VARIANTS;
use rtl_tests::hunt::plan;

#[test]
fn a_run_tells_what_it_has_not_moved() {
    let (_, text) = VARIANTS.iter().find(|(name, _)| *name == "line").unwrap();
    let plan = plan(&Config::from_toml(text).unwrap(), 20);
    let (model, choices) = cosim::models::counting(&plan.config, true).unwrap();
    let (tally, fault) = run(&plan, model, &mut |_| {});
    assert!(fault.is_none(), "{fault:?}");
    let uncovered = tally.coverage.uncovered("line_", &choices).unwrap();
    let all = uncovered.total();
    assert_eq!((all.choices, all.choices - all.both), (choices.len(), uncovered.choices.len()));
    assert!(all.bits / 2 < all.changed && all.changed < all.bits, "{all:?}");
    assert!(all.choices / 4 * 3 < all.both && all.both < all.choices, "{all:?}");
    // A board with one row has one number of a row; games abort nothing.
    assert!(uncovered.signals.iter().any(|(circuit, signal, ..)| circuit == "command_face" && signal == "y"));
    let missing: Vec<&str> = uncovered.choices.iter().map(|choice| &*choice.text).collect();
    assert!(
        choices.iter().any(|choice| choice.text == "is_abort") && missing.contains(&"is_abort"),
        "{missing:?}"
    );
    // Without a run nothing has moved.
    let idle = cosim::coverage::Coverage::default().uncovered("line_", &choices).unwrap();
    assert_eq!((idle.total().both, idle.choices.len()), (0, choices.len()));
}
