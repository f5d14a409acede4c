// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the page asks. Every message is an object with an `id`, which its answers carry, and a `type`.

use serde::Deserialize;
use serde_json::Value;

/// Bytes of the longest message that is read: a long game as SGF.
pub const LONGEST: usize = 64 << 10;

/// A position: moves of both sides in turn from the empty board, `x,y x,y ...`.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct At {
    /// Name of the configuration.
    pub config: String,
    /// Moves.
    pub moves: String,
}

/// A search.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Search {
    /// Of this.
    pub at: At,
    /// By this engine.
    pub engine: String,
    /// With so many levels; none: as it is built.
    pub levels: Option<usize>,
}

/// A form of a game's text.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// SGF.
    Sgf,
    /// PSQ.
    Psq,
    /// Moves in a line.
    Text,
}

/// What is asked.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
pub enum Request {
    /// What a position is: who moves, what is threatened, whether it is over. It is the tab's game from now on.
    Position {
        /// The position.
        at: At,
        /// Who plays: the first to move, the other.
        players: [String; 2],
        /// Which game it is of: a name that the page has chosen, the same for all of its positions.
        game: String,
    },
    /// The first game of a text.
    Import {
        /// Name of the configuration.
        config: String,
        /// SGF, PSQ or moves.
        text: String,
    },
    /// A game as text.
    Export {
        /// The game.
        at: At,
        /// As what.
        form: Form,
        /// Who plays.
        players: [String; 2],
    },
    /// A move.
    Search(Search),
    /// What an engine thinks of a position: searches of growing depth, the best moves, how it goes on.
    Analyse {
        /// The search.
        search: Search,
        /// How many moves.
        best: usize,
    },
    /// What every position of a game is worth to the first side, from the empty board.
    Graph(Search),
    /// A search of the simulated core, clock by clock.
    Record {
        /// The position.
        at: At,
        /// With so many levels; none: all.
        levels: Option<usize>,
    },
    /// What the model says of a node of a search.
    Node {
        /// Its root.
        at: At,
        /// Moves from there.
        path: String,
        /// Whether no level is left there.
        depth_zero: bool,
        /// Extensions left there.
        extensions: usize,
    },
    /// A waveform of a search of the simulated core, and where in it to look.
    Waveform {
        /// The position.
        at: At,
        /// With so many levels; none: all.
        levels: Option<usize>,
        /// A clock of the search.
        clock: u64,
    },
    /// The core against software in this position.
    Measure {
        /// The position.
        at: At,
        /// With so many levels; none: all.
        levels: Option<usize>,
    },
    /// Gives a request up.
    Cancel {
        /// Its id.
        of: u32,
    },
}

/// A message that is no request.
#[derive(Debug, thiserror::Error)]
#[error("{reason}")]
pub struct Unreadable {
    /// Its id, if it has one.
    pub id: Option<u32>,
    /// What is wrong with it.
    pub reason: String,
}

/// Reads a message.
pub fn read(text: &str) -> Result<(u32, Request), Unreadable> {
    let unreadable = |id, reason: String| Unreadable { id, reason };
    let mut value: Value =
        serde_json::from_str(text).map_err(|error| unreadable(None, format!("this is not JSON: {error}")))?;
    let Some(object) = value.as_object_mut() else {
        return Err(unreadable(None, "a message is an object with \"id\" and \"type\"".into()));
    };
    let id = object.remove("id").and_then(|id| id.as_u64()).and_then(|id| u32::try_from(id).ok());
    let Some(id) = id else {
        return Err(unreadable(None, "a message has a number as \"id\", below 4294967296".into()));
    };
    let request = serde_json::from_value(value);
    request.map(|request| (id, request)).map_err(|error| unreadable(Some(id), error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_or_refused_with_a_reason() {
        let (id, request) =
            read(r#"{"id":7,"type":"record","at":{"config":"gomoku7","moves":"1,2"},"levels":null}"#)
                .unwrap();
        let at = At { config: "gomoku7".into(), moves: "1,2".into() };
        assert_eq!((id, request), (7, Request::Record { at, levels: None }));
        for (text, id, part) in [
            ("", None, "not JSON"),
            ("[]", None, "an object with"),
            (r#"{"type":"cancel","of":1}"#, None, "a number as \"id\""),
            (r#"{"id":-1,"type":"cancel","of":1}"#, None, "a number as \"id\""),
            (r#"{"id":4294967296,"type":"cancel","of":1}"#, None, "a number as \"id\""),
            (r#"{"id":1,"type":"format"}"#, Some(1), "unknown variant `format`"),
            (r#"{"id":1,"type":"cancel","of":1,"more":2}"#, Some(1), "unknown field `more`"),
            (r#"{"id":1,"type":"import","config":"gomoku7"}"#, Some(1), "missing field `text`"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.id == id && error.reason.contains(part), "{text}: {error:?}");
        }
    }
}
