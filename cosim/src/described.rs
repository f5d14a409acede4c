// SPDX-License-Identifier: MIT OR Apache-2.0
//! What model and core say, in words: both sides of a mismatch.

use crate::trace::{TraceTag, Winner};
use engine_model::Cell;
use engine_model::Geometry;
use engine_model::evaluation::{Outcome, Picked};
use engine_model::search::{Bound, RootDecision};
use hdl::face_model::{Answer, Expected};

/// Something with a description, on this board.
pub(crate) trait Describe {
    /// In words.
    fn description(&self, geometry: &Geometry) -> String;
}

macro_rules! as_it_is_shown {
    ($($kind:ty),*) => { $(impl Describe for $kind {
        fn description(&self, _: &Geometry) -> String {
            self.to_string()
        }
    })* };
}
as_it_is_shown!(i32, usize, str, String);

impl Describe for bool {
    fn description(&self, _: &Geometry) -> String {
        if *self { "yes".into() } else { "no".into() }
    }
}

/// A cell `x,y`; one that is not on the board, which only the core can name, by its number.
impl Describe for Cell {
    fn description(&self, geometry: &Geometry) -> String {
        match usize::from(*self) < geometry.cells() {
            true => geometry.point(*self).to_string(),
            false => format!("cell {self}"),
        }
    }
}

impl<T: Describe + ?Sized> Describe for &T {
    fn description(&self, geometry: &Geometry) -> String {
        (**self).description(geometry)
    }
}

impl<T: Describe> Describe for Option<T> {
    fn description(&self, geometry: &Geometry) -> String {
        self.as_ref().map_or_else(|| "none".into(), |of| of.description(geometry))
    }
}

impl<T: Describe> Describe for [T] {
    fn description(&self, geometry: &Geometry) -> String {
        let each: Vec<String> = self.iter().map(|of| of.description(geometry)).collect();
        if each.is_empty() { "none".into() } else { each.join("; ") }
    }
}

impl<T: Describe> Describe for Vec<T> {
    fn description(&self, geometry: &Geometry) -> String {
        self[..].description(geometry)
    }
}

impl Describe for Picked {
    fn description(&self, geometry: &Geometry) -> String {
        let four = if self.makes_four { ", a four" } else { "" };
        format!("{} (gain {}{four})", self.cell.description(geometry), self.gain)
    }
}

/// A cell and its gain.
impl Describe for (Cell, i32) {
    fn description(&self, geometry: &Geometry) -> String {
        format!("{} (gain {})", self.0.description(geometry), self.1)
    }
}

impl Describe for Winner {
    fn description(&self, geometry: &Geometry) -> String {
        let more = match (self.more, self.more_four) {
            (true, true) => ", more of its group, fours among them",
            (true, false) => ", more of its group",
            (false, _) => "",
        };
        let next = if self.next > 0 { format!(", the next gains {}", self.next) } else { String::new() };
        format!("{}{more}{next}", self.picked.description(geometry))
    }
}

impl Describe for Outcome {
    fn description(&self, _: &Geometry) -> String {
        self.name()
    }
}

impl Describe for Bound {
    fn description(&self, _: &Geometry) -> String {
        match self {
            Bound::Exact => "exactly",
            Bound::Upper => "at most",
            Bound::Lower => "at least",
        }
        .into()
    }
}

/// A bound and its value.
impl Describe for (Bound, i32) {
    fn description(&self, geometry: &Geometry) -> String {
        format!("{} {}", self.0.description(geometry), self.1)
    }
}

impl Describe for RootDecision {
    fn description(&self, geometry: &Geometry) -> String {
        format!("{}, score {}", self.cell.description(geometry), self.score)
    }
}

/// A decision of a search of so many levels.
impl Describe for (usize, RootDecision) {
    fn description(&self, geometry: &Geometry) -> String {
        format!("{} at {} levels", self.1.description(geometry), self.0)
    }
}

impl Describe for TraceTag {
    fn description(&self, geometry: &Geometry) -> String {
        format!("[{}] asked by level {}", self.path.description(geometry), self.level)
    }
}

/// An answer of the stream protocol.
pub(crate) fn answer(answer: Answer) -> String {
    let [x, y] = answer.words;
    match answer.status() {
        Some(status) => format!("{status:?} {} {} (words {x:#010x} {y:#010x})", x & 0xff, y & 0xff),
        None => format!("words {x:#010x} {y:#010x}"),
    }
}

/// What the core should answer.
pub(crate) fn expected(wanted: Expected) -> String {
    match wanted {
        Expected::Nothing => "no answer".into(),
        Expected::Words(words) => answer(words),
        Expected::Any => "an answer".into(),
    }
}

/// What it answered.
pub(crate) fn got(got: Option<Answer>) -> String {
    got.map_or_else(|| "no answer".into(), answer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hdl::stream::Status;

    #[test]
    fn both_sides_of_a_mismatch_are_words() {
        let geometry = Geometry::new(5, 5, 4, 1);
        let picked = Picked { cell: 11, gain: 6, makes_four: true };
        assert_eq!(Some(picked).description(&geometry), "1,2 (gain 6, a four)");
        assert_eq!(None::<Picked>.description(&geometry), "none");
        assert_eq!(vec![7 as Cell, 40].description(&geometry), "2,1; cell 40");
        assert_eq!((Bound::Upper, -3).description(&geometry), "at most -3");
        assert_eq!(
            (2, RootDecision { cell: 12, score: 5 }).description(&geometry),
            "2,2, score 5 at 2 levels"
        );
        assert_eq!(got(None), "no answer");
        assert_eq!(answer(Answer::new(Status::Done, 3, 4)).split(" (").next(), Some("Done 3 4"));
    }
}
