// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the manager allows, and how long a move may take of it.

use std::time::Duration;

/// Rules other than freestyle, by their bits in INFO rule: the engines play none of them.
const RULES: [(u64, &str); 4] = [(1, "exactly five"), (2, "continuous game"), (4, "renju"), (8, "caro")];
/// What a manager may lose between the end of a search and the arrival of the move.
const MARGIN: Duration = Duration::from_millis(20);
/// Moves for which the time of a match has to last.
const MOVES_TO_GO: u32 = 20;

/// What is kept back of the time for a move because searches have lately taken longer than they were given: on a busy machine whoever
/// stops a search, or the search itself, may have to wait for a processor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reserve {
    overrun: Duration,
}

impl Reserve {
    /// What is left of a time: at least a quarter of it.
    pub fn within(self, budget: Duration) -> Duration {
        budget.saturating_sub(self.overrun).max(budget / 4)
    }

    /// A search that was given a time has taken another. A longer overrun counts at once, with half as much again; it fades within
    /// some dozen moves.
    pub fn learn(&mut self, given: Duration, taken: Duration) {
        let overrun = taken.saturating_sub(given) * 3 / 2;
        self.overrun = overrun.max(self.overrun * 15 / 16);
    }
}

/// Limits as the manager gave them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// For a move; `Some(0)`: as fast as possible, `None`: nothing said.
    turn: Option<Duration>,
    /// For a whole match; none: no limit.
    in_match: Option<Duration>,
    /// Left of it; none: not told.
    left: Option<Duration>,
    /// Most levels of a search; none: no limit.
    pub depth: Option<usize>,
    /// Most nodes of a move's searches; none: no limit.
    pub nodes: Option<u64>,
    /// Bytes that the brain needs.
    needs: u64,
    /// Limits that cannot be met, by key: told at the next command.
    unmet: Vec<(String, String)>,
}

impl Limits {
    /// No limits yet, for a brain that needs so many bytes.
    pub fn new(needs: u64) -> Limits {
        Limits { needs, ..Limits::default() }
    }

    /// Takes an INFO. Unknown keys are ignored, as the protocol asks.
    pub fn info(&mut self, key: &str, value: &str) {
        self.unmet.retain(|(other, _)| other != key);
        let number = || value.parse::<i64>();
        let complaint = match (key, number()) {
            (
                "timeout_turn" | "timeout_match" | "time_left" | "max_memory" | "max_depth" | "max_node"
                | "rule" | "game_type",
                Err(_),
            ) => Some(format!("{key} is not a number")),
            ("timeout_turn", Ok(ms)) => {
                self.turn = Some(milliseconds(ms));
                None
            }
            ("timeout_match", Ok(ms)) => {
                self.in_match = (ms > 0).then(|| milliseconds(ms));
                None
            }
            ("time_left", Ok(ms)) => {
                self.left = Some(milliseconds(ms));
                None
            }
            // Yixin's; 0 and below: no limit.
            ("max_depth", Ok(depth)) => {
                self.depth = usize::try_from(depth).ok().filter(|depth| *depth > 0);
                None
            }
            ("max_node", Ok(nodes)) => {
                self.nodes = u64::try_from(nodes).ok().filter(|nodes| *nodes > 0);
                None
            }
            ("max_memory", Ok(bytes)) if bytes > 0 && (bytes as u64) < self.needs => {
                Some(format!("max_memory {bytes}: this brain needs {} bytes", self.needs))
            }
            ("rule", Ok(bits)) if bits != 0 => {
                let names: Vec<&str> =
                    RULES.iter().filter(|(bit, _)| bits as u64 & bit != 0).map(|(_, name)| *name).collect();
                Some(format!("rule {bits} ({}): this brain plays freestyle only, rule 0", names.join(", ")))
            }
            _ => None,
        };
        if let Some(complaint) = complaint {
            self.unmet.push((key.into(), complaint));
        }
    }

    /// A limit that cannot be met.
    pub fn complaint(&self) -> Option<&str> {
        self.unmet.first().map(|(_, text)| text.as_str())
    }

    /// Time for the next move; none: as long as it takes.
    pub fn budget(&self) -> Option<Duration> {
        // Without a limit of the match the time left is a large number, or not told.
        let of_match = match (self.left, self.in_match) {
            (Some(left), Some(_)) => Some(left / MOVES_TO_GO),
            (None, Some(all)) => Some(all / (2 * MOVES_TO_GO)),
            (_, None) => None,
        };
        let budget = match (self.turn, of_match) {
            (Some(turn), Some(of_match)) => turn.min(of_match),
            (turn, of_match) => turn.or(of_match)?,
        };
        Some(budget.saturating_sub(MARGIN))
    }
}

fn milliseconds(ms: i64) -> Duration {
    Duration::from_millis(u64::try_from(ms).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(lines: &[(&str, &str)]) -> Limits {
        let mut limits = Limits::new(1 << 20);
        lines.iter().for_each(|(key, value)| limits.info(key, value));
        limits
    }

    #[test]
    fn a_move_gets_its_share_of_the_time() {
        let budget = |lines: &[(&str, &str)]| limits(lines).budget().map(|time| time.as_millis());
        assert_eq!(budget(&[]), None);
        assert_eq!(budget(&[("timeout_turn", "0")]), Some(0));
        assert_eq!(budget(&[("timeout_turn", "1000")]), Some(980));
        assert_eq!(budget(&[("timeout_turn", "1000"), ("time_left", "2147483647")]), Some(980));
        let short = [("timeout_turn", "5000"), ("timeout_match", "60000"), ("time_left", "20000")];
        assert_eq!(budget(&short), Some(980));
        assert_eq!(budget(&[("timeout_match", "40000")]), Some(980));
        assert_eq!(budget(&[("timeout_turn", "5000"), ("timeout_match", "1"), ("time_left", "-5")]), Some(0));
    }

    #[test]
    fn a_reserve_follows_the_longest_overrun_and_fades() {
        let ms = Duration::from_millis;
        let mut reserve = Reserve::default();
        assert_eq!(reserve.within(ms(80)), ms(80));
        reserve.learn(ms(80), ms(100));
        assert_eq!(reserve.within(ms(80)), ms(50));
        reserve.learn(ms(50), ms(52));
        assert!(reserve.within(ms(80)) > ms(50) && reserve.within(ms(80)) < ms(53));
        reserve.learn(ms(50), ms(400));
        assert_eq!(reserve.within(ms(80)), ms(20), "something is left");
        (0..200).for_each(|_| reserve.learn(ms(80), ms(80)));
        assert_eq!(reserve.within(ms(80)).as_millis(), 79);
    }

    #[test]
    fn what_cannot_be_met_is_told_until_it_is_taken_back() {
        for (key, value, part) in [
            ("rule", "5", "rule 5 (exactly five, renju): this brain plays freestyle only"),
            ("max_memory", "1000", "max_memory 1000: this brain needs"),
            ("timeout_turn", "soon", "timeout_turn is not a number"),
        ] {
            let mut limits = limits(&[(key, value), ("evaluate", "1,2"), ("nonsense", "?")]);
            assert!(limits.complaint().unwrap().starts_with(part), "{:?}", limits.complaint());
            limits.info(key, "0");
            assert_eq!(limits.complaint(), None);
        }
    }
}
