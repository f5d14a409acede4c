// SPDX-License-Identifier: MIT OR Apache-2.0
//! The prover: what it proves is true, and public puzzles are within its reach.
#![allow(missing_docs)]

#[path = "../../engine-model/tests/common/mod.rs"]
mod common;

use common::{named, random_position};
use engine_model::position::Tables;
use engine_model::{Cell, Config, Engine};
use players::opponents::WIN;
use players::prover::{Prover, wins_by_fours};
use players::pvs::{Options, Pvs};

#[test]
fn what_is_proved_is_what_a_search_of_every_move_finds() {
    let config = Config { columns: 5, rows: 5, rows_per_clock: 5, in_a_row: 4, ..named("gomoku7") };
    let config = Config { window_scores: vec![0, 1, 4, 12], candidate_radius: 2, ..config };
    config.check().unwrap();
    let tables = Tables::new(&config);
    let mut prover = Prover::new(&config, 4);
    let mut rng = fastrand::Rng::with_seed(9);
    let (mut wins, mut losses, mut fours) = (0, 0, 0);
    for _ in 0..150 {
        let stones = rng.usize(4..14);
        let mut position = random_position(&tables, &mut rng, stones);
        if position.is_over() {
            continue;
        }
        let moves = position.moves().to_vec();
        let by_fours = wins_by_fours(&mut position);
        assert_eq!(position.moves(), moves, "the position is as before");
        let Some(plies) = prover.plies(&moves) else {
            assert_eq!(by_fours, None);
            continue;
        };
        let depth = plies.unsigned_abs() as usize;
        if depth > 7 {
            continue;
        }
        let mut judge = Pvs::new(&config, Options { margin: 5, ..Options::default() });
        judge.set_position(&moves).unwrap();
        let (_, value, _) = judge.best(depth).unwrap();
        if plies > 0 {
            assert!(value >= WIN - plies, "{plies}: {value} after {moves:?}");
        } else {
            assert!(value <= -(WIN + plies), "{plies}: {value} after {moves:?}");
        }
        wins += usize::from(plies > 0);
        losses += usize::from(plies < 0);
        fours += usize::from(by_fours.is_some());
    }
    assert!(wins > 20 && losses > 5 && fours > 10, "{wins} {losses} {fours}");
}

#[test]
fn what_is_no_open_game_proves_nothing() {
    let config = named("gomoku15");
    let mut prover = Prover::new(&config, 2);
    let won: Vec<Cell> = (0..4).flat_map(|x| [x, 100 + 2 * x]).chain([4]).collect();
    for moves in [&[][..], &[112][..], &[7, 7], &won[..]] {
        assert_eq!(prover.plies(moves), None, "{moves:?}");
    }
    assert_eq!(prover.plies(&won[..8]), Some(1));
    // The other side is to move, and one end is open still: it closes that, and nothing is proved; with both open it has lost.
    let open: Vec<Cell> = [(4, 7), (5, 7), (6, 7), (7, 7)].map(|(x, y)| (y * 15 + x) as Cell).to_vec();
    let far: Vec<Cell> = [(0, 0), (2, 0), (0, 2)].map(|(x, y)| (y * 15 + x) as Cell).to_vec();
    let moves: Vec<Cell> =
        open.iter().zip(&far).flat_map(|(own, other)| [*own, *other]).chain([open[3]]).collect();
    assert_eq!(prover.plies(&moves), Some(-2));
}
