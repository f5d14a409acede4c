// SPDX-License-Identifier: MIT OR Apache-2.0
//! The page and its server agree on the position, however late the server answers.

use crate::browser::{Browser, Page};
use fantoccini::Locator;
use std::process::Command;

/// Answers to the page's questions for a position come so late.
const LATE: &str = "const { link } = tengen.game, heard = link.heard.bind(link); \
    link.heard = (message) => (message.type === 'position' ? void setTimeout(() => heard(message), 400) : heard(message))";
/// White has an open four.
const FOUR: &str = "config=gomoku15&engine=fast&you=0&moves=0,0_7,7_0,2_8,7_0,4_9,7_0,6_10,7";
const STONES: &str = "return document.querySelectorAll('#board .stone:not(.pending)').length";

async fn state(browser: &Browser) -> String {
    browser.find(Locator::Css("#state")).await.unwrap().text().await.unwrap()
}

#[tokio::test]
async fn no_click_counts_before_the_position_is_confirmed() {
    let page = Page::serve(&[]);
    let browser = Browser::open(1300, 950, false).await;
    browser.visit(&page.at(FOUR)).await;
    browser.run(LATE).await;
    browser.play("14,14").await;
    // The stone is there at once, and grey.
    assert_eq!(browser.run("return document.querySelectorAll('#board .pending').length").await, 1);
    browser.play("13,13").await;
    assert!(state(&browser).await.starts_with("Wait: "), "{}", state(&browser).await);
    browser.until("return tengen.game.moves.length === 10 && tengen.game.pending").await;
    browser.play("13,13").await;
    browser.until("return !tengen.game.pending").await;
    assert_eq!(browser.run("return tengen.game.moves.length").await, 10);
    assert_eq!(browser.run(STONES).await, 10);
    assert!(state(&browser).await.ends_with("White wins."), "{}", state(&browser).await);
    browser.play("13,13").await;
    assert_eq!(browser.run("return tengen.game.moves.length").await, 10);
    browser.end().await;
}

#[tokio::test]
async fn a_server_that_is_gone_or_stopped_takes_no_stone_away() {
    let page = Page::serve(&[]);
    let browser = Browser::open(1300, 950, false).await;
    browser.visit(&page.at(FOUR)).await;
    // A page that came by TLS, from a proxy, may open its line by TLS only.
    for (protocol, line) in [("https:", "wss://box:8443/ws"), ("http:", "ws://box:8443/ws")] {
        let address = format!("return tengen.Link.address({{ protocol: '{protocol}', host: 'box:8443' }})");
        assert_eq!(browser.run(&address).await, line);
    }
    let signal = |name: &str| {
        let pid = page.process.0.id().to_string();
        assert!(Command::new("kill").args([name, &pid]).status().unwrap().success());
    };
    signal("-STOP");
    browser.play("14,14").await;
    browser
        .until("return document.getElementById('state').textContent === 'the server does not answer.'")
        .await;
    assert_eq!(browser.run(STONES).await, 8);
    assert_eq!(browser.run("return document.querySelectorAll('#board .pending').length").await, 0);
    // Known to be gone: said at once.
    browser.play("14,14").await;
    browser
        .until("return document.getElementById('state').textContent.startsWith('the server is gone')")
        .await;
    assert_eq!(browser.run(STONES).await, 8);
    signal("-CONT");
    browser.until("return document.getElementById('notice').textContent === 'The server is back.'").await;
    browser.until("return !tengen.game.pending").await;
    browser.play("14,14").await;
    browser.until("return tengen.game.moves.length === 10 && !tengen.game.pending").await;
    browser.end().await;
}

#[tokio::test]
async fn an_address_is_shown_as_it_is_or_told_to_be_wrong() {
    let page = Page::serve(&[]);
    let browser = Browser::open(1300, 950, false).await;
    // White is to move, who is the engine: a link is a position to look at.
    browser.visit(&page.at("config=gomoku15&engine=fast&you=0&moves=7,7_8,8_6,6")).await;
    assert!(state(&browser).await.ends_with("Move now lets it move."), "{}", state(&browser).await);
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    assert_eq!(browser.moves().await.len(), 3);
    browser.press("#go").await;
    browser.until("return tengen.game.moves.length === 4 && !tengen.game.pending").await;
    let told = browser.run("return document.getElementById('told').textContent").await;
    assert!(told.as_str().unwrap().contains(" by fast: "), "{told}");
    browser.press("#new-game").await;
    browser.until("return tengen.game.moves.length === 0 && !tengen.game.pending").await;
    assert_eq!(browser.run("return document.getElementById('told').textContent").await, "");
    // Names that are not here; the engine would be first.
    browser.visit(&page.at("config=gomoku99&engine=nobody&you=1&moves=")).await;
    let said = state(&browser).await;
    assert!(
        said.contains("config=gomoku99 (here: gomoku15, ") && said.contains("engine=nobody (here: "),
        "{said}"
    );
    assert_eq!(browser.moves().await.len(), 0);
    // Moves that are none.
    browser.visit(&page.at("config=gomoku7&engine=fast&you=0&moves=3,3_3,3")).await;
    browser.until("return document.getElementById('state').textContent.includes('is played twice')").await;
    assert_eq!(browser.run(STONES).await, 0);
    browser.play("3,3").await;
    browser.until("return tengen.game.moves.length === 2 && !tengen.game.pending").await;
    browser.end().await;
}

#[tokio::test]
async fn people_read_and_write_letters_and_numbers() {
    let page = Page::serve(&[]);
    let browser = Browser::open(1300, 950, false).await;
    browser.visit(&page.at("config=gomoku15&engine=fast&you=both&moves=")).await;
    let set = async |text: &str| {
        browser
            .execute("document.getElementById('text').value = arguments[0]", vec![text.into()])
            .await
            .unwrap();
        browser.press("#from-text").await;
    };
    set("h8 i9 g7").await;
    browser.until("return tengen.game.moves.join(' ') === '7,7 8,6 6,8' && !tengen.game.pending").await;
    assert_eq!(
        browser
            .run(
                "return [...document.querySelectorAll('#moves li')].map((item) => item.textContent).join(' ')"
            )
            .await,
        "1. h8 2. i9 3. g7"
    );
    assert_eq!(browser.run("return document.getElementById('text').value").await, "h8 i9 g7");
    assert_eq!(
        browser.run("return [...document.querySelectorAll('#board .edge')].map((edge) => edge.textContent).join('')").await,
        "abcdefghijklmno151413121110987654321"
    );
    // Two games: which one is set up is said.
    set("h8 i9\ng7 g8").await;
    browser.until("return tengen.game.moves.length === 2 && !tengen.game.pending").await;
    let told = browser.run("return document.getElementById('told').textContent").await;
    assert!(told.as_str().unwrap().starts_with("The text holds 2 games"), "{told}");
    // A game of another board names no option of a command line.
    set("(;GM[4]SZ[19];B[jj])").await;
    browser.until("return document.getElementById('state').textContent.includes('choose a game of that board first')").await;
    assert_eq!(browser.moves().await.len(), 2);
    browser.end().await;
}

#[tokio::test]
async fn a_recording_of_another_position_says_so() {
    let page = Page::serve(&[]);
    let browser = Browser::open(1300, 950, false).await;
    browser.visit(&page.at("config=tictactoe&you=both&moves=0,0_1,1")).await;
    browser.press("#tab-core").await;
    browser.press("#core-record").await;
    browser.until("return (tengen.view.replay?.passes.length ?? 0) > 0").await;
    assert_eq!(browser.run("return document.getElementById('core-stale').hidden").await, true);
    browser.play("2,2").await;
    browser.until("return !document.getElementById('core-stale').hidden").await;
    let told = browser.run("return document.getElementById('core-stale').textContent").await;
    assert!(told.as_str().unwrap().contains("another position than the board: tictactoe, a3 b2."), "{told}");
    browser.press("#core-position").await;
    browser
        .until("return tengen.game.moves.length === 2 && document.getElementById('core-stale').hidden")
        .await;
    browser.end().await;
}

#[tokio::test]
async fn the_move_that_is_played_stands_first() {
    let page = Page::serve(&[]);
    let browser = Browser::open(1300, 950, false).await;
    let rows = "return [...document.querySelectorAll('[aria-label=\"Best moves\"] tbody tr')].map((row) => row.textContent)";
    for (config, moves) in [("gomoku15", ""), ("gomoku15-deep", "7,7_8,8_6,6")] {
        browser
            .visit(&page.at(&format!("config={config}&engine=fast&you=both&levels=2&moves={moves}")))
            .await;
        browser.press("#tab-analysis").await;
        browser.press("#analyse").await;
        browser
            .until("return document.querySelectorAll('[aria-label=\"Best moves\"] tbody tr').length > 0")
            .await;
        let found = browser.run(rows).await;
        let first = found[0].as_str().unwrap();
        assert!(first.starts_with("played"), "{found}");
        if moves.is_empty() {
            assert_eq!(found.as_array().unwrap().len(), 1, "{found}");
            let told = browser.run("return document.querySelector('#analysis .faint').textContent").await;
            assert!(
                first.starts_with("playedh8") && told.as_str().unwrap().contains("centre, by rule"),
                "{told}"
            );
        }
    }
    browser.end().await;
}
