// SPDX-License-Identifier: MIT OR Apache-2.0
//! A match as one self-contained page: what it says, by colour, length and side, and its games to replay.

use crate::replay;
use crate::report::{Speed, speeds};
use arena::series::{Identity, Record};
use arena::sprt::{Sprt, Verdict};
use arena::statistics::{Score, strength};
use arena::summary::{LENGTHS, Spent, Summary};
use engine_model::Geometry;
use figures::chart::{Axis, Chart, Kind, Series};
use figures::html::{Card, Origin, cards, chart, escape, footer, shell, table_html};
use figures::number::{count, percent, time};
use figures::picture::{DRAWN, LOST, WON};
use figures::table::Table;

/// Results in the order they are drawn and named.
const RESULTS: [(usize, &str); 3] = [(WON, "won"), (DRAWN, "drawn"), (LOST, "lost")];

/// What a page shows.
pub struct Page<'a> {
    /// The sides.
    pub identity: &'a Identity,
    /// Sums.
    pub summary: &'a Summary,
    /// Forfeits, in words.
    pub faults: &'a [String],
    /// The test, if one was asked for.
    pub sprt: Option<Sprt>,
    /// Games.
    pub records: Vec<&'a Record>,
    /// Their board and the number in a row that wins; without it no game can be shown.
    pub board: Option<(Geometry, usize)>,
    /// How to have the page again.
    pub origin: &'a Origin,
}

impl Page<'_> {
    /// As HTML.
    pub fn html(&self) -> String {
        let Page { identity, summary, .. } = self;
        let title = format!("{} against {}", identity.a, identity.b);
        let mut body = format!("<h1>{}</h1>\n", escape(&title));
        body.push_str(&cards(&self.cards()));
        for table in [self.by_colour(), self.sides()] {
            body.push_str(&table_html(&table));
        }
        body.push_str(&chart(&lengths(&identity.a, summary)));
        body.push_str(&chart(&course(&identity.a, &summary.openings)));
        if !self.faults.is_empty() {
            let faults: String =
                self.faults.iter().map(|fault| format!("<li>{}</li>\n", escape(fault))).collect();
            body.push_str(&format!("<h2>Forfeits</h2>\n<ul>\n{faults}</ul>\n"));
        }
        match &self.board {
            Some((geometry, in_a_row)) => body.push_str(&replay::section(geometry, *in_a_row, &self.records)),
            None => body
                .push_str("<p>The games can be replayed here when the board is named: --config NAME.</p>\n"),
        }
        body.push_str(&footer(self.origin));
        shell(&title, &body)
    }

    fn cards(&self) -> Vec<Card> {
        let Page { identity, summary, .. } = self;
        let (score, strength) = (&summary.score, &summary.strength);
        let elo = |value: f64| if value.is_finite() { format!("{value:+.0}") } else { "unbounded".into() };
        let card = |name: &str, value: String, note: String| Card { name: name.into(), value, note };
        let interval = |low: String, high: String| format!("95 %: {low} to {high}");
        let fraction = &strength.fraction;
        let mut cards = vec![
            card(
                "won, drawn, lost",
                format!("{} / {} / {}", score.wins, score.draws, score.losses),
                format!("games of {}", identity.a),
            ),
            card("Elo", elo(strength.elo.value), interval(elo(strength.elo.low), elo(strength.elo.high))),
            card(
                "score",
                format!("{} %", percent(fraction.value)),
                interval(percent(fraction.low), percent(fraction.high)),
            ),
            card(
                "the stronger one",
                format!("{:.3}", strength.superiority),
                format!("probability that it is {}", identity.a),
            ),
            card("games", score.games().to_string(), format!("{} of them distinct", summary.distinct)),
        ];
        if let Some(length) = summary.length {
            let note = format!("median {}, max {}", length.median, length.max);
            cards.push(card("moves a game", format!("{:.1}", length.mean), note));
        }
        if let Some(test) = self.sprt {
            let (low, high) = test.bounds();
            let verdict = match test.verdict(&summary.openings) {
                Verdict::Open => "open".to_string(),
                Verdict::Zero => format!("Elo {} accepted", test.elo0),
                Verdict::One => format!("Elo {} accepted", test.elo1),
            };
            let note =
                format!("log-likelihood ratio {:.2} of {low:.2} to {high:.2}", test.llr(&summary.openings));
            cards.push(card(&format!("test of Elo {} against {}", test.elo0, test.elo1), verdict, note));
        }
        cards
    }

    /// Results by colour.
    fn by_colour(&self) -> Table {
        let Page { identity, summary, .. } = self;
        let mut table = Table::new(
            format!("Results of {}", identity.a),
            &["", "games", "won", "drawn", "lost", "score, %"],
        );
        for (name, score) in
            [("black", &summary.as_black), ("white", &summary.as_white), ("all", &summary.score)]
        {
            let mut cells = vec![name.to_string(), score.games().to_string()];
            cells.extend(counts(score).map(|games| games.to_string()));
            cells.push(if score.games() > 0 { percent(score.fraction()) } else { "-".into() });
            table.rows.push(cells);
        }
        table
    }

    /// What each side spent.
    fn sides(&self) -> Table {
        let Page { identity, summary, .. } = self;
        let sides = [
            (&identity.a, &summary.a, &summary.b, &identity.b),
            (&identity.b, &summary.b, &summary.a, &identity.a),
        ];
        let clocks = figures::clock::USUAL;
        let mut table = Table::new(
            "What a move takes",
            &["side", "moves", "wall clock", "nodes", "median", "max", "clock cycles", "median", "max"],
        );
        table.head.extend(clocks.iter().map(|clock| format!("at {clock}")));
        for (name, spent, other, against) in sides {
            let Spent { moves, nodes, cycles, seconds } = spent;
            let mut cells = vec![name.clone(), moves.to_string(), time(seconds / (*moves).max(1) as f64)];
            for spread in [nodes, cycles] {
                cells.extend(match spread {
                    Some(spread) => {
                        [count(spread.mean), count(spread.median as f64), count(spread.max as f64)]
                    }
                    None => ["-", "-", "-"].map(String::from),
                });
            }
            let speeds = speeds(spent, other, against);
            let told = |Speed { seconds, .. }: &Speed| time(*seconds);
            cells.extend((0..clocks.len()).map(|index| speeds.get(index).map_or_else(|| "-".into(), told)));
            table.rows.push(cells);
        }
        table.words = vec![
            ("nodes".into(), "positions that the search has looked at for a move, mean".into()),
            (
                "clock cycles".into(),
                "of a simulated core or a board, by its own counter; what they take at a clock stands beside"
                    .into(),
            ),
        ];
        table
    }
}

fn counts(score: &Score) -> [u64; 3] {
    [score.wins, score.draws, score.losses]
}

/// Games by length, results on top of each other.
fn lengths(of: &str, summary: &Summary) -> Chart {
    let classes = &summary.by_length;
    let last = classes.last().map_or(LENGTHS, |(from, _)| from + LENGTHS);
    let series = RESULTS.iter().enumerate().map(|(place, (colour, name))| {
        let points = classes.iter().map(|(from, score)| (*from as f64, counts(score)[place] as f64));
        // Steps end where the last class does.
        let points = points.chain([(last as f64, 0.0)]).collect();
        Series { name: (*name).into(), colour: *colour, kind: Kind::Steps, points }
    });
    Chart {
        title: format!("Games by their length, results of {of}"),
        x: Axis::new("moves, the opening's included").whole(),
        y: Axis::new("games").whole(),
        series: series.collect(),
        stacked: true,
    }
}

/// The score as the match went on.
fn course(of: &str, openings: &[Score]) -> Chart {
    // A point for each opening of a short match, for every so many of a long one.
    let step = openings.len().div_ceil(200).max(1);
    let points: Vec<(f64, [f64; 3])> = (step..=openings.len())
        .step_by(step)
        .map(|number| {
            let fraction = strength(&openings[..number]).fraction;
            (number as f64, [fraction.low, fraction.value, fraction.high].map(|share| 100.0 * share))
        })
        .collect();
    let series = |kind: Kind, place: usize| Series {
        name: String::new(),
        colour: 0,
        kind,
        points: points.iter().map(|(number, shares)| (*number, shares[place])).collect(),
    };
    Chart {
        title: format!("Score of {of} after so many openings, % with its 95 % interval"),
        x: Axis::new("openings, two games each").whole(),
        y: Axis::new("score, %").between(0.0, 100.0),
        series: vec![series(Kind::Edge, 0), series(Kind::Edge, 2), series(Kind::Line, 1)],
        stacked: false,
    }
}
