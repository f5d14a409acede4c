// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pages that other verbs write, in the same browser: charts drawn, nothing too wide for a phone, nobody shut out.

use crate::browser::Browser;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A page that this command writes.
fn written(folder: &Path, name: &str, arguments: &[&str]) -> PathBuf {
    let file = folder.join(format!("{name}.html"));
    let output = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(arguments)
        .arg("--html")
        .arg(&file)
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    file
}

#[tokio::test]
async fn reports_are_drawn_and_read_everywhere() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("reports");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let out = folder.join("points");
    let place = |name: &str| out.join(name).display().to_string();
    let tictactoe = ["--config", "tictactoe", "--only", "levels", "--levels", "2", "--limit", "1", "--out"];
    let positions = folder.join("positions.txt");
    std::fs::write(&positions, "3,3 3,1 2,5\n2,2 4,4 3,2\n1,1 3,3 2,4 4,2\n").unwrap();
    let measure = ["measure", "--config", "gomoku7", "--levels", "gomoku7", "--no-naive", "--positions"];
    let pages = [
        (written(&folder, "measure", &[&measure[..], &[positions.to_str().unwrap()]].concat()), 3),
        (
            written(
                &folder,
                "match",
                &["match", "gomoku7", "gomoku7@1", "--openings", positions.to_str().unwrap()],
            ),
            2,
        ),
        (written(&folder, "curves", &[&["curves"], &tictactoe[..], &[&place("curves")]].concat()), 2),
        (
            written(
                &folder,
                "explore",
                &["explore", "--merge", "docs/explore/gomoku15/results.jsonl", "--out", &place("joined")],
            ),
            1,
        ),
    ];
    for (width, height, dark) in [(1300, 950, false), (1300, 950, true), (400, 850, false)] {
        let browser = Browser::open(width, height, dark).await;
        for (file, charts) in &pages {
            browser.goto(&format!("file://{}", file.display())).await.unwrap();
            let name = file.file_stem().unwrap().to_string_lossy();
            let described = browser.run("return document.querySelectorAll('[data-chart]').length").await;
            assert_eq!(described, *charts, "{name}");
            browser.until("return document.querySelectorAll('[data-chart] canvas').length === document.querySelectorAll('[data-chart]').length").await;
            let wide = browser.run("return document.documentElement.scrollWidth - innerWidth").await;
            assert!(wide.as_i64().unwrap() <= 0, "{name}, {width} wide: {wide} pixels too wide");
            let found = browser.barriers().await;
            assert!(found.is_empty(), "{name}, {width} wide, dark {dark}: {found:#?}");
            browser.picture(&format!("report-{name}-{width}-{}", if dark { "dark" } else { "light" })).await;
        }
        browser.end().await;
    }
}
