// SPDX-License-Identifier: MIT OR Apache-2.0
//! A real Chromium by WebDriver, and the page's server as a user starts it.

use fantoccini::actions::{InputSource, MOUSE_BUTTON_LEFT, MouseActions, PointerAction, TouchActions};
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long anything may take that the page does by itself: a simulation may have to be compiled first, on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(300);

/// A process that ends with the test.
pub struct Process(pub Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The first line of a process that `find` finds something in.
fn first<T>(child: &mut Child, find: impl Fn(&str) -> Option<T>) -> T {
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let found = lines.by_ref().map_while(Result::ok).find_map(|line| find(&line));
    // Whoever writes on must not be held up.
    std::thread::spawn(move || lines.for_each(drop));
    found.expect("the process says where it is")
}

/// `tengen web` on a free port, with these further arguments.
pub struct Page {
    pub process: Process,
    pub url: String,
}

impl Page {
    pub fn serve(arguments: &[&str]) -> Page {
        let given = arguments.contains(&"--listen");
        let listen: &[&str] = if given { &[] } else { &["--listen", "127.0.0.1:0"] };
        let mut child = Command::new(env!("CARGO_BIN_EXE_tengen"))
            .args(["web", "--json"])
            .args(listen)
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let url = first(&mut child, |line| {
            let object: Value = serde_json::from_str(line).ok()?;
            Some(object["url"].as_str()?.to_string())
        });
        Page { process: Process(child), url }
    }

    pub fn at(&self, hash: &str) -> String {
        format!("{}#{hash}", self.url)
    }
}

/// A browser.
pub struct Browser {
    pub client: Client,
    _driver: Process,
}

impl std::ops::Deref for Browser {
    type Target = Client;
    fn deref(&self) -> &Client {
        &self.client
    }
}

impl Browser {
    /// One with a window of this size.
    pub async fn open(width: u32, height: u32, dark: bool) -> Browser {
        let driver =
            Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let mut driver = driver.expect("Debian's chromium-driver: ./tengen test installs it");
        let port = first(&mut driver, |line| {
            let port = line.split("started successfully on port ").nth(1)?;
            port.trim_end_matches('.').parse::<u16>().ok()
        });
        let driver = Process(driver);
        let mut arguments = vec![
            "--headless=new".to_string(),
            // The tests of a container run as root; the pages are ours.
            "--no-sandbox".into(),
            "--disable-dev-shm-usage".into(),
            "--disable-gpu".into(),
            format!("--window-size={width},{height}"),
        ];
        if dark {
            arguments.push("--force-dark-mode".into());
            arguments.push("--enable-features=WebUIDarkMode".into());
        }
        let capabilities = json!({
            "goog:chromeOptions": { "args": arguments, "mobileEmulation": (width < 500).then(|| json!({
                "deviceMetrics": { "width": width, "height": height, "pixelRatio": 2.0 },
            })) },
        });
        let mut capabilities = capabilities.as_object().unwrap().clone();
        if width >= 500 {
            capabilities["goog:chromeOptions"].as_object_mut().unwrap().remove("mobileEmulation");
        }
        let client = ClientBuilder::new(HttpConnector::new())
            .capabilities(capabilities)
            .connect(&format!("http://127.0.0.1:{port}"))
            .await
            .expect("Debian's chromium: ./tengen test installs it");
        Browser { client, _driver: driver }
    }

    /// Goes to a page and waits until it is ready.
    pub async fn visit(&self, url: &str) {
        // An address that differs behind its # only would not be loaded.
        self.goto("about:blank").await.unwrap();
        self.goto(url).await.unwrap();
        self.until("return document.body.dataset.ready === 'yes' && tengen.game.position !== null").await;
    }

    /// What a script returns.
    pub async fn run(&self, script: &str) -> Value {
        self.execute(script, Vec::new()).await.unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// Waits until a script returns true.
    pub async fn until(&self, script: &str) {
        let begin = Instant::now();
        loop {
            let found = self.execute(script, Vec::new()).await;
            if matches!(found, Ok(Value::Bool(true))) {
                return;
            }
            if begin.elapsed() > PATIENCE {
                let page = self.execute("return document.body.innerText", Vec::new()).await;
                panic!("never: {script}: {found:?}\n{page:?}");
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Clicks what a selector names.
    pub async fn press(&self, selector: &str) {
        let element =
            self.find(Locator::Css(selector)).await.unwrap_or_else(|error| panic!("{selector}: {error}"));
        element.click().await.unwrap_or_else(|error| panic!("{selector}: {error}"));
    }

    /// Where a cell is on the screen.
    async fn place(&self, cell: &str) -> (f64, f64) {
        let script = "const board = tengen.game.board, box = board.picture.getBoundingClientRect(), view = board.picture.viewBox.baseVal; \
                      board.picture.scrollIntoView({ block: 'nearest' }); \
                      const scale = Math.min(box.width / view.width, box.height / view.height), { cx, cy } = board.place(arguments[0]); \
                      const now = board.picture.getBoundingClientRect(); \
                      return [now.left + (now.width - view.width * scale) / 2 + cx * scale, \
                              now.top + (now.height - view.height * scale) / 2 + cy * scale]";
        let place = self.execute(script, vec![json!(cell)]).await.unwrap();
        (place[0].as_f64().unwrap().round(), place[1].as_f64().unwrap().round())
    }

    /// Plays a cell by the mouse.
    pub async fn play(&self, cell: &str) {
        let (x, y) = self.place(cell).await;
        let mouse = MouseActions::new("mouse".into())
            .then(PointerAction::MoveTo { duration: None, x, y })
            .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT })
            .then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
        self.perform_actions(mouse).await.unwrap();
    }

    /// Plays a cell by a finger.
    pub async fn touch(&self, cell: &str) {
        let (x, y) = self.place(cell).await;
        let finger = TouchActions::new("finger".into())
            .then(PointerAction::MoveTo { duration: None, x, y })
            .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT })
            .then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
        self.perform_actions(finger).await.unwrap();
    }

    /// The moves of the game.
    pub async fn moves(&self) -> Vec<String> {
        let moves = self.run("return tengen.game.moves").await;
        moves.as_array().unwrap().iter().map(|cell| cell.as_str().unwrap().to_string()).collect()
    }

    /// What shuts people out, by axe-core: faults that it calls serious or worse, in what is shown.
    pub async fn barriers(&self) -> Vec<String> {
        self.run(include_str!("../vendor/axe.min.js")).await;
        let script = "const done = arguments[arguments.length - 1]; \
            axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => done(violations.filter(({ impact }) => ['serious', 'critical'].includes(impact)) \
            .map(({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => html + failureSummary).join('; ')}`)), (error) => done([String(error)]))";
        let found = self.execute_async(script, Vec::new()).await.unwrap();
        found.as_array().unwrap().iter().map(|fault| fault.as_str().unwrap().to_string()).collect()
    }

    /// Keeps a picture of the window where whoever runs the tests finds it.
    pub async fn picture(&self, name: &str) -> PathBuf {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("pictures");
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join(format!("{name}.png"));
        std::fs::write(&file, self.screenshot().await.unwrap()).unwrap();
        file
    }

    /// The end of a test: no script of the page has broken down.
    pub async fn end(self) {
        assert_eq!(self.run("return globalThis.tengen?.faults ?? []").await, json!([]));
        self.client.clone().close().await.unwrap();
    }
}
