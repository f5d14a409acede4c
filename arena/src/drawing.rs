// SPDX-License-Identifier: MIT OR Apache-2.0
//! A board as text.

use engine_model::notation::column_letter;
use engine_model::{Cell, Geometry};

/// The board with letters of the columns and numbers of the rows from the bottom: X moved first, O second, `.` is empty; the marked cell
/// stands in brackets. Ends with a line's end.
pub fn board(geometry: &Geometry, owner: impl Fn(Cell) -> Option<usize>, marked: Option<Cell>) -> String {
    let header: String = (0..geometry.columns).map(|x| format!("{:>3}", column_letter(x))).collect();
    let mut text = format!("   {header}\n");
    for y in 0..geometry.rows {
        let mut line = format!("{:>3}", geometry.rows - y);
        for x in 0..geometry.columns {
            let cell = geometry.cell(x, y);
            let stone = match cell.and_then(&owner) {
                None => '.',
                Some(0) => 'X',
                Some(_) => 'O',
            };
            let is_marked = cell.is_some() && cell == marked;
            line.push(' ');
            // The bracket's end takes the place of the next cell's blank.
            if !line.ends_with("] ") {
                line.push(if is_marked { '[' } else { ' ' });
            }
            line.push(stone);
            if is_marked {
                line.push(']');
            }
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_moves_nothing() {
        let geometry = Geometry::new(4, 2, 3, 1);
        let owner = |cell: Cell| [None, Some(0), Some(1), None, None, None, None, Some(0)][usize::from(cell)];
        let text = board(&geometry, owner, Some(1));
        assert_eq!(text, "     a  b  c  d\n  2  . [X] O  .\n  1  .  .  .  X\n");
    }
}
