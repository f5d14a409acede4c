// SPDX-License-Identifier: MIT OR Apache-2.0
//! One connection of a page: messages in, answers out, and the end of everything it asked for when it goes.

use crate::answers::{Failed, analyse, graph, measure, node, recording, search, waveform};
use crate::cancel::Cancel;
use crate::message::{Form, Request, read};
use crate::place::{Place, imported};
use crate::state::State;
use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use engine_model::evaluation::Remaining;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{broadcast, mpsc};
use tokio::time::{sleep, timeout};

/// Requests of a page under way at a time.
const MOST_UNDER_WAY: usize = 8;
/// Messages of a page that are read in a second; what comes faster waits in the network.
const MOST_A_SECOND: u32 = 2000;
/// Answers on their way to a page.
const OUTGOING: usize = 256;
/// How long a page may take to take an answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// From a thread of the pool.
enum Out {
    Say(u32, Value),
    Last(u32, Value),
}

/// A connection's state.
struct Tab {
    state: Arc<State>,
    under_way: HashMap<u32, Cancel>,
    out: mpsc::Sender<Out>,
}

fn with_id(id: u32, mut value: Value) -> String {
    value["id"] = json!(id);
    value.to_string()
}

fn error(message: impl ToString) -> Value {
    json!({ "type": "error", "message": message.to_string() })
}

/// Speaks with a page until it goes or the server ends.
pub async fn speak(mut socket: WebSocket, state: Arc<State>) {
    let (out, mut answers) = mpsc::channel(OUTGOING);
    let mut notices = state.notices.subscribe();
    let mut closing = state.closing.clone();
    let mut tab = Tab { state, under_way: HashMap::new(), out };
    let mut second = (Instant::now(), 0);
    loop {
        let text = tokio::select! {
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => {
                    let answer = tab.message(&text);
                    second = paced(second).await;
                    match answer { Some(answer) => answer, None => continue }
                }
                Some(Ok(Message::Binary(_))) => error("messages are text").to_string(),
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                Some(Ok(Message::Close(_)) | Err(_)) | None => break,
            },
            Some(answer) = answers.recv() => match answer {
                Out::Say(id, value) => with_id(id, value),
                Out::Last(id, value) => {
                    tab.under_way.remove(&id);
                    with_id(id, value)
                }
            },
            notice = notices.recv() => match notice {
                Ok(text) => json!({ "type": "notice", "text": text }).to_string(),
                Err(broadcast::error::RecvError::Lagged(_)) => continue,
                Err(broadcast::error::RecvError::Closed) => break,
            },
            () = async { _ = closing.wait_for(|closing| *closing).await } => {
                let frame = CloseFrame { code: close_code::AWAY, reason: "the server ends".into() };
                let _ = timeout(PATIENCE, socket.send(Message::Close(Some(frame)))).await;
                break;
            }
        };
        let sent = timeout(PATIENCE, socket.send(Message::Text(text.into()))).await;
        if !matches!(sent, Ok(Ok(()))) {
            break;
        }
    }
}

impl Drop for Tab {
    /// A page that goes, however it goes, takes its searches with it.
    fn drop(&mut self) {
        self.under_way.values().for_each(Cancel::set);
    }
}

/// Waits when too much has come within a second.
async fn paced((begin, count): (Instant, u32)) -> (Instant, u32) {
    let passed = begin.elapsed();
    if passed >= Duration::from_secs(1) {
        return (Instant::now(), 1);
    }
    if count < MOST_A_SECOND {
        return (begin, count + 1);
    }
    sleep(Duration::from_secs(1) - passed).await;
    (Instant::now(), 1)
}

impl Tab {
    /// A message's answer, if it is known at once.
    fn message(&mut self, text: &str) -> Option<String> {
        match read(text) {
            Err(unreadable) => {
                let answer = error(&unreadable);
                Some(unreadable.id.map_or_else(|| answer.to_string(), |id| with_id(id, answer.clone())))
            }
            Ok((id, request)) => self.request(id, request).map(|answer| with_id(id, answer)),
        }
    }

    fn request(&mut self, id: u32, request: Request) -> Option<Value> {
        let backends = self.state.backends.as_ref();
        let told = |answer: Result<Value, String>| Some(answer.unwrap_or_else(error));
        match request {
            Request::Cancel { of } => {
                let cancel = self.under_way.get(&of);
                cancel.inspect(|cancel| cancel.set());
                Some(json!({ "type": "done", "found": cancel.is_some() }))
            }
            Request::Position { at, players, game } => told(Place::of(backends, &at).and_then(|place| {
                if let Some(folder) = &self.state.games {
                    let (_, text) = place.written(Form::Sgf, &players);
                    let kept = folder.keep(&game, &at.config, place.moves(), &text);
                    kept.map_err(|error| format!("the game cannot be kept: {error}"))?;
                }
                Ok(json!({ "type": "position", "position": place.seen() }))
            })),
            Request::Import { config, text } => told(imported(backends, &config, &text).map(|mut game| {
                game["type"] = json!("game");
                game
            })),
            Request::Export { at, form, players } => told(Place::of(backends, &at).map(|place| {
                let (ending, text) = place.written(form, &players);
                json!({ "type": "file", "ending": ending, "text": text })
            })),
            Request::Search(of) => {
                self.queue(id, move |state, cancel, _| search(state.backends.as_ref(), &of, cancel))
            }
            Request::Analyse { search, best } => self.queue(id, move |state, cancel, say| {
                analyse(state.backends.as_ref(), &search, best, cancel, say)
            }),
            Request::Graph(search) => {
                self.queue(id, move |state, cancel, say| graph(state.backends.as_ref(), &search, cancel, say))
            }
            Request::Record { at, levels } => self
                .queue(id, move |state, cancel, _| recording(state.backends.as_ref(), &at, levels, cancel)),
            Request::Node { at, path, depth_zero, extensions } => self.queue(id, move |state, _, _| {
                let remaining = Remaining { depth: usize::from(!depth_zero), extensions };
                node(state.backends.as_ref(), &at, &path, remaining)
            }),
            Request::Waveform { at, levels, clock } => self.queue(id, move |state, cancel, _| {
                waveform(state.backends.as_ref(), &state.waveforms, &at, levels, clock, cancel)
            }),
            Request::Measure { at, levels } => {
                self.queue(id, move |state, cancel, _| measure(state.backends.as_ref(), &at, levels, cancel))
            }
        }
    }

    /// Lets the pool answer.
    fn queue(
        &mut self,
        id: u32,
        answer: impl FnOnce(&State, &Cancel, &mut dyn FnMut(Value)) -> Result<Value, Failed> + Send + 'static,
    ) -> Option<Value> {
        if self.under_way.contains_key(&id) {
            return Some(error(format!("request {id} is under way")));
        }
        if self.under_way.len() >= MOST_UNDER_WAY {
            return Some(error(format!(
                "{MOST_UNDER_WAY} requests are under way: wait for one, or cancel it"
            )));
        }
        let cancel = Cancel::default();
        let (state, out, given_up) = (self.state.clone(), self.out.clone(), cancel.clone());
        let queued = self.state.pool.queue(move || {
            // A page that has gone takes nothing more.
            let say = |out: &mpsc::Sender<Out>, said: Out| _ = out.blocking_send(said);
            let found = match given_up.is_set() {
                true => Err(Failed::Cancelled),
                false => {
                    let mut on_the_way = |value| say(&out, Out::Say(id, value));
                    let run = || answer(&state, &given_up, &mut on_the_way);
                    let run = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
                    run.unwrap_or_else(|_| {
                        Err(Failed::Because("the search broke down: please report it".into()))
                    })
                }
            };
            let last = match found {
                Ok(value) => value,
                Err(Failed::Cancelled) => json!({ "type": "cancelled" }),
                Err(Failed::Because(reason)) => error(reason),
            };
            say(&out, Out::Last(id, last));
        });
        match queued {
            Ok(in_front) => {
                self.under_way.insert(id, cancel);
                (in_front > 0).then(|| json!({ "type": "queued", "in_front": in_front }))
            }
            Err(full) => Some(error(full)),
        }
    }
}
