// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lines from somebody who may send anything.

use std::io::BufRead;

/// Longest line that is looked at whole: more than any command has.
pub const LONGEST: usize = 4096;

/// The next line without its end, which LF or CR is (of both, one after the other, the second ends an empty line); what goes beyond the
/// longest is cut. None at the end of the input.
pub fn next_line(input: &mut impl BufRead) -> Option<String> {
    let mut line = Vec::new();
    loop {
        // An interrupted or broken input is at its end.
        let bytes = input.fill_buf().ok()?;
        if bytes.is_empty() {
            return (!line.is_empty()).then(|| text(&line));
        }
        let end = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let taken = end.unwrap_or(bytes.len());
        line.extend_from_slice(&bytes[..taken.min(LONGEST.saturating_sub(line.len()))]);
        input.consume(taken + usize::from(end.is_some()));
        if end.is_some() {
            return Some(text(&line));
        }
    }
}

/// Its characters, of whatever charset.
fn text(line: &[u8]) -> String {
    arena::text::decode_line(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_and_read_whatever_they_hold() {
        let mut input: Vec<u8> = vec![b'A'; 3 * LONGEST];
        input.extend(b"\r\nSTART 15\r\n\nBEGIN\rJos\xe9\n\xef\xbb\xbfINFO\nEND");
        let mut input = &input[..];
        assert_eq!(next_line(&mut input).unwrap().len(), LONGEST);
        for line in ["", "START 15", "", "", "BEGIN", "Jos\u{e9}", "INFO", "END"] {
            assert_eq!(next_line(&mut input).unwrap(), line);
        }
        assert_eq!(next_line(&mut input), None);
    }
}
