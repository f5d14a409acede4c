// SPDX-License-Identifier: MIT OR Apache-2.0
//! Games as SGF (`FF[4]`, `GM[4]`: Gomoku and Renju): <https://www.red-bean.com/sgf/>.

use crate::game::Colour;
use crate::game_error::{GameError, Wanted};
use crate::series::{End, Outcome, Record};
use crate::sgf_words::{OF_THE_BOARD, end_of_value, modern_name};
use engine_model::notation::{NotationError, parse_game};
use engine_model::{Cell, Geometry};
use sgf_parse::{Color, GameTree, SgfNode, SgfProp, go, unknown_game};
use std::fmt::Write;

/// Text as a property's value.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]").replace(['\n', '\r'], " ")
}

/// A record as a game of a collection: columns and rows are letters from the upper left corner.
pub fn game(record: &Record, geometry: &Geometry) -> Result<String, NotationError> {
    let moves = parse_game(&record.moves, record.game + 1, geometry)?;
    let (black, white) = match record.colour_of_a {
        Colour::Black => (&record.a, &record.b),
        Colour::White => (&record.b, &record.a),
    };
    let winner = match (record.outcome, record.colour_of_a) {
        (Outcome::Draw, _) => None,
        (Outcome::Win, colour) => Some(colour),
        (Outcome::Loss, colour) => Some(colour.other()),
    };
    let how = if record.end == End::Forfeit { "F" } else { "" };
    let result = match winner {
        None => "Draw".to_string(),
        Some(Colour::Black) => format!("B+{how}"),
        Some(Colour::White) => format!("W+{how}"),
    };
    let size = size(geometry);
    let mut text = format!(
        "(;FF[4]GM[4]CA[UTF-8]AP[tengen:{}]SZ[{size}]GN[{}]PB[{}]PW[{}]RE[{result}]",
        env!("CARGO_PKG_VERSION"),
        record.game,
        escaped(black),
        escaped(white)
    );
    if let Some(reason) = &record.reason {
        let _ = write!(text, "GC[{}]", escaped(reason));
    }
    text.push_str(&written(&moves, geometry));
    text.push_str(")\n");
    Ok(text)
}

/// Moves as nodes, black first.
fn written(moves: &[Cell], geometry: &Geometry) -> String {
    // The first letters of the alphabet: boards have at most 20 columns and rows.
    let letter = |number: usize| char::from(b'a' + number as u8);
    let mut text = String::new();
    for (index, cell) in moves.iter().enumerate() {
        let point = geometry.point(*cell);
        let colour = if index % 2 == 0 { 'B' } else { 'W' };
        let _ = write!(text, ";{colour}[{}{}]", letter(point.x), letter(point.y));
    }
    text
}

/// Moves between two players as a collection of one game, whether it has ended or not.
pub fn moves(moves: &[Cell], geometry: &Geometry, players: [&str; 2]) -> String {
    let [black, white] = players.map(escaped);
    format!(
        "(;FF[4]GM[4]CA[UTF-8]AP[tengen:{}]SZ[{}]PB[{black}]PW[{white}]{})\n",
        env!("CARGO_PKG_VERSION"),
        size(geometry),
        written(moves, geometry)
    )
}

/// A board's size as SGF has it.
fn size(geometry: &Geometry) -> String {
    match (geometry.columns, geometry.rows) {
        (columns, rows) if columns == rows => columns.to_string(),
        (columns, rows) => format!("{columns}:{rows}"),
    }
}

/// What a node does: stones of black and white that are set up, a move, the board's size.
#[derive(Default)]
struct Node {
    set: [Vec<String>; 2],
    played: Option<(usize, String)>,
    size: Option<(usize, usize)>,
    /// Who is to move after the stones that are set up.
    player: Option<usize>,
    /// A property that matters and cannot be read.
    unreadable: Option<String>,
    /// A second move, behind the one that `played` is.
    second: Option<(usize, String)>,
    /// A property that takes stones away.
    taken: Option<String>,
}

/// A move as its property.
fn property_of((side, place): &(usize, String)) -> String {
    format!("{}[{place}]", ["B", "W"][*side])
}

impl Node {
    fn play(&mut self, side: usize, place: String) {
        let of = if self.played.is_none() { &mut self.played } else { &mut self.second };
        of.get_or_insert((side, place));
    }

    /// Stones that are set up: a set in the text, here from the top row on, each row from the left.
    fn set_up(&mut self, side: usize, places: impl Iterator<Item = String>) {
        let stones = &mut self.set[side];
        stones.extend(places);
        let order = |place: &String| (place.chars().nth(1), place.chars().next());
        stones.sort_by_key(order);
    }

    fn take(&mut self, places: impl Iterator<Item = String>) {
        let mut places: Vec<String> = places.collect();
        places.sort();
        self.taken = Some(format!("AE[{}]", places.join("][")));
    }

    fn invalid(&mut self, name: &str, values: &[String]) {
        if OF_THE_BOARD.contains(&name) {
            self.unreadable = Some(format!("{name}[{}]", values.join("][")));
        }
    }
}

/// A pass, where the reader of the text tells one.
const PASS: &str = "pass";

/// A place as SGF's letters; what is none stays what it is.
fn letters(point: &go::Point) -> String {
    let letter = |number: u8| char::from(b'a'.saturating_add(number));
    [letter(point.x), letter(point.y)].iter().collect()
}

/// The places of a list's entry: one, or those of a rectangle, by two opposite corners (`hh:hj`).
fn rectangle(entry: &str) -> Vec<String> {
    let corners = entry.split_once(':').map(|(from, to)| (from.as_bytes(), to.as_bytes()));
    let Some(([x, y], [other_x, other_y])) = corners else { return vec![entry.into()] };
    // Letters are few, so are places.
    let between = |a: &u8, b: &u8| *a.min(b)..=*a.max(b);
    let row = |y: u8| between(x, other_x).map(move |x| [x, y].map(char::from).iter().collect());
    between(y, other_y).flat_map(row).collect()
}

/// Properties under their names of today, a square board's size as one number.
fn modern(text: &str) -> Result<String, GameError> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let name = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_alphabetic()).len();
        let (word, behind) = rest.split_at(name);
        let modern = modern_name(word)?;
        out.push_str(&modern);
        let value = match behind.starts_with('[') {
            true => end_of_value(behind.as_bytes()),
            false => behind.chars().next().map_or(0, char::len_utf8),
        };
        let (value, behind) = behind.split_at(value);
        let size = value.strip_prefix('[').and_then(|value| value.strip_suffix(']')?.split_once(':'));
        match size.filter(|(columns, rows)| modern == "SZ" && columns == rows) {
            Some((columns, _)) => out.push_str(&format!("[{columns}]")),
            None => out.push_str(value),
        }
        rest = behind;
    }
    Ok(out)
}

/// The nodes of the main line.
fn nodes<P: SgfProp>(root: &SgfNode<P>, read: impl Fn(&P, &mut Node)) -> Vec<Node> {
    let node = |node: &SgfNode<P>| {
        let mut read_node = Node::default();
        node.properties().for_each(|property| read(property, &mut read_node));
        read_node
    };
    root.main_variation().map(node).collect()
}

fn of_other_games(property: &unknown_game::Prop, node: &mut Node) {
    use unknown_game::Prop;
    match property {
        Prop::B(place) => node.play(0, place.clone()),
        Prop::W(place) => node.play(1, place.clone()),
        Prop::AB(places) => node.set_up(0, places.iter().flat_map(|place| rectangle(place))),
        Prop::AW(places) => node.set_up(1, places.iter().flat_map(|place| rectangle(place))),
        Prop::AE(places) => node.take(places.iter().cloned()),
        Prop::SZ((columns, rows)) => node.size = Some(((*columns).into(), (*rows).into())),
        Prop::PL(colour) => node.player = Some(usize::from(*colour == Color::White)),
        Prop::Invalid(name, values) => node.invalid(name, values),
        _ => {}
    }
}

fn of_go(property: &go::Prop, node: &mut Node) {
    use go::Prop;
    let place = |place: &go::Move| match place {
        go::Move::Move(point) => letters(point),
        go::Move::Pass => PASS.into(),
    };
    match property {
        Prop::B(at) => node.play(0, place(at)),
        Prop::W(at) => node.play(1, place(at)),
        Prop::AB(points) => node.set_up(0, points.iter().map(letters)),
        Prop::AW(points) => node.set_up(1, points.iter().map(letters)),
        Prop::AE(points) => node.take(points.iter().map(letters)),
        Prop::SZ((columns, rows)) => node.size = Some(((*columns).into(), (*rows).into())),
        Prop::PL(colour) => node.player = Some(usize::from(*colour == Color::White)),
        Prop::Invalid(name, values) => node.invalid(name, values),
        _ => {}
    }
}

/// Nodes and variations within each other that are read: more than any board has cells, and few enough for a reader that calls itself
/// for each.
const DEEPEST: usize = 1_000;

/// Refuses a text whose trees are too deep to be read.
fn check_depth(text: &str) -> Result<(), GameError> {
    let (mut game, mut depth, mut above) = (0, 0_usize, Vec::new());
    let mut rest = text.as_bytes();
    while let [byte, behind @ ..] = rest {
        rest = if *byte == b'[' { &rest[end_of_value(rest)..] } else { behind };
        match byte {
            b'(' => {
                game += usize::from(above.is_empty());
                above.push(depth);
                depth += 1;
            }
            b')' => depth = above.pop().unwrap_or(0),
            b';' => depth += 1,
            _ => {}
        }
        if depth > DEEPEST {
            return Err(GameError::Deep { game, most: DEEPEST });
        }
    }
    Ok(())
}

/// The main lines of a collection's games, as far as they are wanted. Stones that are set up come first, black and white in turn.
pub(crate) fn parse(text: &str, geometry: &Geometry, wanted: Wanted) -> Result<Vec<Vec<Cell>>, GameError> {
    let text = modern(text)?;
    check_depth(&text)?;
    let trees = sgf_parse::parse(&text).map_err(|error| GameError::Sgf(error.to_string()))?;
    let game = |(index, tree): (usize, &GameTree)| {
        if wanted.game.is_some_and(|game| game != index) {
            return Ok(Vec::new());
        }
        let nodes = match tree {
            GameTree::GoGame(root) => nodes(root, of_go),
            GameTree::Unknown(root) => nodes(root, of_other_games),
        };
        main_line(&nodes, geometry, wanted.moves).map_err(|error| match trees.len() {
            1 => error,
            _ => GameError::OfGame { game: index + 1, error: Box::new(error) },
        })
    };
    trees.iter().enumerate().map(game).collect()
}

fn main_line(nodes: &[Node], geometry: &Geometry, most: Option<usize>) -> Result<Vec<Cell>, GameError> {
    let mut moves: Vec<Cell> = Vec::new();
    // The colour of the first stone; a game may begin with either.
    let mut first = None;
    for node in nodes {
        if let Some((columns, rows)) = node.size {
            GameError::unless_board(columns, rows, geometry)?;
        }
        if most == Some(moves.len()) {
            continue;
        }
        if let Some(property) = &node.unreadable {
            return Err(GameError::Sgf(format!(
                "{property} cannot be read; a place is two letters from aa, and GM[4] names the game"
            )));
        }
        if let (Some(first), Some(second)) = (&node.played, &node.second) {
            let (first, second) = (property_of(first), property_of(second));
            return Err(GameError::TwoMovesOfNode { first, second });
        }
        if let Some(property) = &node.taken {
            return Err(GameError::TakenAway { property: property.clone() });
        }
        let [black, white] = &node.set;
        // With as many of each, who is to move began.
        let equal = black.len() == white.len();
        let leads = if equal { node.player.unwrap_or(0) } else { usize::from(white.len() > black.len()) };
        let (leading, following) = if leads == 0 { (black, white) } else { (white, black) };
        let mut stones = Vec::new();
        for (index, place) in leading.iter().enumerate() {
            stones.push((leads, place));
            stones.extend(following.get(index).map(|place| (1 - leads, place)));
        }
        stones.extend(node.played.as_ref().map(|(side, place)| (*side, place)));
        for (side, place) in stones {
            if most == Some(moves.len()) {
                return Ok(moves);
            }
            let number = moves.len() + 1;
            let first = *first.get_or_insert(side);
            if side != (first + moves.len()) % 2 {
                return Err(GameError::Turn { number });
            }
            let (columns, rows) = (geometry.columns, geometry.rows);
            // Older forms pass by a place that the board does not have.
            if place.is_empty() || place == PASS || (place == "tt" && columns.max(rows) < 20) {
                return Err(GameError::Pass { number });
            }
            let coordinate = |byte: u8| byte.checked_sub(b'a').map(usize::from);
            let cell = match place.as_bytes() {
                [x, y] => coordinate(*x).zip(coordinate(*y)).and_then(|(x, y)| geometry.cell(x, y)),
                _ => None,
            };
            moves.push(cell.ok_or_else(|| GameError::Outside { number, text: place.clone() })?);
        }
    }
    Ok(moves)
}
