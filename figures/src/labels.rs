// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the names of points stand: beside their point, inside of the picture, over nothing else if there is room.

/// Radius of points.
pub const RADIUS: u32 = 4;

/// Broad enough for a letter of a label, whatever the font.
pub const LETTER: i32 = 8;
/// Height of a label.
const LINE: i32 = 15;
/// Between a point and its label.
const GAP: i32 = RADIUS as i32 + 3;

/// A rectangle in pixels: left, top, right, bottom.
type Box = (i32, i32, i32, i32);

fn overlap((left, top, right, bottom): Box, other: Box) -> i32 {
    let width = right.min(other.2) - left.max(other.0);
    let height = bottom.min(other.3) - top.max(other.1);
    width.max(0) * height.max(0)
}

/// The part of a box that lies outside of a frame, in pixels.
fn outside(label: Box, frame: Box) -> i32 {
    (label.2 - label.0) * (label.3 - label.1) - overlap(label, frame)
}

/// The upper left corner of each label of `points`, which lie in `frame`; the first labels have the first choice.
pub fn beside(frame: Box, points: &[((i32, i32), &str)]) -> Vec<(i32, i32)> {
    let dot = |(x, y): (i32, i32)| (x - GAP, y - GAP, x + GAP, y + GAP);
    let mut placed: Vec<Box> = Vec::new();
    for ((x, y), text) in points {
        let width = LETTER * text.chars().count() as i32;
        let (right, left, middle) = (x + GAP, x - GAP - width, x - width / 2);
        let (above, below) = (y - LINE, y + GAP / 2);
        let corners = [
            (right, above),
            (left, below),
            (right, below),
            (left, above),
            (middle, y - GAP - LINE),
            (middle, y + GAP),
            (middle, y - GAP - 2 * LINE),
            (middle, y + GAP + LINE),
        ];
        let taken = |&(left, top): &(i32, i32)| {
            let label = (left, top, left + width, top + LINE);
            let others = points.iter().map(|(at, _)| dot(*at)).chain(placed.iter().copied());
            10 * outside(label, frame) + others.map(|other| overlap(label, other)).sum::<i32>()
        };
        let best = corners.iter().copied().min_by_key(taken).unwrap_or((right, above));
        placed.push((best.0, best.1, best.0 + width, best.1 + LINE));
    }
    placed.into_iter().map(|(left, top, ..)| (left, top)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_stay_inside_and_apart() {
        let frame = (0, 0, 200, 100);
        // Two points next to each other, one at the right edge.
        let points = [((50, 50), "2 6"), ((54, 53), "8 2"), ((195, 20), "16 15 [0]")];
        let boxes: Vec<Box> = beside(frame, &points)
            .into_iter()
            .zip(&points)
            .map(|((left, top), (_, text))| (left, top, left + LETTER * text.len() as i32, top + LINE))
            .collect();
        for (index, label) in boxes.iter().enumerate() {
            assert_eq!(outside(*label, frame), 0, "{label:?}");
            assert!(boxes[index + 1..].iter().all(|other| overlap(*label, *other) == 0), "{boxes:?}");
        }
    }
}
