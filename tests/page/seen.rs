// SPDX-License-Identifier: MIT OR Apache-2.0
//! The page in a real browser.

use crate::browser::{Browser, Page};
use engine_model::named::named;
use engine_model::notation::{format_game, parse_game};
use engine_model::{Engine, ModelEngine};
use fantoccini::Locator;
use fantoccini::key::Key;
use serde_json::Value;
use std::path::PathBuf;

/// A cell that wins, that must be taken, or the first empty one: what somebody plays who can count to three.
const CELL: &str = "const { position, moves, config } = tengen.game; \
    const [win] = position.own.completing, [must] = position.other.completing; if (win ?? must) return win ?? must; \
    for (let y = 0; y < config.rows; y++) for (let x = 0; x < config.columns; x++) if (!moves.includes(`${x},${y}`)) return `${x},${y}`; return null";

/// A whole game by the mouse; every move of the engine is the model's.
async fn plays_a_whole_game(engine: &str, config: &str, you: usize) {
    let page = Page::serve(&[]);
    let browser = Browser::open(1300, 950, false).await;
    browser.visit(&page.at(&format!("config={config}&engine={engine}&you={you}"))).await;
    loop {
        browser
            .until(&format!(
                "const game = tengen.game; return game.running === null && game.position !== null && game.position.moves === game.moves.join(' ') && \
                 (game.position.over || game.moves.length % 2 === {you})"
            ))
            .await;
        if browser.run("return tengen.game.position.over").await == Value::Bool(true) {
            break;
        }
        let before = browser.moves().await.len();
        let cell = browser.run(CELL).await;
        browser.play(cell.as_str().unwrap()).await;
        browser.until(&format!("return tengen.game.moves.length > {before}")).await;
    }
    let state = browser.find(Locator::Css("#state")).await.unwrap().text().await.unwrap();
    assert!(state.contains("wins") || state.contains("draw"), "{state}");
    let config = named(config).unwrap();
    let geometry = config.geometry();
    let moves = parse_game(&browser.moves().await.join(" "), 1, &geometry).unwrap();
    assert!(moves.len() >= 5, "{moves:?}");
    let mut model = ModelEngine::new(&config);
    for ply in (1 - you..moves.len()).step_by(2) {
        model.set_position(&moves[..ply]).unwrap();
        let wanted = model.search(None).unwrap().cell;
        assert_eq!(Some(moves[ply]), wanted, "{}", format_game(&moves[..ply], &geometry));
    }
    browser.end().await;
}

#[tokio::test]
async fn a_whole_game_against_the_model() {
    plays_a_whole_game("model", "gomoku7", 0).await;
}

#[tokio::test]
async fn a_whole_game_against_the_simulated_core() {
    plays_a_whole_game("rtl", "tictactoe", 1).await;
}

#[tokio::test]
async fn an_analysis_shows_what_solve_tells() {
    let page = Page::serve(&[]);
    let browser = Browser::open(1300, 950, false).await;
    browser.visit(&page.at("config=gomoku15&engine=model&you=both&moves=7,7_8,8_9,7_8,7_8,6")).await;
    browser.press("#tab-analysis").await;
    browser.press("#analyse").await;
    browser.until("return document.querySelectorAll('#board .score-back').length === 5").await;
    let told = std::process::Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(["solve", "--json", "--config", "gomoku15", "7,7 8,8 9,7 8,7 8,6"])
        .output()
        .unwrap();
    let told: Value = serde_json::from_slice(&told.stdout).unwrap();
    let best = browser.run("return [...document.querySelectorAll('[aria-label=\"Best moves\"] tbody tr')].map((row) => row.children[1].textContent).map((square) => `${square.charCodeAt(0) - 97},${tengen.game.config.rows - Number(square.slice(1))}`)").await;
    let wanted: Vec<&Value> = told["moves"].as_array().unwrap().iter().map(|found| &found["move"]).collect();
    assert_eq!(best.as_array().unwrap().iter().collect::<Vec<_>>(), wanted);
    let line =
        browser.run("return document.getElementById('line').textContent.split(/\\s+/).map((square) => `${square.charCodeAt(0) - 97},${tengen.game.config.rows - Number(square.slice(1))}`).join(' ')").await;
    assert_eq!(line, told["line"]);
    let bar = browser.run("return document.getElementById('bar').getAttribute('aria-label')").await;
    assert!(bar.as_str().unwrap().starts_with("Evaluation: black has "), "{bar}");
    browser.press("#graph").await;
    browser.until("return document.querySelectorAll('#analysis .uplot').length === 1 && document.getElementById('graph').textContent === 'Graph of the game'").await;
    browser.picture("analysis").await;
    browser.end().await;
}

#[tokio::test]
async fn a_search_is_stepped_through_and_every_node_is_the_models() {
    let page = Page::serve(&["--config", "gomoku7"]);
    let browser = Browser::open(1300, 1500, false).await;
    browser.visit(&page.at("config=gomoku7&you=both&moves=3,3_3,1_2,5")).await;
    browser.press("#tab-core").await;
    browser.press("#core-record").await;
    browser.until("return (tengen.view.replay?.passes.length ?? 0) > 0").await;
    let passes = browser.run("return tengen.view.replay.passes.length").await.as_u64().unwrap();
    // Passes that asked for order, or whose node had been left, have no evaluation of their own.
    let comparable = browser.run("return tengen.view.replay.passes.filter((pass) => pass.kind === 0 && pass.fresh).map((pass) => pass.index)").await;
    let comparable: Vec<u64> =
        comparable.as_array().unwrap().iter().map(|index| index.as_u64().unwrap()).collect();
    assert!(passes > 50 && comparable.len() > 30, "{passes} {}", comparable.len());
    for index in comparable.iter().step_by(comparable.len() / 12) {
        browser.run(&format!("document.getElementById('core-node').value = {}", index + 1)).await;
        browser.press("#core-go").await;
        browser.until("return document.getElementById('core-model').textContent.startsWith('6 of 6 fields are the model')").await;
        assert_eq!(browser.run("return tengen.view.selected").await, *index);
    }
    // Contexts that hold a node, with its path and window.
    let fullest = "const { replay } = tengen.view, held = (clock) => replay.core.contexts_of_levels.reduce((sum, _, level) => sum + replay.held(level + 1, clock).length, 0); \
        let most = 0; for (let clock = 0; clock <= replay.last; clock++) if (held(clock) > held(most)) most = clock; tengen.view.go(most)";
    browser.run(&format!("document.getElementById('core-windows').open = true; {fullest}")).await;
    browser
        .until("return document.querySelectorAll('#core-windows tbody tr:not([hidden])').length > 1")
        .await;
    let held = browser.run("return [...document.querySelectorAll('.levels tbody tr')].reduce((sum, row) => sum + parseInt(row.children[1].textContent), 0)").await;
    let shown =
        browser.run("return document.querySelectorAll('#core-windows tbody tr:not([hidden])').length").await;
    assert_eq!(held, shown);
    // Whoever asks for a pass holds the node above it.
    let strange = "const { replay } = tengen.view; return replay.passes.filter((pass) => pass.kind === 0 && pass.level > 1 && pass.fresh) \
        .filter((pass) => replay.nodeOf(pass.context, pass.issued).some((cell, index) => pass.path[index] !== cell)).length";
    assert_eq!(browser.run(strange).await, 0);
    // A clock on, a node back, the slider, playing to the end.
    let clock = browser.run("return tengen.view.clock").await.as_u64().unwrap();
    browser.press("#core-back").await;
    assert_eq!(browser.run("return tengen.view.clock").await, clock - 1);
    browser.press("#core-start").await;
    browser.press("#core-node-on").await;
    assert_eq!(browser.run("return tengen.view.selected").await, 0);
    browser.run("document.getElementById('core-speed').value = 6000").await;
    browser.press("#core-play").await;
    browser
        .until("return tengen.view.clock === tengen.view.replay.last && tengen.view.playing === null")
        .await;
    // By the end every node of the tree has come out, and the counts of the plies are those of the core's own counters.
    let counts = browser.run("return tengen.view.replay.plies.map((_, ply) => tengen.view.replay.nodesAt(ply, tengen.view.clock)).slice(1)").await;
    browser.press("#tab-measure").await;
    browser.press("#measure-go").await;
    browser.until("return document.querySelectorAll('#measure-result table').length === 4").await;
    let rows = "return [...document.querySelectorAll('[aria-label=\"Nodes by ply\"] tbody tr')].slice(-tengen.view.replay.depth).map((row) => Number(row.children[1].textContent.replaceAll(',', '')))";
    assert_eq!(browser.run(rows).await, counts);
    browser.picture("measure").await;
    browser.press("#tab-core").await;
    browser.picture("core").await;
    browser.end().await;
}

#[tokio::test]
async fn a_saved_search_is_a_page_of_its_own() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("saved");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let page = Page::serve(&[]);
    let browser = Browser::open(1300, 1500, false).await;
    browser.visit(&page.at("config=tictactoe&you=both&moves=0,0_1,1")).await;
    browser.press("#tab-core").await;
    browser.press("#core-record").await;
    browser.until("return (tengen.view.replay?.passes.length ?? 0) > 0").await;
    // What would be saved as a file.
    browser.run("tengen.save = (name, text) => { window.saved = text; }").await;
    browser.press("#core-save").await;
    browser.until("return typeof window.saved === 'string'").await;
    let text = browser.run("return window.saved").await;
    let decided = browser.run("return document.getElementById('core-summary').textContent").await;
    let file = folder.join("search.html");
    std::fs::write(&file, text.as_str().unwrap()).unwrap();
    // The page opens it again, whatever it showed before.
    browser.visit(&page.at("config=gomoku7&you=0")).await;
    browser.press("#tab-core").await;
    browser.find(Locator::Css("#core-file")).await.unwrap().send_keys(file.to_str().unwrap()).await.unwrap();
    browser.until("return tengen.view.replay !== undefined && tengen.game.at.moves === '0,0 1,1' && tengen.game.at.config === 'tictactoe'").await;
    // What is no search is told.
    let other = folder.join("other.json");
    std::fs::write(&other, "{\"format\": \"something\"}").unwrap();
    browser.find(Locator::Css("#core-file")).await.unwrap().send_keys(other.to_str().unwrap()).await.unwrap();
    browser.until("return document.getElementById('core-told').textContent.startsWith('other.json cannot be opened')").await;
    // Without a server it is a page of its own.
    drop(page);
    browser.goto(&format!("file://{}", file.display())).await.unwrap();
    browser.until("return tengen.view.replay !== undefined").await;
    assert_eq!(browser.run("return document.getElementById('core-summary').textContent").await, decided);
    browser.press("#core-end").await;
    browser.until("return document.querySelectorAll('.stone').length === 2 && tengen.view.clock === tengen.view.replay.last").await;
    browser.picture("saved").await;
    // Saved from there, it is the same page.
    browser.run("tengen.save = (name, text) => { window.saved = text; }").await;
    browser.press("#core-save").await;
    browser.until("return typeof window.saved === 'string'").await;
    assert!(browser.run("return window.saved").await == text, "saved again it is another page");
    browser.end().await;
}

#[tokio::test]
async fn a_screen_reader_hears_each_of_the_engines_moves_once() {
    let page = Page::serve(&[]);
    let browser = Browser::open(1300, 950, false).await;
    browser.visit(&page.at("config=tictactoe&you=0&moves=")).await;
    browser.until("return document.getElementById('state').textContent !== ''").await;
    // Every change of the text is something that is read out.
    browser
        .run(
            "window.heard = []; new MutationObserver(() => heard.push(document.getElementById('state').textContent))\
             .observe(document.getElementById('state'), { childList: true, characterData: true, subtree: true })",
        )
        .await;
    for (cell, moves) in [("1,1", 2), ("0,1", 4)] {
        browser.play(cell).await;
        browser
            .until(&format!(
                "return tengen.game.moves.length === {moves} && document.getElementById('state').textContent.includes(\
                 `White played ${{tengen.game.square(tengen.game.moves[{moves} - 1])}}`)"
            ))
            .await;
    }
    let told = browser.run("return heard.filter(text => text.includes('White played')).length").await;
    assert_eq!(told, 2, "{}", browser.run("return JSON.stringify(heard)").await);
    browser.end().await;
}

#[tokio::test]
async fn what_a_rule_decides_has_no_search_to_show() {
    let page = Page::serve(&[]);
    let browser = Browser::open(1300, 950, false).await;
    // A line to complete; then the finished game.
    browser.visit(&page.at("config=tictactoe&you=both&moves=0,0_1,1_0,1_2,2")).await;
    browser.press("#tab-core").await;
    browser.press("#core-record").await;
    browser
        .until("return document.getElementById('core-summary')?.textContent.includes('decides a1') ?? false")
        .await;
    for button in ["#core-on", "#core-node-on", "#core-end", "#core-start", "#core-node-back", "#core-play"] {
        browser.press(button).await;
    }
    browser.press("#tab-play").await;
    browser.play("0,2").await;
    browser.until("return document.getElementById('state').textContent === 'Black wins.'").await;
    assert_eq!(browser.run("return document.querySelectorAll('#board .win').length").await, 3);
    browser.press("#tab-core").await;
    browser.press("#core-record").await;
    browser
        .until(
            "return document.getElementById('core-told').textContent.includes('there is nothing to search')",
        )
        .await;
    browser.press("#tab-analysis").await;
    browser.press("#analyse").await;
    browser.until("return document.querySelector('#analysis .faint').textContent === 'Nothing is left to decide here.'").await;
    browser.end().await;
}

#[tokio::test]
async fn a_node_is_found_in_a_waveform() {
    let page = Page::serve(&[]);
    let browser = Browser::open(1300, 950, false).await;
    browser.visit(&page.at("config=gomoku7&you=both&moves=3,3_3,1_2,5")).await;
    browser.press("#tab-core").await;
    browser.press("#core-record").await;
    browser.until("return (tengen.view.replay?.passes.length ?? 0) > 0").await;
    browser.run("tengen.view.toPass(20)").await;
    let cycle = browser.run("return tengen.view.replay.recording.begin + tengen.view.clock").await;
    browser.press("#core-wave").await;
    browser.until("return document.querySelectorAll('#core-waves a').length > 3").await;
    let told = browser.run("return document.getElementById('core-waves').textContent").await;
    assert!(told.as_str().unwrap().starts_with(&format!("cycle {cycle}, ")), "{told}");
    // The waveform is one, and the viewers' files look at the clock (10 ns each at this configuration's 100 MHz).
    let script = "const done = arguments[arguments.length - 1]; (async () => { const texts = {}; for (const link of document.querySelectorAll('#core-waves a')) \
        texts[link.download] = await (await fetch(link.href)).text(); return texts; })().then(done)";
    let files = browser.execute_async(script, Vec::new()).await.unwrap();
    let text = |name: &str| files[name].as_str().unwrap_or_else(|| panic!("no {name}: {told}")).to_string();
    assert!(text("search.fst").len() > 1000);
    assert!(
        text("search.sucl").contains(&format!("cursor_set {}", cycle.as_u64().unwrap() * 10_000)),
        "{}",
        text("search.sucl")
    );
    assert!(text("search.gtkw").contains("[dumpfile] \"search.fst\""));
    browser.end().await;
}

#[tokio::test]
async fn reload_and_back_keep_the_game_and_tabs_have_their_own() {
    let page = Page::serve(&[]);
    let browser = Browser::open(1300, 950, false).await;
    browser.visit(&page.at("config=gomoku15&engine=fast&you=0")).await;
    for (cell, length) in [("7,7", 2), ("5,5", 4)] {
        browser.play(cell).await;
        browser.until(&format!("return tengen.game.moves.length === {length} && tengen.game.position.moves === tengen.game.moves.join(' ')")).await;
    }
    let moves = browser.moves().await;
    browser.refresh().await.unwrap();
    browser.until("return document.body.dataset.ready === 'yes' && tengen.game.position !== null").await;
    assert_eq!(browser.moves().await, moves);
    browser.back().await.unwrap();
    browser.until("return tengen.game.moves.length === 2 && tengen.game.position.moves === tengen.game.moves.join(' ')").await;
    assert_eq!(browser.moves().await, moves[..2]);
    browser.forward().await.unwrap();
    browser.until("return tengen.game.moves.length === 4").await;
    // Another tab has another game.
    let first = browser.window().await.unwrap();
    let second = browser.new_window(true).await.unwrap().handle;
    browser.switch_to_window(second).await.unwrap();
    browser.visit(&page.at("config=gomoku7&engine=model&you=0")).await;
    browser.play("3,3").await;
    browser.until("return tengen.game.moves.length === 2").await;
    browser.switch_to_window(first).await.unwrap();
    assert_eq!(browser.moves().await, moves);
    browser.press("#take-back").await;
    browser.until("return tengen.game.moves.length === 2").await;
    browser.press("#new-game").await;
    browser.until("return tengen.game.moves.length === 0").await;
    browser.end().await;
}

#[tokio::test]
async fn a_server_that_goes_and_comes_back_is_found_again() {
    let page = Page::serve(&[]);
    let place = page.url.trim_start_matches("http://").trim_end_matches('/').to_string();
    let browser = Browser::open(1300, 950, false).await;
    browser.visit(&page.at("config=gomoku15&engine=fast&you=0&moves=7,7_8,8")).await;
    drop(page);
    browser
        .until("return document.getElementById('notice').textContent.startsWith('The server is gone')")
        .await;
    let page = Page::serve(&["--listen", &place]);
    browser.until("return document.getElementById('notice').textContent === 'The server is back.'").await;
    browser.play("9,9").await;
    browser.until("return tengen.game.moves.length === 4").await;
    drop(page);
    browser.end().await;
}

#[tokio::test]
async fn keys_alone_play_and_reach_everything() {
    let page = Page::serve(&[]);
    let browser = Browser::open(1300, 950, false).await;
    browser.visit(&page.at("config=gomoku15&engine=fast&you=0")).await;
    let key = async |key: Key| {
        let active = browser.active_element().await.unwrap();
        active.send_keys(&String::from(char::from(key))).await.unwrap();
    };
    key(Key::Tab).await;
    assert_eq!(browser.run("return document.activeElement.getAttribute('role')").await, "application");
    key(Key::Left).await;
    key(Key::Down).await;
    key(Key::Enter).await;
    browser.until("return tengen.game.moves.length === 2").await;
    assert_eq!(browser.moves().await[0], "6,8");
    // On to the tabs, and by arrows to each of them.
    for _ in 0..8 {
        if browser.run("return document.activeElement.getAttribute('role')").await == "tab" {
            break;
        }
        key(Key::Tab).await;
    }
    for shown in ["analysis", "core", "measure", "play"] {
        key(Key::Right).await;
        let hidden = browser.run(&format!("return document.getElementById('{shown}').hidden")).await;
        assert_eq!(hidden, false, "{shown}");
    }
    browser.end().await;
}

#[tokio::test]
async fn a_phone_shows_all_of_it() {
    let page = Page::serve(&[]);
    let browser = Browser::open(390, 844, false).await;
    browser.visit(&page.at("config=gomoku15&engine=fast&you=0&moves=7,7_8,8")).await;
    browser.touch("9,9").await;
    browser.until("return tengen.game.moves.length === 4").await;
    for tab in ["play", "analysis", "core", "measure"] {
        browser.press(&format!("#tab-{tab}")).await;
        let wide = browser.run("return document.documentElement.scrollWidth - innerWidth").await;
        assert!(wide.as_i64().unwrap() <= 0, "{tab}: {wide} pixels too wide");
        if tab == "analysis" {
            browser.press("#analyse").await;
            browser.until("return !document.getElementById('bar').hidden").await;
        }
        // Nothing lies on the board: what a finger meets there is the board.
        let met = browser.run("const board = document.querySelector('#board svg'); board.scrollIntoView(); const box = board.getBoundingClientRect(); \
            return board.contains(document.elementFromPoint(box.left + box.width / 4, box.top + box.height / 2))").await;
        assert_eq!(met, true, "{tab}");
        browser.picture(&format!("phone-{tab}")).await;
    }
    browser.end().await;
}

#[tokio::test]
async fn nobody_is_shut_out() {
    let page = Page::serve(&[]);
    for (width, height, dark) in [(1300, 950, false), (1300, 950, true), (390, 844, false)] {
        let browser = Browser::open(width, height, dark).await;
        browser.visit(&page.at("config=tictactoe&engine=model&you=both&moves=0,0_1,1_2,2")).await;
        assert_eq!(browser.run("return matchMedia('(prefers-color-scheme: dark)').matches").await, dark);
        for tab in ["play", "analysis", "core", "measure"] {
            browser.press(&format!("#tab-{tab}")).await;
            match tab {
                "analysis" => {
                    browser.press("#analyse").await;
                    browser.until("return document.querySelectorAll('#board .score-back').length > 0").await;
                    browser.press("#graph").await;
                    browser.until("return document.querySelectorAll('#analysis .uplot').length === 1").await;
                }
                "core" => {
                    browser.press("#core-record").await;
                    browser.until("return (tengen.view.replay?.passes.length ?? 0) > 0").await;
                }
                "measure" => {
                    browser.press("#measure-go").await;
                    browser
                        .until("return document.querySelectorAll('#measure-result table').length === 4")
                        .await;
                }
                _ => {}
            }
            let found = browser.barriers().await;
            assert!(found.is_empty(), "{tab}, {width} wide, dark {dark}: {found:#?}");
            browser.picture(&format!("{tab}-{width}-{}", if dark { "dark" } else { "light" })).await;
        }
        browser.end().await;
    }
}
