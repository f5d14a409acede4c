// SPDX-License-Identifier: MIT OR Apache-2.0
//! States of a machine: their names stand once, for the Verilog and for who watches it.

/// Longest line of Verilog.
const LINE: usize = 128;
/// What the declaration begins with; further lines begin below its first name.
const BEGIN: &str = "localparam ";

/// Bits of a register that holds one of so many states.
pub const fn state_bits(states: usize) -> usize {
    (usize::BITS - (states - 1).leading_zeros()) as usize
}

/// The states' names as constants, from 0.
pub fn states(names: &[&str]) -> String {
    let bits = state_bits(names.len());
    let (mut text, mut column) = (BEGIN.to_string(), BEGIN.len());
    for (value, name) in names.iter().enumerate() {
        let end = if value + 1 == names.len() { ";" } else { "," };
        let one = format!("{name} = {bits}'d{value}{end}");
        if value > 0 && column + 1 + one.len() > LINE {
            text.push_str(&format!("\n{:width$}", "", width = BEGIN.len()));
            column = BEGIN.len();
        } else if value > 0 {
            text.push(' ');
            column += 1;
        }
        column += one.len();
        text.push_str(&one);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_numbered_and_lines_end() {
        assert_eq!([1, 2, 3, 8, 9].map(state_bits), [0, 1, 2, 3, 4]);
        assert_eq!(states(&["A", "B"]), "localparam A = 1'd0, B = 1'd1;");
        let long = "X".repeat(70);
        assert_eq!(states(&[&long, &long]).lines().count(), 2);
    }
}
