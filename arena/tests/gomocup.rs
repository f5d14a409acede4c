// SPDX-License-Identifier: MIT OR Apache-2.0
//! A brain's sessions as managers lead them, and as nobody does.
#![allow(missing_docs)]

use arena::gomocup::session::Session;
use engine_model::{Config, Engine, ModelEngine};
use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

fn named(name: &str) -> Config {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../configs/{name}.toml"));
    Config::from_toml(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn engine(named: &Config, columns: usize, rows: usize) -> Result<Box<dyn Engine>, String> {
    let config = Config { columns, rows, rows_per_clock: rows, ..named.clone() };
    config.check().map_err(|error| error.to_string())?;
    Ok(Box::new(ModelEngine::new(&config)))
}

/// A brain whose clock stands still.
fn brain(config: Config) -> Session<'static> {
    let maker = move |columns, rows| engine(&config, columns, rows);
    let session = Session::new(Box::new(maker), Box::new(|| Duration::ZERO), "name=\"test\"".into(), None);
    session.needs(1 << 20)
}

/// What a brain says to lines, without its messages.
fn answers(session: &mut Session, lines: &[&str]) -> Vec<String> {
    let said = lines.iter().flat_map(|line| session.line(line));
    said.filter(|line| !line.starts_with("MESSAGE ")).collect()
}

/// The model's move and score in a position.
fn decision(config: &Config, moves: &[(usize, usize)]) -> (String, i32) {
    let mut model = ModelEngine::new(config);
    let geometry = config.geometry();
    let cells: Vec<_> = moves.iter().map(|(x, y)| geometry.cell(*x, *y).unwrap()).collect();
    model.set_position(&cells).unwrap();
    let found = model.search(None).unwrap();
    let point = geometry.point(found.cell.unwrap());
    (format!("{},{}", point.x, point.y), found.score)
}

/// The model's move in a position.
fn reply(config: &Config, moves: &[(usize, usize)]) -> String {
    decision(config, moves).0
}

#[test]
fn every_command_is_answered_as_the_protocol_says() {
    let config = named("gomoku15");
    let first = reply(&config, &[(7, 7)]);
    let opening = reply(&config, &[]);
    let both = reply(&config, &[(7, 7), (8, 8)]);
    let turned = reply(&config, &[(7, 7), (8, 8), (6, 6)]);
    let swapped = reply(&config, &[(7, 7), (6, 8), (11, 11)]);
    for (lines, expected) in [
        (&["START 15", "TURN 7,7"][..], &["OK", &first][..]),
        (&["START 15\r", "", "BEGIN"], &["OK", &opening]),
        (&["RECTSTART 15,15", "BOARD", "7,7,2", "DONE"], &["OK", &first]),
        // Own stones first or the opponent's, in any order.
        (&["START 15", "BOARD", "7,7,1", "8,8,2", "DONE"], &["OK", &both]),
        (
            &["START 15", "BOARD", "8,8,2", "7,7,1", "DONE", "RESTART", "TURN 7,7"],
            &["OK", &both, "OK", &first],
        ),
        (&["START 15", "BOARD", "8,8,1", "7,7,2", "6,6,2", "DONE"], &["OK", &turned]),
        (&["START 15", "BOARD", "DONE"], &["OK", &opening]),
        // Taken back: both moves, then another.
        (
            &["START 15", "TURN 7,7", &format!("TAKEBACK {first}"), "TAKEBACK 7,7", "TURN 7,7"],
            &["OK", &first, "OK", "OK", &first],
        ),
        // The manager chooses the brain's move.
        (&["START 15", "PLAY 7,7", "BOARD", "7,7,1", "8,8,2", "DONE"], &["OK", "7,7", &both]),
        (&["ABOUT", "START 15", "ABOUT"], &["name=\"test\"", "OK", "name=\"test\""]),
        (
            &[
                "START 15",
                "INFO evaluate 7,7",
                "INFO folder /tmp",
                "INFO game_type 1",
                "INFO time_left 100",
                "TURN 7,7",
            ],
            &["OK", &first],
        ),
        (&["START 15", "SWAP2BOARD", "DONE"], &["OK", "7,7 8,7 7,10"]),
        (&["START 15", "SWAP2BOARD", "7,7", "6,8", "11,11", "DONE"], &["OK", &swapped]),
        (&["START 15", "SWAP2BOARD", "7,7", "7,8", "8,8", "DONE"], &["OK", "SWAP"]),
        (&["START 15", "SWAP2BOARD", "7,7", "0,0", "7,8", "0,14", "8,8", "DONE"], &["OK", "SWAP"]),
    ] {
        assert_eq!(answers(&mut brain(config.clone()), lines), expected, "{lines:?}");
    }
}

/// What managers for analysis ask: a position that is only looked at, the best moves, and news on the way.
#[test]
fn positions_are_analysed_in_yixins_words() {
    let config = named("gomoku15");
    let (best, score) = decision(&config, &[(7, 7), (8, 8)]);
    let mut session = brain(config);
    let stones = ["START 15", "YXBOARD", "7,7,1", "8,8,2", "DONE"];
    assert_eq!(answers(&mut session, &stones), ["OK"], "nothing is searched");
    // None is played: the same again, and a game from there.
    assert_eq!(answers(&mut session, &["YXNBEST 1", "YXNBEST 1"]), [&*best, &best]);
    assert_eq!(answers(&mut session, &["YXBOARD 7,7,1 8,8,2 DONE", "YXNBEST 1"]), [&*best]);
    let said = session.line("YXNBEST 3");
    let numbered: Vec<&String> = said.iter().filter(|line| line.starts_with("MESSAGE (")).collect();
    assert_eq!(numbered.len(), 3, "{said:?}");
    assert_eq!(*numbered[0], format!("MESSAGE (1) EV {score} PV {best}"));
    let scores: Vec<i32> = numbered.iter().map(|l| l.split(' ').nth(3).unwrap().parse().unwrap()).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    assert_eq!(said.last(), Some(&best));
    // On request every iteration is told.
    let told = |lines: &[String]| lines.iter().filter(|l| l.starts_with("MESSAGE REALTIME BEST ")).count();
    assert_eq!(told(&session.line("YXNBEST 1")), 0);
    session.line("YXSHOWINFO");
    session.line("INFO timeout_turn 100000");
    let said = session.line("YXNBEST 1");
    assert_eq!(told(&said), 2, "two and four levels: {said:?}");
    assert!(said.contains(&format!("MESSAGE REALTIME BEST {best}")));
    assert!(said.iter().any(|line| line.starts_with("MESSAGE DEPTH 4-4 EV ")), "{said:?}");
    session.line("INFO show_detail 0");
    assert_eq!(told(&session.line("YXNBEST 1")), 0);
    // A wish to stop that comes too late is nothing; what is no position is refused.
    assert!(session.line("YXSTOP").is_empty());
    assert!(session.line("YXBOARD 7,7,1 7,7,2 DONE")[0].starts_with("ERROR "));
    assert!(session.line("YXBOARD 7,7 DONE")[0].starts_with("ERROR "));
}

/// Who reads lines ahead ends a search by a flag: the last search that was complete answers.
#[test]
fn a_search_is_halted() {
    let config = named("gomoku15");
    let mut session = brain(config.clone());
    session.line("START 15");
    session.line("INFO timeout_turn 100000");
    session.halts().store(true, std::sync::atomic::Ordering::Relaxed);
    let said = session.line("TURN 7,7");
    assert!(said.iter().any(|line| line.starts_with("MESSAGE levels 2,")), "{said:?}");
    // The word itself, in its turn, ends the wish.
    session.line("YXSTOP");
    let said = session.line("TURN 0,0");
    assert!(said.iter().any(|line| line.starts_with("MESSAGE levels 4,")), "{said:?}");
}

#[test]
fn the_opening_for_swap2_is_even() {
    let config = named("gomoku15");
    let said = answers(&mut brain(config.clone()), &["START 15", "SWAP2BOARD", "DONE"]);
    let places = said[1].split(' ').map(|place| {
        let (x, y) = place.split_once(',').unwrap();
        (x.parse().unwrap(), y.parse().unwrap())
    });
    let (_, score) = decision(&config, &places.collect::<Vec<_>>());
    assert!(score.abs() < 8, "{said:?}: {score} half-points");
}

#[test]
fn what_cannot_be_is_an_error_and_changes_nothing() {
    let config = named("gomoku15");
    let first = reply(&config, &[(7, 7)]);
    for (lines, part) in [
        (&["TURN 7,7"][..], "ERROR no board: send START first"),
        (&["RESTART"], "ERROR RESTART before START"),
        (&["START 4"], "ERROR in_a_row = 5"),
        (&["START 21"], "ERROR columns = 21"),
        (&["START x"], "ERROR START x: write START size"),
        (&["START 15", "TURN 15,0"], "ERROR 15,0 is outside the 15 x 15 board"),
        (&["START 15", "TURN 7"], "ERROR TURN 7: write TURN x,y"),
        (&["START 15", "TURN 7,7", "TURN 7,7"], "ERROR"),
        (&["START 15", "TURN 7,7", "BEGIN"], "ERROR BEGIN: the board is not empty"),
        (&["START 15", "TURN 7,7", "TAKEBACK 7,7"], "ERROR TAKEBACK 7,7: not the last move"),
        (&["START 15", "TURN 7,7", "PLAY 0,0"], "ERROR PLAY 0,0: the opponent is to move"),
        (&["START 15", "PLAY 7,7", "PLAY 0,0"], "ERROR PLAY 0,0: the opponent is to move"),
        (
            &["START 15", "TURN 7,7", &format!("TAKEBACK {first}"), "TURN 0,0"],
            "ERROR TURN 0,0: the brain is to move",
        ),
        (&["START 15", "BOARD", "7,7,1", "DONE"], "ERROR 1 own stones and 0 of the opponent's"),
        (&["START 15", "BOARD", "7,7,3", "DONE"], "ERROR 7,7,3: this brain plays no continuous game"),
        (&["START 15", "BOARD", "7,7", "DONE"], "ERROR 7,7: a field of 1 (own)"),
        (&["START 15", "BOARD", "7,7,1", "7,7,2", "DONE"], "ERROR"),
        (&["START 15", "BOARD", "7,7,x", "8,8,2", "DONE"], "ERROR 7,7,x: write x,y or x,y,field"),
        (&["START 15", "BOARD", "HELLO", "DONE"], "ERROR command HELLO"),
        (
            &["START 15", "BOARD", "7,7,2", "TURN 8,8"],
            "ERROR the stones before this command were not ended by DONE",
        ),
        (&["START 15", "SWAP2BOARD", "7,7", "DONE"], "ERROR SWAP2BOARD with 1 stones"),
        (&["START 15", "DONE"], "ERROR no BOARD before this"),
        (&["START 15", "7,7,1"], "ERROR no BOARD before this"),
        (&["START 15", "INFO rule 4", "TURN 7,7"], "ERROR rule 4 (renju): this brain plays freestyle only"),
        (&["START 15", "INFO max_memory 1000", "BEGIN"], "ERROR max_memory 1000"),
        (&["START 15", "SWAP2"], "UNKNOWN command SWAP2"),
    ] {
        let mut session = brain(config.clone());
        let said = answers(&mut session, lines);
        assert!(said.iter().any(|line| line.starts_with(part)), "{lines:?}: {said:?}");
        // It goes on.
        let then = answers(&mut session, &["INFO rule 0", "INFO max_memory 0", "START 15", "TURN 7,7"]);
        assert_eq!(then, ["OK", &first], "{lines:?}");
    }
}

#[test]
fn a_game_that_is_over_is_told() {
    let mut session = brain(named("tictactoe"));
    let lines =
        ["START 3", "BOARD", "0,0,1", "1,1,2", "0,1,1", "2,2,2", "DONE", "TURN 2,1", "RESTART", "BEGIN"];
    let said = answers(&mut session, &lines);
    assert_eq!(said[..2], ["OK", "0,2"]);
    assert!(said[2].starts_with("ERROR"), "{said:?}");
    assert_eq!(said[3], "OK");
}

#[test]
fn a_limit_ends_the_deepening() {
    let config = named("gomoku15");
    for (step, limit, levels) in
        [(0, 1000, 4), (400, 1000, 4), (1000, 1000, 2), (400, 0, 2), (100, 10_000, 4)]
    {
        // Every look at the clock takes so many milliseconds.
        let now = Rc::new(Cell::new(0));
        let config = config.clone();
        let maker = move |columns, rows| engine(&config, columns, rows);
        let clock = move || Duration::from_millis(now.replace(now.get() + step));
        let mut session = Session::new(Box::new(maker), Box::new(clock), String::new(), None);
        session.line("START 15");
        session.line(&format!("INFO timeout_turn {limit}"));
        let said = session.line("TURN 7,7");
        assert!(said[0].starts_with(&format!("MESSAGE levels {levels}, ")), "{step} of {limit}: {said:?}");
    }
}

#[test]
fn a_limit_of_nodes_holds_for_all_searches_of_a_move() {
    let number = |line: &str, word: &str| -> Option<u64> {
        let words: Vec<&str> = line.split(' ').collect();
        let at = words.iter().position(|other| *other == word)?;
        words.get(at + 1)?.parse().ok()
    };
    for (most, levels) in [(5, 1), (20, 1), (60, 1), (200, 2), (400, 3), (20_000, 3)] {
        let mut session = brain(named("gomoku7"));
        for line in ["START 7", "INFO show_detail 1", &format!("INFO max_node {most}")] {
            session.line(line);
        }
        let said = session.line("TURN 3,3");
        let searches: Vec<u64> = said.iter().filter_map(|line| number(line, "N")).collect();
        let used = said.iter().find_map(|line| line.strip_prefix("MESSAGE levels ")).unwrap();
        assert!(used.starts_with(&format!("{levels},")), "{most}: {said:?}");
        // A move there must be: one level has no limit.
        assert!(levels == 1 || searches.iter().sum::<u64>() <= most, "{most}: {said:?}");
    }
}

/// Column and row.
type At = (usize, usize);
/// Stones, and whether they are the brain's.
type Stones = Vec<(At, bool)>;

/// A referee that knows nothing but the protocol: what the board must be after each answer.
#[derive(Default)]
struct Referee {
    /// Size and stones.
    board: Option<(At, Stones)>,
}

impl Referee {
    fn brain_moves(&mut self, place: (usize, usize)) {
        let (size, stones) = self.board.as_mut().expect("a move without a board");
        assert!(place.0 < size.0 && place.1 < size.1, "{place:?} is outside");
        assert!(stones.iter().all(|(taken, _)| *taken != place), "{place:?} is taken");
        let own = stones.iter().filter(|(_, own)| *own).count();
        let others = stones.len() - own;
        assert!(own == others || own + 1 == others, "a move out of turn: {own} own stones, {others} others");
        stones.push((place, true));
    }

    fn opponent_moves(&mut self, place: (usize, usize)) {
        let (_, stones) = self.board.as_mut().expect("a move without a board");
        assert!(stones.iter().all(|(taken, _)| *taken != place), "{place:?} is taken");
        stones.push((place, false));
    }
}

fn place(text: &str) -> Option<(usize, usize)> {
    let (x, y) = text.split_once(',')?;
    Some((x.parse().ok()?, y.parse().ok()?))
}

#[test]
fn a_hundred_thousand_random_lines_never_make_it_move_out_of_turn() {
    let config = Config {
        levels: 1,
        beam: vec![0],
        in_a_row: 4,
        window_scores: vec![0, 1, 4, 12],
        ..named("gomoku7")
    };
    let mut rng = fastrand::Rng::with_seed(1);
    let mut session = brain(config);
    let mut referee = Referee::default();
    let (mut listed, mut moves) = (None::<Stones>, 0);
    for _ in 0..100_000 {
        let (x, y) = (rng.usize(0..7), rng.usize(0..7));
        let line = match rng.u32(0..100) {
            0..=1 => format!("START {}", rng.usize(3..8)),
            2 => "RESTART".into(),
            3..=40 => format!("TURN {x},{y}"),
            41..=46 => "BEGIN".into(),
            47..=50 => "BOARD".into(),
            51..=70 => format!("{x},{y},{}", rng.usize(1..4).min(2)),
            71..=76 => "DONE".into(),
            77..=79 => format!("PLAY {x},{y}"),
            80..=89 => match referee.board.as_ref().and_then(|(_, stones)| stones.last()) {
                Some(((x, y), _)) if rng.bool() => format!("TAKEBACK {x},{y}"),
                _ => format!("TAKEBACK {x},{y}"),
            },
            90 => {
                ["INFO rule 0", "INFO rule 1", "INFO timeout_turn 0", "INFO nonsense"][rng.usize(0..4)].into()
            }
            91 => "ABOUT".into(),
            92 => ["YXSTOP", "YXSHOWINFO", "INFO show_detail 1"][rng.usize(0..3)].into(),
            _ => (0..rng.usize(0..30)).map(|_| rng.char(..)).filter(|letter| *letter != '\n').collect(),
        };
        let said = session.line(&line);
        assert!(!session.ended());
        for answer in said.iter().filter(|answer| !answer.starts_with("MESSAGE ")) {
            assert!(!answer.contains(['\n', '\r']), "{answer:?}");
            let refused = answer.starts_with("ERROR ") || answer.starts_with("UNKNOWN ");
            if answer == "OK" && line.contains("START") {
                let size = line.strip_prefix("START ").map(|size| size.parse().unwrap());
                let old = referee.board.as_ref().map(|(size, _)| *size);
                referee.board = Some((size.map_or_else(|| old.unwrap(), |size| (size, size)), Vec::new()));
            } else if answer == "OK" {
                let taken = place(line.strip_prefix("TAKEBACK ").unwrap()).unwrap();
                let stones = &mut referee.board.as_mut().unwrap().1;
                let at = stones.iter().position(|(place, _)| *place == taken).expect("it was there");
                stones.remove(at);
            } else if !refused && !answer.starts_with("name=") {
                if let Some(opponents) = line.strip_prefix("TURN ") {
                    referee.opponent_moves(place(opponents).unwrap());
                }
                if let Some(stones) = listed.take().filter(|_| line == "DONE") {
                    referee.board.as_mut().unwrap().1 = stones;
                }
                referee.brain_moves(place(answer).unwrap_or_else(|| panic!("{line:?}: {answer:?}")));
                moves += 1;
            }
        }
        // What a BOARD lists counts from BOARD on.
        match &mut listed {
            // One that another BOARD cut short is left out.
            _ if line == "BOARD" && said.iter().all(|text| text.ends_with("left out")) => {
                listed = Some(Vec::new());
            }
            Some(stones) => match line.split(',').collect::<Vec<_>>()[..] {
                [x, y, field] if x.parse::<usize>().is_ok() => {
                    if let (Ok(x), Ok(y)) = (x.parse(), y.parse()) {
                        stones.push(((x, y), field == "1"));
                    }
                }
                _ if line == "DONE" => listed = None,
                _ => {}
            },
            None => {}
        }
    }
    assert!(moves > 4_000, "{moves}");
}
