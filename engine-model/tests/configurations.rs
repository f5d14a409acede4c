// SPDX-License-Identifier: MIT OR Apache-2.0
//! Impossible configurations are refused with the nearest possible value; the schema says what a configuration may be.
#![allow(missing_docs)]

mod common;
use common::named;
use engine_model::{Config, ConfigError};

/// A field of a configuration, set by name.
fn set(config: &mut Config, field: &str, value: usize) {
    match field {
        "columns" => config.columns = value,
        "rows" => config.rows = value,
        "in_a_row" => config.in_a_row = value,
        "levels" => config.levels = value,
        "extensions" => config.extensions = value,
        "candidate_radius" => config.candidate_radius = value,
        "contexts" => config.contexts = value,
        "rows_per_clock" => config.rows_per_clock = value,
        "clock_mhz" => config.clock_mhz = value as u32,
        "four_three_bonus" => config.four_three_bonus = value as u32,
        "beam" => config.beam = vec![value],
        "window_scores" => *config.window_scores.last_mut().unwrap() = value as u32,
        _ => panic!("{field}"),
    }
}

#[test]
fn impossible_values_are_refused_with_the_nearest_possible_one() {
    let cases: [(&str, &[usize]); 12] = [
        ("columns", &[0, 21, 22, 100, 1_000_000]),
        ("rows", &[0, 21, 30, 255, 256]),
        ("in_a_row", &[0, 1, 2, 16, 99]),
        ("levels", &[0, 11, 12, 64]),
        ("extensions", &[9, 10, 100]),
        ("candidate_radius", &[0, 3, 15]),
        ("contexts", &[0, 65, 128, 1000]),
        ("rows_per_clock", &[0, 16, 17, 225]),
        ("clock_mhz", &[0, 1001, 5000]),
        ("four_three_bonus", &[4096, 5000, 65536]),
        ("beam", &[226, 400, 1000]),
        ("window_scores", &[6554, 10_000, 65536]),
    ];
    let mut refused = 0;
    for name in ["gomoku15", "gomoku15-deep"] {
        for (field, values) in cases {
            for &value in values {
                let mut config = named(name);
                set(&mut config, field, value);
                let error = config.check().unwrap_err();
                let told = error.to_string();
                let ConfigError::Range { field: named, value: found, .. } = error else {
                    panic!("{field} = {value}: {told}");
                };
                assert_eq!((named, found), (field, value));
                // It says what to write, and that is possible, or the next error speaks of another field.
                let nearest: usize = told.rsplit(' ').next().unwrap().parse().unwrap();
                set(&mut config, field, nearest);
                let then = config.check();
                let other = !matches!(&then, Err(ConfigError::Range { field: again, .. }) if *again == field);
                assert!(other, "{told}: {then:?}");
                refused += 1;
            }
        }
    }
    assert!(refused >= 50, "{refused}");
}

#[test]
fn a_board_without_room_for_a_row_is_refused() {
    for (columns, rows) in [(1, 1), (2, 2), (1, 2)] {
        let config = Config { columns, rows, ..named("tictactoe") };
        let told = config.check().unwrap_err().to_string();
        assert!(told.contains("must be 3 to 20; the nearest is 3"), "{told}");
    }
}

#[test]
fn the_schema_has_every_parameter_and_the_named_configurations_keep_it() {
    let schema = Config::schema();
    let properties = schema["properties"].as_object().unwrap();
    for name in ["gomoku15", "gomoku15-deep", "gomoku7", "tictactoe"] {
        let config = serde_json::to_value(named(name)).unwrap();
        let config = config.as_object().unwrap();
        // A parameter that has a value of its own may be left out, and is.
        let left_out = |key: &str| properties[key].get("default").is_some();
        let written = properties.keys().filter(|key| config.contains_key(*key) || !left_out(key));
        assert!(config.keys().eq(written), "{:?}", properties.keys());
        let with_defaults = config.keys().filter(|key| left_out(key)).count();
        assert_eq!(schema["required"].as_array().unwrap().len() + with_defaults, config.len());
        for (key, value) in config {
            let property = &properties[key];
            let within = |of: &serde_json::Value, value: &serde_json::Value| {
                let number = value.as_u64().unwrap();
                of["minimum"].as_u64().is_none_or(|low| low <= number)
                    && of["maximum"].as_u64().is_none_or(|high| number <= high)
            };
            let fits = match value {
                serde_json::Value::Number(_) => within(property, value),
                serde_json::Value::Array(list) => {
                    let items = list.len() as u64;
                    property["minItems"].as_u64().unwrap() <= items
                        && items <= property["maxItems"].as_u64().unwrap()
                        && list.iter().all(|value| within(&property["items"], value))
                }
                _ => true,
            };
            assert!(fits, "{name}: {key} = {value} against {property}");
        }
    }
    assert_eq!(properties["columns"]["maximum"], engine_model::config::MAX_SIDE);
}
