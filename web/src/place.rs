// SPDX-License-Identifier: MIT OR Apache-2.0
//! Positions that the page names, checked, and what is to be seen of them.

use crate::backends::Backends;
use crate::message::{At, Form};
use arena::games::GameError;
use arena::{games, psq, sgf};
use engine_model::notation::{format_game, parse_game, quoted};
use engine_model::position::Tables;
use engine_model::{Cell, Config, Position};
use serde_json::{Value, json};
use std::sync::Arc;

/// A position of one of the configurations.
pub struct Place {
    /// Its configuration.
    pub config: Config,
    /// Tables of that.
    pub tables: Arc<Tables>,
    /// The position.
    pub position: Position,
}

/// The configuration of this name.
pub fn config<'a>(backends: &'a dyn Backends, name: &str) -> Result<&'a Config, String> {
    let configs = backends.configs();
    configs.iter().find(|config| config.name == name).ok_or_else(|| {
        let names: Vec<&str> = configs.iter().map(|config| config.name.as_str()).collect();
        let name = quoted(name);
        format!("no configuration {name:?} here: there are {}", names.join(", "))
    })
}

impl Place {
    /// The position of a message.
    pub fn of(backends: &dyn Backends, at: &At) -> Result<Place, String> {
        let config = config(backends, &at.config)?.clone();
        let tables = Tables::new(&config);
        let moves = parse_game(&at.moves, 1, &tables.geometry).map_err(|e| e.to_string())?;
        let position = Position::from_moves(&tables, &moves).map_err(|error| error.to_string())?;
        Ok(Place { config, tables, position })
    }

    /// Its moves.
    pub fn moves(&self) -> &[Cell] {
        self.position.moves()
    }

    /// A cell as the page writes it.
    pub fn cell(&self, cell: Cell) -> String {
        self.tables.geometry.point(cell).to_string()
    }

    fn cells(&self, of: impl Fn(Cell) -> bool) -> Vec<String> {
        let cells = 0..self.tables.geometry.cells() as Cell;
        cells.filter(|&cell| of(cell)).map(|cell| self.cell(cell)).collect()
    }

    /// What is to be seen of it: for the side to move and the other one the cells that complete a line and those that make two threats
    /// at once.
    pub fn seen(&self) -> Value {
        let position = &self.position;
        let winner = position.winner();
        let line = winner.map_or_else(Vec::new, |side| {
            let complete = |cells: &[Cell]| cells.iter().all(|&cell| position.owner(cell) == Some(side));
            let windows = self.tables.geometry.windows.iter().filter(|window| complete(&window.cells));
            let cells: Vec<Cell> = windows.flat_map(|window| window.cells.iter().copied()).collect();
            self.cells(|cell| cells.contains(&cell))
        });
        let threats: Vec<Value> = [position.side_to_move(), 1 - position.side_to_move()]
            .into_iter()
            .map(|side| {
                let open = !position.is_over();
                json!({
                    "completing": self.cells(|cell| open && position.is_empty(cell) && position.completes(side, cell)),
                    "double": self.cells(|cell| open && position.is_empty(cell) && position.is_double(side, cell)),
                })
            })
            .collect();
        json!({
            "moves": format_game(self.moves(), &self.tables.geometry), "to_move": position.side_to_move(),
            "over": position.is_over(), "winner": winner, "line": line,
            "own": threats[0], "other": threats[1],
        })
    }

    /// The game as a file's text, with the ending of such a file.
    pub fn written(&self, form: Form, players: &[String; 2]) -> (&'static str, String) {
        let geometry = &self.tables.geometry;
        let names = [players[0].as_str(), players[1].as_str()];
        match form {
            Form::Sgf => ("sgf", sgf::moves(self.moves(), geometry, names)),
            Form::Psq => ("psq", psq::moves(self.moves(), geometry, names)),
            Form::Text => ("txt", format_game(self.moves(), geometry) + "\n"),
        }
    }
}

/// The first game of a text, of any form.
pub fn imported(backends: &dyn Backends, name: &str, text: &str) -> Result<Value, String> {
    let tables = Tables::new(config(backends, name)?);
    let found = games::parse(text, &tables.geometry).map_err(|error| match error {
        GameError::OtherBoard { columns, rows, .. } => {
            format!("the game is of a board of {columns} x {rows}: choose a game of that board first")
        }
        error => error.to_string(),
    })?;
    let Some(first) = found.first() else {
        return Err("this text holds no game: SGF, PSQ, or moves like h8 i9".into());
    };
    Position::from_moves(&tables, first).map_err(|error| format!("the game cannot be played: {error}"))?;
    Ok(json!({ "moves": format_game(first, &tables.geometry), "games": found.len() }))
}
