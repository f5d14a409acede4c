// SPDX-License-Identifier: MIT OR Apache-2.0
// Puts the page together.
"use strict";

{
  const { el } = tengen;
  const notice = document.getElementById("notice");
  const say = (text, bad = false) => {
    notice.textContent = text;
    notice.classList.toggle("bad", bad);
  };

  /** Views behind tabs: arrow keys go from one to the next. */
  const tabs = (chosen) => {
    const all = [...document.querySelectorAll("[role=tab]")];
    const choose = (tab) => {
      for (const one of all) {
        one.setAttribute("aria-selected", String(one === tab));
        one.tabIndex = one === tab ? 0 : -1;
        document.getElementById(one.getAttribute("aria-controls")).hidden = one !== tab;
      }
      chosen(tab.getAttribute("aria-controls"));
    };
    all.forEach((tab, index) => {
      tab.onclick = () => choose(tab);
      tab.onkeydown = ({ key }) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
        if (!step) return;
        const next = all[(index + step + all.length) % all.length];
        choose(next);
        next.focus();
      };
    });
    return (name) => choose(document.getElementById(`tab-${name}`) ?? all[0]);
  };

  /** The view of the core: records the position's search and shows it. */
  const lookIntoTheCore = (game) => {
    const place = document.getElementById("core");
    const view = el("div", { id: "core-view" }), second = el("div", { id: "second-view" });
    let recorded = null;
    const mark = (marks, moves) => {
      // A recording from a file may be of another position.
      if (recorded === null || recorded.config !== game.at.config || recorded.moves !== game.at.moves || document.getElementById("core").hidden) return;
      game.mark({ ...marks, own: null, other: null });
    };
    const core = new tengen.CoreView(view, { mark, ask: (request) => game.link.ask(request) });
    tengen.view = core;
    /** The search that was kept stands beside the next one, with steps of its own. */
    const kept = new tengen.CoreView(second, { mark: () => {}, ask: (request) => game.link.ask(request), prefix: "second" });
    tengen.kept = kept;
    const keep = el("button", { type: "button", id: "core-keep", disabled: true, onclick: () => {
      if (kept.replay) {
        kept.remove();
        keep.textContent = "Keep beside the next one";
      } else if (core.replay) {
        kept.load(core.replay.recording);
        keep.textContent = "Put the kept one away";
      }
    } }, "Keep beside the next one");
    /** Small searches to explain: a context a level (two at the last), no bounds, so that every step is one of textbook alpha-beta. */
    const LECTURES = { "lecture-3x3": "1,1 0,0", "lecture-4x4": "0,0 1,1" };
    const lecture = async (name) => {
      game.change({ config: name, moves: tengen.words(LECTURES[name]), you: "both", levels: "" });
      await record();
      if (!core.replay) return;
      core.explained.open = true;
      core.speed.value = 2;
      core.go(0);
    };
    const lectures = el("select", { id: "core-lecture", "aria-label": "Lecture", onchange: (event) => {
      const { value } = event.target;
      event.target.value = "";
      if (value !== "") lecture(value);
    } }, el("option", { value: "" }, "Lecture ..."), ...Object.keys(LECTURES).map((name) => el("option", { value: name }, name)));
    const stale = el("p", { id: "core-stale", role: "status", hidden: true });
    /** Says of which position the recording is, if the board shows another one. */
    const compare = () => {
      const shown = core.replay;
      const same = shown && recorded !== null && recorded.config === game.at.config && recorded.moves === game.at.moves;
      stale.hidden = !shown || Boolean(same);
      if (stale.hidden) return;
      const { name, rows } = shown.core;
      const moves = shown.moves.map((cell) => tengen.square(cell, rows)).join(" ");
      const back = recorded && el("button", { type: "button", id: "core-position", onclick: () => game.change({ ...recorded, moves: tengen.words(recorded.moves), you: "both" }) }, "Show its position");
      stale.replaceChildren(`This recording is of another position than the board: ${name}, ${moves === "" ? "the empty board" : moves}. `, back ?? "");
    };
    game.listen(compare);
    const told = el("p", { class: "faint", id: "core-told", role: "status" }, "The simulated core searches this position, traced clock by clock; every node is compared with the model on the way.");
    const open = (recording) => {
      core.load(recording);
      keep.disabled = false;
      compare();
      game.board.container.scrollIntoView?.({ block: "nearest" });
    };
    const record = async () => {
      button.disabled = true;
      told.textContent = "The core searches; the first search of a game compiles its simulation, which takes a while ...";
      try {
        const { at } = game;
        const found = await game.link.ask({ type: "record", at, levels: game.coreLevels });
        if (found.type === "recording") {
          recorded = at;
          open(found.recording);
          told.textContent = `Simulated in ${tengen.time(found.seconds)}; every node agreed with the model.`;
        }
      } catch (error) {
        told.textContent = `${error.message}.`;
      }
      button.disabled = false;
    };
    const button = el("button", { type: "button", id: "core-record", onclick: record }, "Record the search of this position");
    const file = el("input", { type: "file", id: "core-file", accept: ".json,.html", onchange: async (event) => {
      const [chosen] = event.target.files;
      event.target.value = "";
      if (!chosen) return;
      try {
        const text = await chosen.text();
        // A saved page, or the recording alone.
        const inside = text.trimStart().startsWith("<") ? new DOMParser().parseFromString(text, "text/html").getElementById("recording")?.textContent : text;
        const recording = JSON.parse(inside ?? "null");
        new tengen.Replay(recording);
        const { name, columns, rows, in_a_row } = recording.core;
        const same = game.options.configs.some((one) => one.name === name && one.columns === columns && one.rows === rows && one.in_a_row === in_a_row);
        recorded = same ? { config: name, moves: recording.moves } : null;
        if (same) game.change({ config: name, moves: tengen.words(recording.moves), you: "both" });
        open(recording);
        told.textContent = same ? `Opened ${chosen.name}.` : `Opened ${chosen.name}: of a core that is not among these, so that the board shows nothing of it.`;
      } catch (error) {
        told.textContent = `${chosen.name} cannot be opened: ${error.message}.`;
      }
    } });
    place.replaceChildren(el("div", { class: "row" }, button, el("label", { class: "file" }, "Open a saved search ", file), keep, lectures), told, stale, el("div", { class: "beside" }, view, second));
    return { record, lecture };
  };

  const begin = async () => {
    const options = await (await fetch("/options.json")).json();
    let lost = false;
    let game = null;
    const link = new tengen.Link((text) => say(text), (open) => {
      if (!open) say("The server is gone; this page tries to reach it again.", true);
      else if (lost) say("The server is back.");
      if (open && lost) game?.refresh();
      lost = !open;
    });
    game = new tengen.Game(link, options);
    tengen.game = game;
    const analysis = new tengen.Analysis(document.getElementById("analysis"), game);
    const core = lookIntoTheCore(game);
    new tengen.Measure(document.getElementById("measure"), game);
    const choose = tabs((shown) => {
      if (shown === "analysis") analysis.marked();
      else if (shown === "core" && tengen.view.replay) tengen.view.go(tengen.view.clock, tengen.view.selected);
      else game.mark({});
    });
    game.keepAddress(false);
    await game.refresh();
    performance.mark("ready");
    document.body.dataset.ready = "yes";
    // An address may name a view, and a clock of the search of its position: view=core&clock=300.
    const asked = new URLSearchParams(location.search);
    if (asked.has("view")) choose(asked.get("view"));
    if (asked.has("lecture")) {
      choose("core");
      await core.lecture(`lecture-${asked.get("lecture") === "4x4" ? "4x4" : "3x3"}`);
    } else if (asked.get("view") === "core" && asked.has("clock")) {
      await core.record();
      if (tengen.view.replay) tengen.view.go(Math.round(Number(asked.get("clock"))) || 0);
    }
  };
  begin().catch((error) => say(`The page could not begin: ${error.message}.`, true));
}
