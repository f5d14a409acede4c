// SPDX-License-Identifier: MIT OR Apache-2.0
//! Text of any program on any machine: bytes in, characters with plain ends of lines out.

use crate::sgf_words::{end_of_value, modern_name};
use encoding_rs::{Encoding, ISO_2022_JP, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use engine_model::notation::plain_lines;

/// Why the bytes of a text are no characters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    /// A `\` behind a byte that is no ASCII is half of a character or a sign of its own, before which the text's meaning differs.
    #[error(
        "line {line}: a character is not ASCII, the next byte is a \\, and {}: it can be read as a letter and a \\, which takes the \
        next bracket's meaning away, or as one character of a charset of two bytes; name the charset in CA[...] or save the file as UTF-8",
        charset.as_ref().map_or("no charset is named that has it".to_string(), |name| format!("the charset {name:?} is not known here"))
    )]
    TwoWays {
        /// Line, from 1.
        line: usize,
        /// The charset that is named and not known.
        charset: Option<String>,
    },
    /// The charset that is named writes its characters in ASCII, behind a shift.
    #[error(
        "the charset {charset:?} shifts between ASCII and characters that are not known here: save the file as UTF-8"
    )]
    Shifts {
        /// The charset.
        charset: String,
    },
}

/// The characters of a file: by its byte order mark, else UTF-8, else by the charset that it declares (`CA[...]` of an SGF), else as
/// Windows-1252, which Latin-1 is a part of. What cannot be decoded is replaced: names may be garbled, moves are ASCII. Ends of lines become `\n`, a
/// mark at the beginning goes.
///
/// # Errors
/// If it is an SGF of an unknown charset whose moves depend on that charset.
pub fn decode(bytes: &[u8]) -> Result<String, TextError> {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return Ok(plain_lines(&encoding.decode(bytes).0));
    }
    let declared = declared(bytes);
    let known = declared.as_ref().and_then(|label| encoding(label));
    let of_shifts = declared.as_ref().filter(|label| Encoding::for_label(label) == Some(REPLACEMENT));
    let shifted = |shift: &[u8]| bytes.windows(shift.len()).any(|at| at == shift);
    if let Some(label) = of_shifts.filter(|_| SHIFTS.into_iter().any(shifted)) {
        return Err(TextError::Shifts { charset: String::from_utf8_lossy(label).into_owned() });
    }
    // Its shifts are ASCII too.
    let shifts = known == Some(ISO_2022_JP) && bytes.contains(&ESCAPE);
    let encoding = match (std::str::from_utf8(bytes), known) {
        // What is declared is wrong more often than text that is whole as UTF-8.
        (Ok(_), _) if !shifts => UTF_8,
        (_, Some(known)) if ![UTF_8, UTF_16LE, UTF_16BE].contains(&known) => known,
        (_, named) => {
            let charset = declared.filter(|_| named.is_none());
            let charset = charset.map(|label| String::from_utf8_lossy(&label).into_owned());
            if let Some(place) = two_ways(bytes) {
                let line = 1 + plain_lines(&String::from_utf8_lossy(&bytes[..place])).matches('\n').count();
                return Err(TextError::TwoWays { line, charset });
            }
            WINDOWS_1252
        }
    };
    let (text, _) = encoding.decode_without_bom_handling(bytes);
    Ok(plain_lines(&text))
}

/// The byte that begins a shift of ISO-2022.
const ESCAPE: u8 = 0x1b;
/// What shifts begin with: of ISO-2022, by its one byte too, and of HZ.
const SHIFTS: [&[u8]; 3] = [&[ESCAPE], &[0x0e], b"~{"];

/// Where an SGF has a byte that is no ASCII before a `\`.
fn two_ways(bytes: &[u8]) -> Option<usize> {
    let is_sgf = bytes.windows(2).any(|pair| pair == b"(;");
    bytes.windows(2).position(|pair| pair[0] >= 0x80 && pair[1] == b'\\').filter(|_| is_sgf)
}

/// A charset by its name in HTML, or by what Windows and Python call it.
fn encoding(label: &[u8]) -> Option<&'static Encoding> {
    let name = label.trim_ascii().to_ascii_lowercase();
    let name: &[u8] = match &name[..] {
        b"cp932" | b"shiftjis" | b"sjis-win" | b"windows932" | b"windows-932" => b"shift_jis",
        b"cp936" | b"ms936" | b"windows936" | b"windows-936" => b"gbk",
        b"cp949" | b"ms949" | b"uhc" => b"euc-kr",
        b"cp950" | b"ms950" | b"windows950" | b"windows-950" => b"big5",
        b"eucjp" => b"euc-jp",
        b"euckr" => b"euc-kr",
        b"latin-1" => b"latin1",
        name => name,
    };
    // What HTML decodes to nothing is not known.
    Encoding::for_label(name).filter(|encoding| *encoding != REPLACEMENT)
}

/// The characters of a line of a protocol in ASCII: UTF-8, else Windows-1252; a mark at the beginning goes.
pub fn decode_line(bytes: &[u8]) -> String {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => WINDOWS_1252.decode_without_bom_handling(bytes).0,
    };
    text.trim_start_matches('\u{feff}').into()
}

/// The charset that an SGF declares: the value of its property, else, as values before it may be read wrongly as long as it is not known, of what
/// looks like one.
fn declared(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut rest = bytes;
    while let Some(at) = rest.iter().position(|byte| byte.is_ascii_alphabetic() || *byte == b'[') {
        rest = &rest[at..];
        let letters = rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let (word, behind) = rest.split_at(letters);
        rest = behind;
        if behind.starts_with(b"[") {
            let (value, behind) = behind.split_at(end_of_value(behind));
            let is_charset =
                str::from_utf8(word).is_ok_and(|word| modern_name(word).is_ok_and(|name| name == "CA"));
            if is_charset {
                return Some(value[1..].strip_suffix(b"]").unwrap_or(&value[1..]).to_vec());
            }
            rest = behind;
        }
    }
    const NAME: &[u8] = b"CA[";
    let labels = bytes.windows(NAME.len()).enumerate().filter(|(_, window)| *window == NAME);
    let mut labels = labels.filter_map(|(at, _)| bytes[at + NAME.len()..].split(|byte| *byte == b']').next());
    labels.find(|label| encoding(label).is_some()).map(<[u8]>::to_vec)
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
            assert_eq!(decode(bytes).unwrap(), text);
        }
    }

    /// Names whose second byte is a `\` or a bracket in ASCII: read as declared, however that is written; never half of a game.
    #[test]
    fn charsets_of_two_bytes_lose_no_move() {
        let game =
            |declared: &str, name: &[u8]| [declared.as_bytes(), b"PB[", name, b"];B[hh];W[ig])"].concat();
        for (declared, name, text) in [
            ("(;GM[4]CA[Shift_JIS]", &b"\x83\x5c"[..], "\u{30bd}"),
            ("(;GM[4]CA[cp932]", b"\x83\x5c", "\u{30bd}"),
            ("(;GM[4]CA[ShiftJIS]", b"\x83\x5c", "\u{30bd}"),
            ("(;GM[4]CA[SJIS-win]", b"\x83\x5c", "\u{30bd}"),
            ("(;GM[4]ca[shift_jis]", b"\x83\x5c", "\u{30bd}"),
            ("(;GM[4]CharSet[shift_jis]", b"\x83\x5c", "\u{30bd}"),
            ("(;GM[4]C[CA[x\\]]CA[shift_jis]", b"\x83\x5c", "\u{30bd}"),
            ("(;GM[4]PW[\\]]CA[ Shift_JIS ]", b"\x83\x5d", "\u{30be}"),
            ("(;GM[4]CA[cp950]", b"\xb3\x5c", "\u{8a31}"),
            ("(;GM[4]CA[cp936]", b"\x81\x5c", "\u{4e57}"),
            ("(;GM[4]CA[ISO-2022-JP]", b"\x1b$B%]\x1b(B", "\u{30dd}"),
        ] {
            let text = format!("{declared}PB[{text}];B[hh];W[ig])");
            assert_eq!(decode(&game(declared, name)).unwrap(), text, "{declared}");
        }
        // The value before the charset's property hides it from who does not know the charset yet.
        let late = b"(;GM[4]PB[\x83\x5c]CA[shift_jis];B[hh])";
        assert_eq!(decode(late).unwrap(), "(;GM[4]PB[\u{30bd}]CA[shift_jis];B[hh])");
        for (declared, part) in [
            ("(;GM[4]CA[johab]", "the charset \"johab\" is not known here"),
            ("(;GM[4]", "no charset is named"),
        ] {
            let error = decode(&game(declared, b"\x88\x5c")).unwrap_err().to_string();
            assert!(error.starts_with("line 1:") && error.contains(part), "{error}");
        }
        let shifts = game("(;GM[4]CA[hz-gb-2312]", b"~{OV]S~}");
        assert_eq!(decode(&shifts), Err(TextError::Shifts { charset: "hz-gb-2312".into() }));
        let plain = game("(;GM[4]CA[iso-2022-kr]", b"\xe9");
        assert_eq!(decode(&plain).unwrap(), "(;GM[4]CA[iso-2022-kr]PB[\u{e9}];B[hh];W[ig])");
        // A list of moves has no values that a sign could end.
        assert!(decode(b"7,7 8,6 # \x83\x5c").is_ok());
    }
}
