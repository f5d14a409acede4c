// SPDX-License-Identifier: MIT OR Apache-2.0
//! The server: pages, one connection a tab, and who may ask.

use crate::backends::Backends;
use crate::kept::Folder;
use crate::message::LONGEST;
use crate::pages::{Asset, PAGE, asset, source};
use crate::state::State;
use crate::tab::speak;
use crate::waveforms::Waveforms;
use crate::work::Pool;
use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Request, State as Shared, WebSocketUpgrade};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, HeaderName, ORIGIN,
    REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};
use serde_json::json;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::{broadcast, watch};

/// Connections at a time.
const MOST_TABS: usize = 200;
/// Searches that wait.
const MOST_WAITING: usize = 400;
/// Notices on their way to pages.
const NOTICES: usize = 64;
/// How long pages have to go when the server ends.
const FAREWELL: Duration = Duration::from_secs(3);
/// What the page may do: only what comes from here, nothing written into it, nobody's frame.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A server that is bound.
pub struct Server {
    listener: TcpListener,
    state: Arc<State>,
}

/// How a server is set up.
pub struct Options {
    /// Where it listens; port 0: any that is free.
    pub address: SocketAddr,
    /// Threads for searches.
    pub workers: usize,
    /// Where games are kept.
    pub games: Option<std::path::PathBuf>,
    /// Names that it is reached by beside this machine's own: of a proxy in front.
    pub hosts: Vec<String>,
}

/// Why a server cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum BindError {
    /// The address cannot be had.
    #[error("cannot listen at {address}: choose another place with --listen")]
    Address {
        /// It.
        address: SocketAddr,
        /// Why.
        source: std::io::Error,
    },
    /// Games cannot be kept where they are to be.
    #[error("cannot keep games in {}: name another folder with --games", path.display())]
    Games {
        /// The folder.
        path: std::path::PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

impl Server {
    /// Binds. `closing` ends it.
    pub async fn bind(
        options: Options,
        backends: Box<dyn Backends>,
        closing: watch::Receiver<bool>,
    ) -> Result<Server, BindError> {
        let games = match options.games {
            Some(path) => Some(Folder::open(&path).map_err(|source| BindError::Games { path, source })?),
            None => None,
        };
        let address = options.address;
        let cannot = |source| BindError::Address { address, source };
        let listener = TcpListener::bind(address).await.map_err(cannot)?;
        let state = State {
            backends,
            pool: Pool::new(options.workers.max(1), MOST_WAITING),
            waveforms: Waveforms::new(),
            games,
            hosts: options.hosts.iter().map(|host| host.to_ascii_lowercase()).collect(),
            notices: broadcast::channel(NOTICES).0,
            closing,
            tabs: AtomicUsize::new(0),
            address: listener.local_addr().map_err(cannot)?,
        };
        Ok(Server { listener, state: Arc::new(state) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.state.address
    }

    /// Tells every page something.
    pub fn notices(&self) -> broadcast::Sender<String> {
        self.state.notices.clone()
    }

    /// Serves until it is to end; pages then have a moment to go.
    pub async fn serve(self) -> std::io::Result<()> {
        let Server { listener, state } = self;
        let ended = || {
            let mut closing = state.closing.clone();
            async move { _ = closing.wait_for(|closing| *closing).await }
        };
        let served = async {
            axum::serve(listener, router(state.clone())).with_graceful_shutdown(ended()).await?;
            while state.tabs.load(Ordering::Relaxed) > 0 {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            std::io::Result::Ok(())
        };
        // Whoever asks and does not take the answer holds nobody up.
        let late = async {
            ended().await;
            tokio::time::sleep(FAREWELL).await;
        };
        let result = tokio::select! { result = served => result, () = late => Ok(()) };
        state.pool.close();
        state.waveforms.clear();
        result
    }
}

fn router(state: Arc<State>) -> Router {
    Router::new()
        .route("/", get(async || part(&PAGE)))
        .route("/assets/{name}", get(named))
        .route("/source/{name}", get(circuit))
        .route("/options.json", get(options))
        .route("/waveform/{name}/{file}", get(waveform))
        .route("/ws", any(connect))
        .fallback(async || told(StatusCode::NOT_FOUND, "nothing has this name here; the page is at /"))
        .layer(from_fn_with_state(state.clone(), guarded))
        .with_state(state)
}

fn told(status: StatusCode, text: impl Into<String>) -> Response {
    (status, [(CONTENT_TYPE, "text/plain; charset=utf-8")], text.into() + "\n").into_response()
}

fn part(asset: &Asset) -> Response {
    ([(CONTENT_TYPE, asset.media)], asset.text).into_response()
}

async fn named(Path(name): Path<String>) -> Response {
    asset(&name).map_or_else(|| told(StatusCode::NOT_FOUND, "the page has no such part"), part)
}

/// The source of a stage's circuit, as text.
async fn circuit(Path(name): Path<String>) -> Response {
    let text = |text: &'static str| ([(CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response();
    source(&name).map_or_else(|| told(StatusCode::NOT_FOUND, "the pipeline has no such circuit"), text)
}

async fn options(Shared(state): Shared<Arc<State>>) -> Response {
    let configs: Vec<_> = state
        .backends
        .configs()
        .iter()
        .map(|config| {
            json!({
                "name": config.name, "columns": config.columns, "rows": config.rows, "in_a_row": config.in_a_row,
                "levels": config.levels,
            })
        })
        .collect();
    let options = json!({ "engines": state.backends.offers(), "configs": configs });
    ([(CONTENT_TYPE, "application/json")], options.to_string()).into_response()
}

async fn waveform(Shared(state): Shared<Arc<State>>, Path((name, file)): Path<(String, String)>) -> Response {
    let known = file.clone();
    let read = move || state.waveforms.file(&name, &known).and_then(|path| std::fs::read(path).ok());
    let Ok(Some(bytes)) = tokio::task::spawn_blocking(read).await else {
        return told(StatusCode::NOT_FOUND, "no such waveform: only the last few are kept; ask for it again");
    };
    // The name is one of a file that is there; what a header may not hold is left out.
    let file: String = file.chars().filter(|c| c.is_ascii_alphanumeric() || "._-".contains(*c)).collect();
    let disposition = HeaderValue::from_str(&format!("attachment; filename=\"{file}\""));
    let mut response = Response::new(Body::from(bytes));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    if let Ok(disposition) = disposition {
        headers.insert(CONTENT_DISPOSITION, disposition);
    }
    response
}

/// Counts a connection as long as it lives.
struct Counted(Arc<State>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.tabs.fetch_sub(1, Ordering::Relaxed);
    }
}

async fn connect(Shared(state): Shared<Arc<State>>, upgrade: WebSocketUpgrade) -> Response {
    let before = state.tabs.fetch_add(1, Ordering::Relaxed);
    let counted = Counted(state.clone());
    if before >= MOST_TABS {
        return told(StatusCode::SERVICE_UNAVAILABLE, format!("{MOST_TABS} tabs are open: close one"));
    }
    upgrade.max_message_size(LONGEST).max_frame_size(LONGEST).on_upgrade(async move |socket| {
        speak(socket, state).await;
        drop(counted);
    })
}

/// Whether a host of a request means this server: a name of this machine, whatever its port, as a tunnel's end may have another, or one that it was
/// told; any does if it was told to listen beyond this machine, for its names are not known.
fn is_ours(state: &State, host: &str) -> bool {
    if !state.address.ip().is_loopback() {
        return true;
    }
    let host = host.to_ascii_lowercase();
    // What follows the last colon is a port, but for one within brackets.
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host.as_str(),
    };
    let ip = state.address.ip();
    let own = if ip.is_ipv6() { format!("[{ip}]") } else { ip.to_string() };
    [own.as_str(), "localhost", "127.0.0.1", "[::1]"].contains(&name)
        || state.hosts.iter().any(|known| known == name)
}

/// Whether an origin is the page that this server gives out under the host of a request. Who reaches it by TLS comes through something that
/// ends it in front, which may name another host to this server than to the browser: then one that it was told.
fn is_page(state: &State, host: &str, origin: &str) -> bool {
    let origin = origin.to_ascii_lowercase();
    let (port, shown) = match origin.split_once("://") {
        Some(("http", shown)) => (":80", shown),
        Some(("https", shown)) => (":443", shown),
        _ => return false,
    };
    let plain = |host: &str| host.to_ascii_lowercase().trim_end_matches(port).to_string();
    plain(shown) == plain(host) || state.hosts.iter().any(|known| known == shown)
}

fn header(request: &Request, name: HeaderName) -> Option<String> {
    request.headers().get(name).map(|value| value.to_str().unwrap_or("?").to_string())
}

/// Refuses whoever is not the page itself, and says to the browser what the page may do.
async fn guarded(Shared(state): Shared<Arc<State>>, request: Request, next: Next) -> Response {
    let (host, origin) = (header(&request, HOST).unwrap_or_default(), header(&request, ORIGIN));
    let foreign = !origin.as_ref().is_none_or(|origin| is_page(&state, &host, origin));
    let mut response = if !is_ours(&state, &host) {
        told(
            StatusCode::MISDIRECTED_REQUEST,
            "this server has another name: open the address that it printed, or start it with --host NAME for the name of a proxy in front",
        )
    } else if foreign || (origin.is_none() && request.uri().path() == "/ws") {
        told(
            StatusCode::FORBIDDEN,
            "only the page of this server may ask that; behind a proxy that hides its name start the server with --host NAME",
        )
    } else if ![Method::GET, Method::HEAD].contains(request.method()) {
        told(StatusCode::METHOD_NOT_ALLOWED, "nothing here is written to: use GET")
    } else {
        next.run(request).await
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        (CACHE_CONTROL, "no-cache"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
