// SPDX-License-Identifier: MIT OR Apache-2.0
//! Unusual configurations in lockstep: every rule set, both leaves, both radii, oblong boards, one level.
#![allow(missing_docs)]

use cosim::lockstep::{HANG_CYCLES, Plan, run};
use rtl_tests::circuits::VARIANTS;
use rtl_tests::models;

#[test]
fn every_variant_plays_like_the_model() {
    let names = VARIANTS.map(|(name, _)| name);
    for (name, model) in names.into_iter().zip(models(&names)) {
        let plan = Plan {
            config: model.config.clone(),
            seed: 5,
            moves: 150,
            games: Vec::new(),
            back_pressure: 0.1,
            traced: true,
            only_game: None,
            limit: HANG_CYCLES,
            waves: None,
        };
        let (tally, report) = run(&plan, model, &mut |_| {});
        if let Some(report) = report {
            panic!("{name}: {}", cosim::report::describe(&plan, &report));
        }
        assert!(tally.moves >= 150 && tally.nodes_compared > 150, "{name}");
    }
}
