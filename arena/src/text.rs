// SPDX-License-Identifier: MIT OR Apache-2.0
//! Text of any program on any machine: bytes in, characters with plain ends of lines out.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use engine_model::notation::plain_lines;

/// The characters of a file: by its byte order mark, else UTF-8, else by the charset that it declares (`CA[...]` of an SGF), else as
/// Windows-1252, which Latin-1 is a part of. What cannot be decoded is replaced: names may be garbled, moves are ASCII. Ends of lines become `\n`, a
/// mark at the beginning goes.
pub fn decode(bytes: &[u8]) -> String {
    let (encoding, marked) = match Encoding::for_bom(bytes) {
        Some((encoding, _)) => (encoding, true),
        None => (declared(bytes).unwrap_or(UTF_8), false),
    };
    let encoding = match std::str::from_utf8(bytes) {
        // What is declared is wrong more often than text that is whole as UTF-8.
        _ if marked => encoding,
        Ok(_) => UTF_8,
        Err(_) if encoding == UTF_8 || encoding == UTF_16LE || encoding == UTF_16BE => WINDOWS_1252,
        Err(_) => encoding,
    };
    let (text, _, _) = encoding.decode(bytes);
    plain_lines(&text)
}

/// The characters of a line of a protocol in ASCII: UTF-8, else Windows-1252; a mark at the beginning goes.
pub fn decode_line(bytes: &[u8]) -> String {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => WINDOWS_1252.decode_without_bom_handling(bytes).0,
    };
    text.trim_start_matches('\u{feff}').into()
}

/// The charset that an SGF declares.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    const NAME: &[u8] = b"CA[";
    let start = bytes.windows(NAME.len()).position(|window| window == NAME)? + NAME.len();
    let length = bytes[start..].iter().position(|byte| *byte == b']')?;
    Encoding::for_label(&bytes[start..start + length])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_ends_of_lines_and_charsets() {
        for (bytes, text) in [
            (&b"\xef\xbb\xbf7,7 8,8\r\n6,6\r\n"[..], "7,7 8,8\n6,6\n"),
            (b"7,7\r8,8\r", "7,7\n8,8\n"),
            (b"\xff\xfe7\0,\x007\0", "7,7"),
            (b"\xfe\xff\x007\0,\x007", "7,7"),
            ("0,0 # Jos\u{e9}".as_bytes(), "0,0 # Jos\u{e9}"),
            (b"0,0 # Jos\xe9", "0,0 # Jos\u{e9}"),
            (b"(;CA[ISO-8859-1]PB[Jos\xe9])", "(;CA[ISO-8859-1]PB[Jos\u{e9}])"),
            // The second byte of this name is a bracket in ASCII.
            (b"(;CA[Shift_JIS]PB[\x83\x5d];B[hh])", "(;CA[Shift_JIS]PB[\u{30be}];B[hh])"),
            (b"(;CA[nothing known]PB[\xe9])", "(;CA[nothing known]PB[\u{e9}])"),
            // Declared wrongly.
            ("(;CA[ISO-8859-1]PB[\u{5929}])".as_bytes(), "(;CA[ISO-8859-1]PB[\u{5929}])"),
        ] {
            assert_eq!(decode(bytes), text);
        }
    }
}
