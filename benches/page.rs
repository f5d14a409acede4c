// SPDX-License-Identifier: MIT OR Apache-2.0
//! How quick the page is in a real Chromium: until it is there, until the simulated core has moved, and how long a frame of a search takes.
//!
//! `cargo bench --bench page` prints the figures; with `-- --picture FILE.png` it makes the picture of README instead.

#[path = "../tests/page/browser.rs"]
#[allow(dead_code)]
mod browser;

use browser::{Browser, Page};
use std::path::Path;
use std::time::Instant;

/// Loads and moves that are timed.
const ROUNDS: usize = 10;
/// Positions with many moves, of which a search of eight levels is long.
const POSITIONS: &str = include_str!("../positions/midgame_120.txt");
/// Clocks that the search that is stepped through has at least.
const LONG: u64 = 15_000;

/// Positions of the frozen set as an address has them.
fn positions() -> impl Iterator<Item = String> {
    let lines = POSITIONS.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join("_"))
}

/// Median and most.
fn told(what: &str, mut milliseconds: Vec<f64>) {
    milliseconds.sort_by(f64::total_cmp);
    let [median, most] = [milliseconds[milliseconds.len() / 2], milliseconds[milliseconds.len() - 1]];
    let late = milliseconds[milliseconds.len() * 99 / 100];
    println!("{what:<58} {median:>8.1} ms, 99 of 100 {late:.1}, at most {most:.1} ({})", milliseconds.len());
}

async fn numbers(browser: &Browser, script: &str) -> Vec<f64> {
    browser.run(script).await.as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect()
}

async fn record(browser: &Browser) {
    browser.press("#tab-core").await;
    browser.run("delete tengen.view.replay").await;
    browser.press("#core-record").await;
    browser.until("return (tengen.view.replay?.passes.length ?? 0) > 0").await;
}

async fn figures() {
    let page = Page::serve(&[]);
    let browser = Browser::open(1300, 950, false).await;
    let mut loads = Vec::new();
    for _ in 0..ROUNDS {
        browser.visit(&page.at("config=gomoku15&you=both&moves=7,7")).await;
        loads.push(
            browser.run("return performance.getEntriesByName('ready')[0].startTime").await.as_f64().unwrap(),
        );
    }
    told("page loaded, position shown", loads);
    let mut moves = Vec::new();
    for (round, position) in positions().take(ROUNDS + 1).enumerate() {
        browser.visit(&page.at(&format!("config=gomoku15&engine=rtl&you=both&moves={position}"))).await;
        let before = browser.moves().await.len();
        let begin = Instant::now();
        browser.press("#go").await;
        browser.until(&format!("return tengen.game.moves.length > {before}")).await;
        // The first one may have compiled the simulation.
        if round > 0 {
            moves.push(begin.elapsed().as_secs_f64() * 1e3);
        }
    }
    told("a move of the simulated gomoku15, from the click", moves);
    for position in positions() {
        browser.visit(&page.at(&format!("config=gomoku15-deep&you=both&moves={position}"))).await;
        record(&browser).await;
        let clocks = browser.run("return tengen.view.replay.recording.cycles").await.as_u64().unwrap();
        if clocks < LONG {
            continue;
        }
        println!("a search of {clocks} clocks, gomoku15-deep, 8 levels:");
        let bytes =
            browser.run("return JSON.stringify(tengen.view.replay.recording).length").await.as_f64().unwrap();
        println!("{:<58} {:>8.1} MB", "  its recording", bytes / 1e6);
        browser
            .run("document.getElementById('core-speed').value = 6000; tengen.view.frames = []; window.seen = []; let before = performance.now(); \
                  const frame = (now) => { window.seen.push(now - before); before = now; if (tengen.view.playing) requestAnimationFrame(frame); }; \
                  document.getElementById('core-play').click(); requestAnimationFrame(frame)")
            .await;
        browser
            .until("return tengen.view.playing === null && tengen.view.clock === tengen.view.replay.last")
            .await;
        told("  drawing a clock while it plays", numbers(&browser, "return tengen.view.frames").await);
        told("  from frame to frame", numbers(&browser, "return window.seen.slice(2)").await);
        browser.run("tengen.view.frames = []; tengen.view.go(5000); for (let step = 0; step < 500; step++) tengen.view.step(1)").await;
        told("  a step of one clock", numbers(&browser, "return tengen.view.frames").await);
        break;
    }
    browser.end().await;
}

async fn picture(file: &Path) {
    let page = Page::serve(&[]);
    let browser = Browser::open(1440, 1250, false).await;
    let position = positions().nth(13).unwrap();
    browser.visit(&page.at(&format!("config=gomoku15&you=both&moves={position}"))).await;
    record(&browser).await;
    // A clock in the middle of it, whose node is one with moves.
    browser
        .run("const { replay } = tengen.view, half = replay.passes.length / 2; \
              tengen.view.toPass(replay.passes.find((pass) => pass.index > half && pass.winners.length > 8 && pass.fresh && pass.kind === 0).index)")
        .await;
    browser.until("return document.getElementById('core-model').textContent.startsWith('6 of 6')").await;
    std::fs::write(file, browser.screenshot().await.unwrap()).unwrap();
    browser.end().await;
}

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    match arguments.iter().position(|argument| argument == "--picture") {
        Some(place) => picture(Path::new(&arguments[place + 1])).await,
        None => figures().await,
    }
}
