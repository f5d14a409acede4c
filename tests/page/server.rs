// SPDX-License-Identifier: MIT OR Apache-2.0
//! The page's server from outside: who may ask what, what it makes of nonsense, many tabs at once, and its end.

use crate::browser::Page;
use crate::virtual_board::Virtual;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::time::Duration;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

/// The answer to a request as it stands on the line.
fn raw(page: &Page, request: &str) -> String {
    let mut line = TcpStream::connect(place(page)).unwrap();
    line.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let (mut other, bytes) = (line.try_clone().unwrap(), request.as_bytes().to_vec());
    // A server that has said no need not read the rest.
    std::thread::spawn(move || other.write_all(&bytes));
    let mut answer: Vec<u8> = Vec::new();
    let mut part = [0; 65536];
    loop {
        let read = line.read(&mut part).unwrap_or(0);
        answer.extend(&part[..read]);
        let text = String::from_utf8_lossy(&answer);
        let whole = text.split_once("\r\n\r\n").is_some_and(|(head, body)| {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
            body.len() >= length.unwrap_or(0)
        });
        if read == 0 || whole {
            return text.into_owned();
        }
    }
}

fn place(page: &Page) -> String {
    page.url.trim_start_matches("http://").trim_end_matches('/').to_string()
}

/// A request of the page itself.
fn get(page: &Page, path: &str) -> String {
    raw(page, &format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", place(page)))
}

type Line = tokio_tungstenite::WebSocketStream<tokio_tungstenite::MaybeTlsStream<tokio::net::TcpStream>>;

/// A tab.
async fn tab(page: &Page) -> Line {
    let mut request = format!("ws://{}/ws", place(page)).into_client_request().unwrap();
    request.headers_mut().insert("Origin", format!("http://{}", place(page)).parse().unwrap());
    tokio_tungstenite::connect_async(request).await.unwrap().0
}

async fn say(line: &mut Line, value: &Value) {
    line.send(Message::text(value.to_string())).await.unwrap();
}

/// The next message with this id that is an answer and no news on the way to it.
async fn answer(line: &mut Line, id: u64) -> Value {
    loop {
        let message = line.next().await.expect("the server is there").unwrap();
        let Message::Text(text) = message else { continue };
        let value: Value = serde_json::from_str(&text).unwrap();
        if value["id"] == id && !["queued", "iteration", "point"].contains(&value["type"].as_str().unwrap()) {
            return value;
        }
    }
}

async fn ask(line: &mut Line, id: u64, mut value: Value) -> Value {
    value["id"] = json!(id);
    say(line, &value).await;
    answer(line, id).await
}

fn at(config: &str, moves: &str) -> Value {
    json!({ "config": config, "moves": moves })
}

#[test]
fn who_listens_everywhere_names_an_address_that_others_can_open() {
    let page = Page::serve(&["--listen", "0.0.0.0:0"]);
    let place = place(&page);
    assert!(!place.starts_with("0.0.0.0"), "{place}");
    // It answers there, and under that name it is no stranger.
    let mut line = std::net::TcpStream::connect(&place).unwrap();
    std::io::Write::write_all(&mut line, format!("GET / HTTP/1.0\r\nHost: {place}\r\n\r\n").as_bytes())
        .unwrap();
    let mut answer = String::new();
    std::io::Read::read_to_string(&mut line, &mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.0 200"), "{}", &answer[..answer.len().min(200)]);
}

#[test]
fn strangers_and_strange_requests_are_refused() {
    let page = Page::serve(&[]);
    let host = place(&page);
    let huge = "x".repeat(10 << 20);
    let upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";
    let requests = [
        ("GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n".to_string(), 421),
        (
            format!(
                "GET / HTTP/1.1\r\nHost: {host}\r\nOrigin: http://evil.example\r\nConnection: close\r\n\r\n"
            ),
            403,
        ),
        (format!("GET /ws HTTP/1.1\r\nHost: {host}\r\n{upgrade}\r\n"), 403),
        // Behind TLS, and at the other end of a tunnel; a stranger stays one.
        (format!("GET /ws HTTP/1.1\r\nHost: {host}\r\nOrigin: https://{host}\r\n{upgrade}\r\n"), 101),
        ("GET / HTTP/1.1\r\nHost: localhost:9000\r\nOrigin: http://localhost:9000\r\nConnection: close\r\n\r\n".into(), 200),
        ("GET / HTTP/1.1\r\nHost: [::1]:9000\r\nConnection: close\r\n\r\n".into(), 200),
        // Names have no capitals, and what a scheme is known by need not be told.
        ("GET / HTTP/1.1\r\nHost: LOCALHOST:9000\r\nOrigin: http://localhost:9000\r\nConnection: close\r\n\r\n".into(), 200),
        ("GET / HTTP/1.1\r\nHost: localhost:443\r\nOrigin: https://localhost\r\nConnection: close\r\n\r\n".into(), 200),
        ("GET / HTTP/1.1\r\nHost: localhost:443\r\nOrigin: http://localhost\r\nConnection: close\r\n\r\n".into(), 403),
        ("GET / HTTP/1.1\r\nHost: localhost.evil.example:9000\r\nConnection: close\r\n\r\n".into(), 421),
        ("GET / HTTP/1.1\r\nHost: localhost:9000\r\nOrigin: http://localhost:9001\r\nConnection: close\r\n\r\n".into(), 403),
        (format!("GET /ws HTTP/1.1\r\nHost: {host}\r\nOrigin: http://evil.example\r\n{upgrade}\r\n"), 403),
        (format!("GET /ws HTTP/1.1\r\nHost: {host}\r\nOrigin: null\r\n{upgrade}\r\n"), 403),
        (
            format!("GET /ws HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nConnection: close\r\n\r\n"),
            400,
        ),
        (
            format!(
                "POST / HTTP/1.1\r\nHost: {host}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{huge}",
                huge.len()
            ),
            405,
        ),
        (format!("DELETE /options.json HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"), 405),
        (format!("GET /{huge} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"), 431),
        ("nonsense\r\n\r\n".to_string(), 400),
    ];
    for (request, status) in &requests {
        let answer = raw(&page, request);
        let accepted = answer.starts_with(&format!("HTTP/1.1 {status} "))
            // The line's own limits come before ours.
            || (*status == 431 && ["HTTP/1.1 414 ", "HTTP/1.1 400 "].iter().any(|start| answer.starts_with(start)));
        assert!(accepted, "{}: {status} wanted: {answer}", &request[..request.len().min(200)]);
    }
    for path in [
        "/assets/../Cargo.toml",
        "/assets/..%2f..%2fCargo.toml",
        "/assets/%2e%2e/page.html",
        "/../../etc/passwd",
        "/waveform/../../etc/passwd",
        "/waveform/..%2f..%2fetc/passwd",
        "/waveform/0123456789abcdef/search.fst",
        "/assets/",
        "/assets/%00",
        "/nothing",
    ] {
        let answer = get(&page, path);
        assert!(
            answer.starts_with("HTTP/1.1 404 ") || answer.starts_with("HTTP/1.1 400 "),
            "{path}: {answer}"
        );
    }
    let answer = get(&page, "/");
    assert!(
        answer.starts_with("HTTP/1.1 200 ") && answer.contains("content-security-policy: default-src 'none'"),
        "{answer}"
    );
    // Everything that the page names is there, and nothing of it is elsewhere.
    let parts: Vec<&str> = answer.split(['"', '\'']).filter(|part| part.starts_with("/assets/")).collect();
    assert!(parts.len() > 10 && !answer.contains("://"), "{parts:?}");
    parts.iter().for_each(|part| assert!(get(&page, part).starts_with("HTTP/1.1 200 "), "{part}"));
}

/// A message that somebody might send who means no good or knows no better.
fn nonsense(rng: &mut fastrand::Rng) -> String {
    let known = [
        r#"{"id":1,"type":"position","at":{"config":"gomoku15","moves":"7,7"},"players":["a","b"],"game":"g"}"#,
        r#"{"id":2,"type":"search","at":{"config":"gomoku7","moves":""},"engine":"model","levels":1}"#,
        r#"{"id":3,"type":"export","at":{"config":"gomoku15","moves":"7,7"},"form":"sgf","players":["a","b"]}"#,
        r#"{"id":4,"type":"import","config":"gomoku15","text":"(;GM[4];B[hh])"}"#,
    ];
    let mut text: Vec<char> = match rng.u8(0..4) {
        0 => (0..rng.usize(0..200)).map(|_| rng.char(..)).collect(),
        1 => "[".repeat(rng.usize(1..2000)).chars().collect(),
        _ => known[rng.usize(..known.len())].chars().collect(),
    };
    for _ in 0..rng.usize(1..4) {
        if !text.is_empty() {
            let place = rng.usize(..text.len());
            match rng.u8(0..3) {
                0 => _ = text.remove(place),
                1 => text[place] = rng.char(..),
                _ => text.truncate(place),
            }
        }
    }
    text.into_iter().collect()
}

#[tokio::test]
async fn ten_thousand_random_messages_are_answered_one_by_one() {
    let page = Page::serve(&[]);
    let mut line = tab(&page).await;
    let mut rng = fastrand::Rng::with_seed(1);
    for _ in 0..100 {
        let mut sent = 0;
        for _ in 0..100 {
            line.send(Message::text(nonsense(&mut rng))).await.unwrap();
            sent += 1;
        }
        // Each has an answer: an error, or what a change that hurt nothing asked for.
        while sent > 0 {
            let Message::Text(text) = line.next().await.unwrap().unwrap() else { continue };
            let value: Value = serde_json::from_str(&text).unwrap();
            if value["type"] != "queued" {
                assert!(
                    value["type"] != "error"
                        || value["message"].as_str().is_some_and(|message| message.len() > 5),
                    "{value}"
                );
                sent -= 1;
            }
        }
    }
    // Bytes are no message, and too long a one ends the connection, no other.
    line.send(Message::binary(vec![0; 100])).await.unwrap();
    let told = line.next().await.unwrap().unwrap().into_text().unwrap();
    assert!(told.contains("messages are text"), "{told}");
    let mut other = tab(&page).await;
    let _ = line.send(Message::text("x".repeat(1 << 20))).await;
    while let Some(Ok(message)) = line.next().await {
        assert!(message.is_close(), "{message:?}");
    }
    let found = ask(
        &mut other,
        9,
        json!({ "type": "position", "at": at("tictactoe", "0,0"), "players": ["a", "b"], "game": "g" }),
    )
    .await;
    assert_eq!(found["position"]["to_move"], 1);
}

#[tokio::test]
async fn wrong_requests_say_what_is_wrong() {
    let page = Page::serve(&[]);
    let mut line = tab(&page).await;
    let search = |config: &str, moves: &str, engine: &str, levels: Value| json!({ "type": "search", "at": at(config, moves), "engine": engine, "levels": levels });
    for (number, (request, part)) in [
        (search("gomoku99", "", "fast", Value::Null), "no configuration \"gomoku99\""),
        (search("gomoku15", "7,7 7,7", "fast", Value::Null), "7,7"),
        (search("gomoku15", "15,0", "fast", Value::Null), "outside"),
        (search("gomoku15", "seven", "fast", Value::Null), "is not a move"),
        (search("gomoku15", "7,7", "deep thought", Value::Null), "no engine"),
        (search("gomoku15", "7,7", "fast", json!(5)), "5 levels asked for: this engine has 1 to 4"),
        (search("gomoku15", "7,7", "fast", json!(0)), "0 levels asked for"),
        (search("tictactoe", "0,0 1,0 0,1 1,1 0,2 2,2", "fast", Value::Null), "the game is over"),
        (json!({ "type": "record", "at": at("tictactoe", "0,0 1,0 0,1 1,1 0,2"), "levels": null }), "nothing to search"),
        (json!({ "type": "import", "config": "gomoku15", "text": "hello" }), "is not a move"),
        (json!({ "type": "import", "config": "gomoku15", "text": "" }), "no game"),
        (json!({ "type": "node", "at": at("gomoku15", "7,7"), "path": "7,7", "depth_zero": true, "extensions": 0 }), "occupied"),
    ]
    .into_iter()
    .enumerate()
    {
        let told = ask(&mut line, number as u64, request).await;
        assert!(told["type"] == "error" && told["message"].as_str().unwrap().contains(part), "{part}: {told}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_board_plays_with_one_tab_at_a_time() {
    let board = Virtual::start("gomoku7", &[]);
    let page = Page::serve(&["--board", &board.path, "--patience", "10", "--threads", "2"]);
    let search = |engine: &str| json!({ "type": "search", "at": at("gomoku7", "3,3 3,1 2,5"), "engine": engine, "levels": null });
    let mut lines = [tab(&page).await, tab(&page).await];
    for line in &mut lines {
        let mut request = search(&board.path);
        request["id"] = json!(1);
        say(line, &request).await;
    }
    let mut third = tab(&page).await;
    let wanted = ask(&mut third, 2, search("model")).await;
    for line in &mut lines {
        let found = answer(line, 1).await;
        assert_eq!((&found["cell"], &found["score"]), (&wanted["cell"], &wanted["score"]), "{found}");
        assert!(found["cycles"].as_u64().is_some_and(|cycles| cycles > 100), "{found}");
    }
}

#[tokio::test]
async fn searches_are_given_up_and_no_tab_may_ask_too_many() {
    let page = Page::serve(&["--threads", "1"]);
    let mut line = tab(&page).await;
    // Nothing that a test would wait for.
    let long = json!({ "type": "search", "at": at("gomoku15", "7,7 8,8"), "engine": "pvs", "levels": 20 });
    for id in 1..=8 {
        let mut request = long.clone();
        request["id"] = json!(id);
        say(&mut line, &request).await;
    }
    let told = ask(&mut line, 9, long.clone()).await;
    assert!(told["message"].as_str().unwrap().contains("8 requests are under way"), "{told}");
    for id in (1..=8).rev() {
        say(&mut line, &json!({ "id": 100 + id, "type": "cancel", "of": id })).await;
    }
    let mut ended = 0;
    while ended < 8 {
        let Message::Text(text) = line.next().await.unwrap().unwrap() else { continue };
        let value: Value = serde_json::from_str(&text).unwrap();
        if value["id"].as_u64().is_some_and(|id| id <= 8) && value["type"] != "queued" {
            assert_eq!(value["type"], "cancelled", "{value}");
            ended += 1;
        }
    }
    // A tab that goes takes its searches with it: the only thread is free for another one.
    let mut request = long.clone();
    request["id"] = json!(1);
    say(&mut line, &request).await;
    drop(line);
    let mut other = tab(&page).await;
    let found = ask(
        &mut other,
        1,
        json!({ "type": "search", "at": at("tictactoe", "0,0"), "engine": "model", "levels": null }),
    )
    .await;
    assert_eq!(found["cell"], "1,1", "{found}");
}

/// The most memory that a process has had, in MiB.
fn peak_of(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches("kB").trim().parse::<u64>().unwrap() >> 10
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fifty_tabs_play_at_once_and_nothing_is_lost() {
    const TABS: usize = 50;
    const MOVES: usize = 12;
    let page = Page::serve(&["--threads", "2"]);
    let begin = std::time::Instant::now();
    let mut games = Vec::new();
    for number in 0..TABS {
        let mut line = tab(&page).await;
        games.push(tokio::spawn(async move {
            // Every fifth against the simulated core, the others against software.
            let (engine, config) = if number % 5 == 0 { ("rtl", "tictactoe") } else { ("fast", "gomoku15") };
            let mut moves: Vec<String> = vec![format!("{},{}", number % 3, number / 3 % 3)];
            let mut id = 0;
            while moves.len() < MOVES {
                id += 1;
                let text = moves.join(" ");
                let seen = ask(
                    &mut line,
                    id,
                    json!({ "type": "position", "at": at(config, &text), "players": ["a", "b"], "game": "g" }),
                )
                .await;
                assert_eq!(seen["position"]["moves"], text.as_str(), "{seen}");
                if seen["position"]["over"] == true {
                    break;
                }
                id += 1;
                let found = ask(
                    &mut line,
                    id,
                    json!({ "type": "search", "at": at(config, &text), "engine": engine, "levels": null }),
                )
                .await;
                assert_eq!(found["type"], "move", "{found}");
                moves.push(found["cell"].as_str().unwrap().to_string());
            }
            moves.len()
        }));
    }
    let mut played = 0;
    for game in games {
        let moves = game.await.unwrap();
        assert!(moves >= 5, "{moves}");
        played += moves;
    }
    let peak = peak_of(page.process.0.id());
    println!("{TABS} tabs, {played} moves in {:.1} s, at most {peak} MiB", begin.elapsed().as_secs_f64());
    assert!(peak < 1024, "{peak} MiB");
}

#[tokio::test]
async fn games_are_kept_and_the_server_ends_cleanly() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("kept-games");
    let _ = std::fs::remove_dir_all(&folder);
    let mut page = Page::serve(&["--games", folder.to_str().unwrap()]);
    let mut line = tab(&page).await;
    for moves in ["7,7", "7,7 8,8"] {
        ask(
            &mut line,
            1,
            json!({ "type": "position", "at": at("gomoku15", moves), "players": ["person", "fast"], "game": "one" }),
        )
        .await;
    }
    // Looking back shortens nothing.
    let back = json!({ "type": "position", "at": at("gomoku15", "7,7"), "players": ["person", "fast"], "game": "one" });
    ask(&mut line, 1, back).await;
    // Neither a search under way holds it up nor somebody who begins to ask.
    let mut slow = TcpStream::connect(place(&page)).unwrap();
    slow.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap();
    say(
        &mut line,
        &json!({ "id": 2, "type": "search", "at": at("gomoku15", "7,7 8,8"), "engine": "pvs", "levels": 20 }),
    )
    .await;
    let process = rustix::process::Pid::from_child(&page.process.0);
    rustix::process::kill_process(process, rustix::process::Signal::INT).unwrap();
    let mut closed = false;
    while let Some(Ok(message)) = line.next().await {
        closed |= message.is_close();
    }
    assert!(closed, "the tab is told");
    let status = tokio::task::spawn_blocking(move || page.process.0.wait().unwrap()).await.unwrap();
    assert!(status.success(), "{status}");
    let files: Vec<PathBuf> =
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    let [file] = &files[..] else { panic!("{files:?}") };
    let text = std::fs::read_to_string(file).unwrap();
    assert!(text.contains("PB[person]PW[fast];B[hh];W[ii])"), "{text}");
}
