// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tengen configs`: the configurations and their parameters.

use crate::configs::{NAMED, load};
use crate::found::Found;
use anyhow::{Context, bail};
use engine_model::Config;
use engine_model::config::MIN_IN_A_ROW;
use engine_model::sample::{self, Most};
use hdl::Layout;
use hdl::document::node_latency;
use lab::recorded::recorded_luts;
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Arguments of `configs`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Only this configuration: a name or a .toml file
    #[arg(long, value_name = "NAME|FILE")]
    config: Option<String>,
    /// Explain every parameter of a configuration file: what it is, what it may be
    #[arg(long, conflicts_with_all = ["config", "json"])]
    explain: bool,
    /// With --explain: as the Markdown page docs/configuration.md
    #[arg(long, requires = "explain")]
    markdown: bool,
    /// Print the JSON schema of a configuration, for editors
    #[arg(long, conflicts_with_all = ["config", "json", "explain"])]
    schema: bool,
    /// Write N legal configurations at random to --out, to test what takes one
    #[arg(long, value_name = "N", requires = "out", conflicts_with_all = ["config", "json", "explain", "schema"])]
    random: Option<u32>,
    /// Folder for them; made if it is not there
    #[arg(long, value_name = "DIR", requires = "random")]
    out: Option<PathBuf>,
    /// Seed of --random
    #[arg(long, value_name = "S", default_value_t = 1, requires = "random")]
    seed: u64,
    /// Columns and rows of --random at most
    #[arg(long, value_name = "N", default_value_t = Most::LEGAL.side, requires = "random")]
    side: usize,
    /// Levels of --random at most
    #[arg(long, value_name = "N", default_value_t = Most::LEGAL.levels, requires = "random")]
    levels: usize,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// `--random`: files `randomNNN.toml`; prints their paths.
fn random(arguments: &Arguments, number: u32, folder: &Path) -> anyhow::Result<Found> {
    let most = Most { side: arguments.side, levels: arguments.levels, ..Most::LEGAL };
    for (option, value, low, high) in
        [("side", most.side, MIN_IN_A_ROW, Most::LEGAL.side), ("levels", most.levels, 1, Most::LEGAL.levels)]
    {
        if !(low..=high).contains(&value) {
            bail!("--{option} {value}: must be {low} to {high}");
        }
    }
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let mut rng = fastrand::Rng::with_seed(arguments.seed);
    let mut out = std::io::stdout().lock();
    for config in sample::many("random", number as usize, most, |range| rng.usize(range)) {
        let file = folder.join(format!("{}.toml", config.name));
        std::fs::write(&file, config.to_toml())
            .with_context(|| format!("cannot write {}", file.display()))?;
        writeln!(out, "{}", file.display())?;
    }
    Ok(Found::Nothing)
}

/// What a parameter without named values may be, by its part of the schema.
fn possible(property: &Value) -> String {
    let range = |of: &Value| match (of["minimum"].as_u64(), of["maximum"].as_u64()) {
        (Some(low), Some(high)) => format!("{low} to {high}"),
        _ => "number".into(),
    };
    match property["type"].as_str() {
        Some("array") => {
            let (low, high) = (&property["minItems"], &property["maxItems"]);
            format!("{low} to {high} numbers, {}", range(&property["items"]))
        }
        Some("integer") => range(property),
        Some("boolean") => "true | false".into(),
        _ => format!("text, at most {} characters", property["maxLength"]),
    }
}

/// Text before the parameters.
const INTRODUCTION: &str = "A configuration file (TOML) gives every parameter that has no default, or begins with base = \"gomoku15\" (the name of a configuration, or of a\n\
    file beside this one) and gives only its own name and the parameters that differ. `tengen configs` lists the named configurations, whose files are in configs/.\n";
/// Text behind them.
const TOGETHER: &str = "The parameters must also fit together: in_a_row is at most the longer side of the board; window_scores has one number for each of 0 to in_a_row - 1\n\
    stones; beam has at most as many numbers as there are levels; rows_per_clock is at most rows; four_three_bonus needs in_a_row of 4 or more.\n";

/// A parameter, by its part of the schema.
struct Parameter<'a> {
    name: &'a str,
    possible: String,
    about: String,
    default: Option<&'a Value>,
    /// Values with names, and what they mean.
    values: Vec<(&'a str, &'a str)>,
}

/// Every parameter by the schema: first those without a default.
fn parameters(schema: &Value) -> Vec<Parameter<'_>> {
    let properties = &schema["properties"];
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let others = properties.as_object().into_iter().flatten().filter(|(_, of)| of.get("default").is_some());
    let parameter = |name| {
        let property = &properties[name];
        let definition =
            property["$ref"].as_str().and_then(|path| schema.pointer(path.trim_start_matches('#')));
        let named = definition.and_then(|definition| definition["oneOf"].as_array()).into_iter().flatten();
        let values: Vec<(&str, &str)> =
            named.filter_map(|one| Some((one["const"].as_str()?, one["description"].as_str()?))).collect();
        let names: Vec<&str> = values.iter().map(|(name, _)| *name).collect();
        Parameter {
            name,
            possible: if names.is_empty() { possible(property) } else { names.join(" | ") },
            about: property["description"].as_str().unwrap_or_default().replace('\n', " "),
            default: property.get("default"),
            values,
        }
    };
    required.chain(others.map(|(name, _)| name.as_str())).map(parameter).collect()
}

/// `--explain`: every parameter.
fn explanation(schema: &Value) -> String {
    let mut text = String::from(INTRODUCTION);
    for Parameter { name, possible, about, default, values } in parameters(schema) {
        let default = default.map_or(String::new(), |value| format!(", {value} if left out"));
        text.push_str(&format!("\n{name}   {possible}{default}\n  {about}\n"));
        for (value, about) in values {
            text.push_str(&format!("    {value:<12} {}\n", about.replace('\n', " ")));
        }
    }
    format!("{text}\n{TOGETHER}")
}

/// `--explain --markdown`: the page docs/configuration.md.
fn page(schema: &Value) -> String {
    let mut text = format!(
        "# Configuration\n\nEvery parameter of a core, for whoever writes a configuration. Written by `UPDATE_EXPECT=1 cargo test --bin tengen` from the schema (`./tengen configs --explain --markdown`; \
         `--schema` prints the JSON schema).\n\n{INTRODUCTION}\n```toml\nbase = \"gomoku15\"      # everything else as there\nname = \"mine\"\nlevels = 3\n\
         contexts = 8\n```\n\n```sh\n./tengen cosim --config mine.toml --moves 20       # against the model\n\
         ./tengen generate --config mine.toml --out build/mine\n```\n\n| parameter | values | meaning |\n|---|---|---|\n"
    );
    let mut tables = String::new();
    for Parameter { name, possible, about, default, values } in parameters(schema) {
        let default = default.map_or(String::new(), |value| format!("; default {value}"));
        let cell = |text: &str| text.replace('|', "or");
        text.push_str(&format!("| `{name}` | {}{default} | {} |\n", cell(&possible), cell(&about)));
        if !values.is_empty() {
            tables.push_str(&format!("\n## `{name}`\n\n| value | meaning |\n|---|---|\n"));
            for (value, about) in values {
                tables.push_str(&format!("| `{value}` | {} |\n", cell(&about.replace('\n', " "))));
            }
        }
    }
    let link = "[docs/search-contract.md](search-contract.md)";
    format!("{text}\n{TOGETHER}{tables}").replace("docs/search-contract.md", link)
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> anyhow::Result<Found> {
    if arguments.explain || arguments.schema {
        let schema = Config::schema();
        let mut out = std::io::stdout().lock();
        match arguments.schema {
            true => writeln!(out, "{schema:#}")?,
            false if arguments.markdown => write!(out, "{}", page(&schema))?,
            false => write!(out, "{}", explanation(&schema))?,
        }
        return Ok(Found::Nothing);
    }
    if let (Some(number), Some(folder)) = (arguments.random, &arguments.out) {
        return random(arguments, number, folder);
    }
    let names: Vec<&str> = match &arguments.config {
        Some(name) => vec![name],
        None => NAMED.iter().map(|(name, _)| *name).collect(),
    };
    let mut objects = Vec::new();
    let mut text = format!(
        "{:<15} {:>7} {:>2} {:>6} {:>9} {:>3} {:>2} {:>10} {:>9} {:>8} {:>5} {:>5} {:>6} {:>7} {:>7}\n",
        "name",
        "board",
        "k",
        "levels",
        "beam",
        "ext",
        "r",
        "rules",
        "leaf",
        "contexts",
        "rows",
        "bound",
        "trace",
        "latency",
        "LUT"
    );
    for name in names {
        let config = load(name)?;
        let layout = Layout::new(&config);
        let (parameters, luts) = (config.parameters(), recorded_luts(&config)?);
        let word = |key: &str| parameters[key].as_str().unwrap_or_default().to_string();
        let beam: Vec<String> =
            config.beam.iter().map(|b| if *b == 0 { "all".into() } else { b.to_string() }).collect();
        text.push_str(&format!(
            "{:<15} {:>7} {:>2} {:>6} {:>9} {:>3} {:>2} {:>10} {:>9} {:>8} {:>5} {:>5} {:>6} {:>7} {:>7}\n",
            config.name,
            format!("{}x{}", config.columns, config.rows),
            config.in_a_row,
            config.levels,
            beam.join(","),
            config.extensions,
            config.candidate_radius,
            word("rules"),
            word("leaf"),
            config.contexts,
            config.rows_per_clock,
            word("bound"),
            if config.trace { "yes" } else { "no" },
            node_latency(&layout),
            luts.map_or_else(|| "-".into(), |luts| luts.to_string()),
        ));
        objects.push(json!({
            "parameters": parameters,
            "windows": layout.geometry.windows.len(),
            "cells": layout.cells,
            "win_score": layout.scoring.win_score,
            "value_bits": layout.value_bits,
            "latency": node_latency(&layout),
            "lut": luts,
        }));
    }
    text.push_str(
        "\nk: stones in a row that win; ext: forced replies that cost no level; r: candidates within so many cells of a stone; contexts: nodes\n\
         under search at a level; rows: of the board, evaluated a clock; latency: clocks from a node's path to its result; LUT: of an\n\
         Artix-7, estimated (`tengen area`), where today's core has been measured. --config NAME --json has every parameter.\n",
    );
    let mut out = std::io::stdout().lock();
    if arguments.json {
        writeln!(out, "{}", json!({ "configs": objects }))?;
    } else {
        write!(out, "{text}")?;
    }
    Ok(Found::Nothing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_of_parameters_is_of_the_schema() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/configuration.md");
        let page = page(&Config::schema());
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(file, &page).unwrap();
        }
        let same = std::fs::read_to_string(file).is_ok_and(|text| text == page);
        assert!(same, "UPDATE_EXPECT=1 cargo test --bin tengen writes docs/configuration.md anew");
        for name in ["columns", "beam", "ahead"] {
            assert!(page.contains(&format!("| `{name}` | ")), "{name}");
        }
    }
}
