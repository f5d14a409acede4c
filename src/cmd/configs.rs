// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tengen configs`: the configurations and their parameters.

use crate::Found;
use crate::configs::{NAMED, load};
use hdl::Layout;
use hdl::circuits::evaluator;
use serde_json::json;
use std::io::Write;

/// Arguments of `configs`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Only this configuration: a name or a .toml file
    #[arg(long, value_name = "NAME|FILE")]
    config: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> anyhow::Result<Found> {
    let names: Vec<&str> = match &arguments.config {
        Some(name) => vec![name],
        None => NAMED.iter().map(|(name, _)| *name).collect(),
    };
    let mut objects = Vec::new();
    let mut text = format!(
        "{:<15} {:>7} {:>2} {:>6} {:>10} {:>4} {:>3} {:>10} {:>9} {:>7} {:>5} {:>7}\n",
        "name", "board", "k", "levels", "beam", "ext", "r", "rules", "leaf", "window", "value", "latency"
    );
    for name in names {
        let config = load(name)?;
        let layout = Layout::new(&config);
        let parameters = serde_json::to_value(&config)?;
        let word = |key: &str| parameters[key].as_str().unwrap_or_default().to_string();
        let beam: Vec<String> =
            config.beam.iter().map(|b| if *b == 0 { "all".into() } else { b.to_string() }).collect();
        text.push_str(&format!(
            "{:<15} {:>7} {:>2} {:>6} {:>10} {:>4} {:>3} {:>10} {:>9} {:>7} {:>5} {:>7}\n",
            config.name,
            format!("{}x{}", config.columns, config.rows),
            config.in_a_row,
            config.levels,
            beam.join(","),
            config.extensions,
            config.candidate_radius,
            word("rules"),
            word("leaf"),
            layout.geometry.windows.len(),
            layout.value_bits,
            evaluator::latency(&layout) + 1,
        ));
        objects.push(json!({
            "parameters": parameters,
            "windows": layout.geometry.windows.len(),
            "cells": layout.cells,
            "win_score": layout.scoring.win_score,
            "value_bits": layout.value_bits,
            "latency": evaluator::latency(&layout) + 1,
        }));
    }
    text.push_str(
        "\nwindow: windows on the board; value: bits of a value; latency: clocks from a node's path to its result.\n",
    );
    let mut out = std::io::stdout().lock();
    if arguments.json {
        writeln!(out, "{}", json!({ "configs": objects }))?;
    } else {
        write!(out, "{text}")?;
    }
    Ok(Found::Nothing)
}
