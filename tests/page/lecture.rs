// SPDX-License-Identifier: MIT OR Apache-2.0
//! A search explained: sentences about a clock, the tree with values and windows, the circuits of the stages, two searches side by side.

use crate::browser::{Browser, Page};

/// The first clock of the search in which the core returns with this bound, or stalls.
const FIND: &str = "const { replay } = tengen.view; const found = replay.returns.find((one) => one.bound === arguments[0]); return found ? found.clock : -1";

#[tokio::test]
async fn a_lecture_explains_every_clock() {
    let page = Page::serve(&[]);
    let browser = Browser::open(1400, 1500, false).await;
    browser.goto("about:blank").await.unwrap();
    browser.goto(&format!("{}?lecture=3x3", page.url)).await.unwrap();
    browser.until("return (tengen.view?.replay?.passes.length ?? 0) > 0 && tengen.view.explained.open").await;
    assert_eq!(browser.run("return tengen.view.replay.core.name").await, "lecture-3x3");
    // One context a level, half as many again at the last.
    let contexts = browser.run("return tengen.view.replay.core.contexts_of_levels").await;
    assert_eq!(contexts, serde_json::json!([1, 1, 2]));
    let captions =
        "return [...document.querySelectorAll('#core-explain li')].map((item) => item.textContent).join(' ')";
    for (bound, part) in [(">=", "a cutoff. It has reached beta"), ("=", "returns exactly")] {
        let clock = browser.execute(FIND, vec![bound.into()]).await.unwrap();
        assert!(clock.as_i64().unwrap() > 0, "{bound}: {clock}");
        browser.run(&format!("tengen.view.go({clock})")).await;
        let told = browser.run(captions).await;
        assert!(told.as_str().unwrap().contains(part), "{bound}: {told}");
    }
    // A stall, with what it has cost; the shares of the causes are the whole search.
    let stall = browser.run("const { clocks } = tengen.view.replay.recording; return [...clocks].findIndex((letter) => 'rfocm'.includes(letter))").await;
    browser.run(&format!("tengen.view.go({stall})")).await;
    let told = browser.run(captions).await;
    assert!(
        told.as_str().unwrap().contains("Stall (") && told.as_str().unwrap().contains("cycles so far"),
        "{told}"
    );
    let sum = browser.run("return [...document.querySelectorAll('.causes tbody tr')].reduce((sum, row) => sum + Number(row.children[1].textContent.replaceAll(',', '')), 0) - tengen.view.replay.recording.clocks.length").await;
    assert_eq!(sum, 0);
    // Every clock has something to say.
    let empty = browser.run("const { replay } = tengen.view; let empty = 0; for (let clock = 0; clock <= replay.last; clock++) if (tengen.captions(replay, clock).length === 0) empty += 1; return empty").await;
    assert_eq!(empty, 0);
    // The tree along a leaf: its values are those of the recording.
    browser.run("const { replay } = tengen.view; tengen.view.toPass(replay.passes.findLastIndex((pass) => pass.isNode && pass.fresh && pass.path.length === 3))").await;
    let rows = browser.run("return [...document.querySelectorAll('.branch .leaf.chosen')].length").await;
    assert_eq!(rows, 4, "the root and three moves");
    assert!(
        browser.run("return document.querySelectorAll('.branch .window').length").await.as_u64().unwrap()
            >= 2
    );
    let same = "const { replay, clock } = tengen.view; const end = replay.last; tengen.view.branch.draw(end, replay.passes[tengen.view.selected].path.slice(0, 1)); \
        return replay.root.children.filter((child) => child.pass).every((child) => [...document.querySelectorAll('.branch .leaf')].some((leaf) => \
        leaf.children[1].textContent === replay.square(child.path[0]) && leaf.children[2].textContent.endsWith(` ${child.returned ? child.returned.value : child.pass.value}`)))";
    assert_eq!(browser.run(same).await, true);
    browser.picture("lecture").await;
    browser.run("tengen.view.go(tengen.view.clock, tengen.view.selected); document.querySelector('.branch').scrollIntoView()").await;
    browser.picture("lecture-tree").await;
    // The circuits of the stages are there to be read.
    let script = "const done = arguments[arguments.length - 1]; Promise.all([...document.querySelectorAll('.stages a')].map(async (link) => (await (await fetch(link.href)).text()).includes('SPDX-License-Identifier'))).then((all) => done(all.length > 5 && all.every(Boolean)))";
    assert_eq!(browser.execute_async(script, Vec::new()).await.unwrap(), true);
    // Beside minimax.
    let mut saved = Vec::new();
    for side in ["3x3", "4x4"] {
        browser.goto("about:blank").await.unwrap();
        browser.goto(&format!("{}?lecture={side}", page.url)).await.unwrap();
        browser.until(&format!("return tengen.view?.replay?.core.name === 'lecture-{side}'")).await;
        browser.press("#tab-measure").await;
        browser.press("#measure-go").await;
        let rows = "[...document.querySelectorAll('[aria-label=\"Alpha-beta beside minimax\"] tbody tr')]";
        browser.until(&format!("return {rows}.length === 3")).await;
        let core = browser.run(&format!("return Number({rows}[1].children[2].textContent)")).await;
        saved.push(core.as_f64().unwrap());
    }
    // As the lesson says: of the larger tree a larger share is saved.
    assert!(saved[0] > 0.0 && saved[1] > saved[0], "{saved:?}");
    browser.end().await;
}

#[tokio::test]
async fn two_searches_stand_side_by_side() {
    let page = Page::serve(&[]);
    let browser = Browser::open(1400, 1200, false).await;
    browser.visit(&page.at("config=tictactoe&you=both&moves=0,0_1,1")).await;
    browser.press("#tab-core").await;
    assert_eq!(browser.run("return document.getElementById('core-keep').disabled").await, true);
    browser.press("#core-record").await;
    browser.until("return (tengen.view.replay?.passes.length ?? 0) > 0").await;
    browser.press("#core-keep").await;
    browser.press("#tab-play").await;
    browser.play("2,2").await;
    browser.until("return !tengen.game.pending").await;
    browser.press("#tab-core").await;
    browser.press("#core-record").await;
    browser.until("return tengen.view.replay.recording.moves === '0,0 1,1 2,2'").await;
    assert_eq!(browser.run("return tengen.kept.replay.recording.moves").await, "0,0 1,1");
    // Each with steps of its own, and no two elements of one name.
    browser.press("#second-on").await;
    browser.press("#second-on").await;
    assert_eq!(browser.run("return [tengen.kept.clock, tengen.view.clock]").await, serde_json::json!([2, 0]));
    let twice = browser.run("const ids = [...document.querySelectorAll('[id]')].map((of) => of.id); return ids.filter((id, index) => ids.indexOf(id) !== index)").await;
    assert_eq!(twice, serde_json::json!([]));
    let found = browser.barriers().await;
    assert!(found.is_empty(), "{found:#?}");
    browser.picture("beside").await;
    browser.press("#core-keep").await;
    assert_eq!(browser.run("return document.getElementById('second-view').children.length").await, 0);
    browser.end().await;
}
