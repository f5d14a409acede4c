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

/// Of each chart its title, the points that it describes, and those that lie in what uPlot draws.
async fn counted(browser: &Browser) -> Vec<(String, u64, u64)> {
    let script = "return [...document.querySelectorAll('[data-chart]')].map((place) => { \
        const { title, series, stacked } = JSON.parse(place.dataset.chart), { chart } = place.drawn, [first, last] = chart.series[0].idxs; \
        const wanted = series.reduce((sum, { points }) => sum + points.length, 0); \
        let drawn = 0; \
        for (let index = first; index <= last; index++) for (const values of chart.data.slice(1)) { \
            const x = chart.data[0][index], y = values[index], { min, max } = chart.scales.y; \
            if (y !== null && y !== undefined && chart.scales.x.min <= x && x <= chart.scales.x.max && (stacked || min <= y && y <= max)) drawn += 1; } \
        return [title, wanted, drawn]; })";
    let counts = browser.run(script).await;
    let of = |chart: &serde_json::Value| {
        (chart[0].as_str().unwrap().into(), chart[1].as_u64().unwrap(), chart[2].as_u64().unwrap())
    };
    counts.as_array().unwrap().iter().map(of).collect()
}

/// Figures of an axis that touch their neighbours.
const TOO_CLOSE: &str = "return [...document.querySelectorAll('[data-chart]')].flatMap((place) => { \
    const { chart } = place.drawn, canvas = document.createElement('canvas').getContext('2d'); canvas.font = '12px system-ui, sans-serif'; \
    return chart.axes.flatMap(({ scale, side, _splits, _values }) => { \
        const named = _splits.map((split, index) => [chart.valToPos(split, scale), `${_values[index] ?? ''}`]).filter(([, text]) => text !== '').sort((a, b) => a[0] - b[0]); \
        const size = (text) => (side % 2 === 0 ? canvas.measureText(text).width + 4 : 12); \
        return named.slice(1).filter(([at, text], index) => at - named[index][0] < (size(text) + size(named[index][1])) / 2).map(([, text]) => `${place.ariaLabel}: ${text}`); }); })";

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
    // Many points share a place, the rightmost one too.
    let crowded = folder.join("crowded.txt");
    let lines: Vec<String> = (0..20)
        .map(|index| {
            format!("3,3 {},{} 2,5{}", index % 7, index / 7, if index < 8 { "" } else { " 6,4 6,5" })
        })
        .collect();
    std::fs::write(&crowded, lines.join("\n")).unwrap();
    let pages = [
        (written(&folder, "crowded", &[&measure[..], &[crowded.to_str().unwrap()]].concat()), 3),
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
    for (width, height, dark) in [(1400, 950, false), (1400, 950, true), (800, 950, false), (400, 850, false)]
    {
        let browser = Browser::open(width, height, dark).await;
        for (file, charts) in &pages {
            browser.goto(&format!("file://{}", file.display())).await.unwrap();
            let name = file.file_stem().unwrap().to_string_lossy();
            let described = browser.run("return document.querySelectorAll('[data-chart]').length").await;
            assert_eq!(described, *charts, "{name}");
            browser.until("return document.querySelectorAll('[data-chart] canvas').length === document.querySelectorAll('[data-chart]').length").await;
            // Every point of every series is within what is drawn.
            for (title, wanted, drawn) in counted(&browser).await {
                assert_eq!(drawn, wanted, "{name}, {width} wide: {title}");
            }
            let close = browser.run(TOO_CLOSE).await;
            assert_eq!(
                close,
                serde_json::json!([]),
                "{name}, {width} wide: figures of an axis on each other"
            );
            if width == 1400 {
                let hidden = browser.run("return [...document.querySelectorAll('.table')].filter((table) => table.scrollWidth > table.clientWidth).map((table) => table.ariaLabel)").await;
                assert_eq!(hidden, serde_json::json!([]), "{name}: columns out of sight");
            }
            let wide = browser.run("return document.documentElement.scrollWidth - innerWidth").await;
            assert!(wide.as_i64().unwrap() <= 0, "{name}, {width} wide: {wide} pixels too wide");
            let found = browser.barriers().await;
            assert!(found.is_empty(), "{name}, {width} wide, dark {dark}: {found:#?}");
            browser.picture(&format!("report-{name}-{width}-{}", if dark { "dark" } else { "light" })).await;
        }
        browser.end().await;
    }
}
