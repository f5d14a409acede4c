// SPDX-License-Identifier: MIT OR Apache-2.0
// A look into the core: a recorded search, clock by clock.
"use strict";

/** The view of a recording in an element. `mark(marks, moves)` shows marks on a board; `ask(request)`, if there is a server, answers. */
tengen.CoreView = class {
  constructor(container, { mark, ask = null, prefix = "core" }) {
    this.container = container;
    this.prefix = prefix;
    this.mark = mark;
    this.ask = ask;
    this.clock = 0;
    this.playing = null;
    this.selected = null;
    /** Milliseconds that each drawing of a clock took: what smoothness is measured by. */
    this.frames = [];
  }

  id(name) { return `${this.prefix}-${name}`; }

  load(recording) {
    this.remove();
    this.replay = new tengen.Replay(recording);
    this.build();
    this.go(0);
  }

  /** Puts the recording away. */
  remove() {
    this.pause();
    this.tree?.remove();
    this.chart?.remove();
    this.tree = this.chart = this.replay = null;
    this.container.replaceChildren();
  }

  build() {
    const { el } = tengen;
    const { recording, core } = this.replay;
    const button = (id, name, label, act) => el("button", { type: "button", id, title: label, onclick: act,
      // Signs have names; words are their own.
      "aria-label": /^[a-z]/i.test(name) ? null : label }, name);
    this.playButton = button(this.id("play"), "Play", "Play or pause", () => (this.playing ? this.pause() : this.play()));
    this.slider = el("input", { type: "range", id: this.id("clock"), class: "slider", min: 0, max: this.replay.last, value: 0, "aria-label": "Clock of the search",
      oninput: (event) => { this.pause(); this.go(Number(event.target.value)); } });
    this.speed = el("select", { id: this.id("speed"), "aria-label": "Clocks a second" },
      [2, 10, 60, 300, 1500, 6000].map((speed) => el("option", { value: speed, selected: speed === 60 }, `${speed} clocks a second`)));
    this.number = el("input", { type: "number", id: this.id("node"), min: 1, max: this.replay.passes.length, value: 1, "aria-label": "Number of a pass" });
    this.where = el("p", { id: this.id("where"), "aria-live": "polite" });
    this.stageList = el("ol", { class: "stages", "aria-label": "Pipeline" }, Array.from({ length: recording.latency + 1 }, (_, stage) => {
      const name = stage === 0 ? "issue" : stage === 1 ? "builder" : stage === recording.latency ? "result" : `evaluator ${stage - 1}`;
      const file = tengen.circuitOf(stage, recording.latency);
      // The sources are asked of the server; a saved page names the file.
      const circuit = this.ask ? el("a", { href: `/source/${file}`, target: "_blank", title: `The circuit of this stage: ${file}` }, name) : el("span", { title: file }, name);
      return el("li", {}, el("small", {}, circuit), el("span"));
    }));
    this.levelBody = el("tbody");
    this.plyBody = el("tbody");
    this.windowBody = el("tbody");
    this.windows = el("details", { id: this.id("windows"), ontoggle: () => this.go(this.clock, this.selected) }, el("summary", {}, "Contexts and their windows"),
      tengen.table("Windows", ["level", "node", "alpha", "beta"], this.windowBody, "windows"));
    this.captions = el("ul", { class: "captions", "aria-live": "polite" });
    this.explained = el("details", { id: this.id("explain"), ontoggle: () => this.go(this.clock, this.selected) }, el("summary", {}, "This clock in sentences"), this.captions);
    this.nodeBody = el("tbody");
    this.modelNote = el("p", { class: "faint", id: this.id("model"), role: "status" });
    this.waves = el("span", { id: this.id("waves") });
    const chartPlace = el("div"), treePlace = el("div"), branchPlace = el("div");
    const decision = recording.decision === null ? "nothing to search: a static rule decides" :
      `decides ${tengen.square(recording.decision.cell, core.rows)}, ${recording.decision.score} half-points`;
    const { table } = tengen;
    this.container.replaceChildren(
      el("p", { id: this.id("summary") }, `${core.name}, ${recording.levels} levels: ${tengen.number(recording.cycles)} clocks, ` +
        `${tengen.number(this.replay.passes.length)} passes; ${decision}.`),
      el("div", { class: "row" },
        button(this.id("start"), "|<", "To the first clock", () => this.step(-this.replay.last)),
        button(this.id("node-back"), "< node", "A node back", () => this.stepNode(-1)),
        button(this.id("back"), "<", "A clock back", () => this.step(-1)),
        this.playButton,
        button(this.id("on"), ">", "A clock on", () => this.step(1)),
        button(this.id("node-on"), "node >", "A node on", () => this.stepNode(1)),
        button(this.id("end"), ">|", "To the last clock", () => this.step(this.replay.last)),
        this.speed),
      this.slider,
      el("div", { class: "row" }, el("label", {}, "Pass ", this.number), button(this.id("go"), "Go to it", "Go to the pass of this number", () => this.toPass(Number(this.number.value) - 1)),
        button(this.id("save"), "Save as a page", "Save this search as a page that needs no server", () => this.saved()),
        this.ask ? button(this.id("wave"), "Waveform", "A waveform of this search, looked at at this clock", () => this.waveform()) : null, this.waves),
      this.where,
      this.explained,
      el("h2", {}, "Pipeline"), this.stageList,
      el("h2", {}, "What the evaluator does, over time"), chartPlace,
      table("Where the cycles went", ["cause", "cycles", "%", "meaning"], el("tbody", {}, tengen.rows(tengen.causes(this.replay))), "causes"),
      el("h2", {}, "Tree"), treePlace, branchPlace,
      el("h2", {}, "Levels"), table("Levels", ["level", "contexts held", "returned a value", "no better", "cut"], this.levelBody, "levels"),
      this.windows,
      el("h2", {}, "Nodes by ply"), table("Nodes by ply", ["ply", "nodes", ""], this.plyBody, "bars"),
      el("h2", {}, "The node"), this.modelNote, table("The node", ["field", "core", this.ask ? "model" : ""], this.nodeBody, "node"));
    this.drawChart(chartPlace);
    this.tree = new tengen.Tree(treePlace, this.replay, (index) => this.toPass(index));
    this.branch = new tengen.Branch(branchPlace, this.replay, (index) => this.toPass(index));
    this.levelRows = Array.from({ length: core.levels }, (_, index) => {
      const cells = Array.from({ length: 5 }, () => el("td"));
      cells[0].textContent = `${index + 1}`;
      this.levelBody.append(el("tr", {}, cells));
      return cells;
    });
    this.plyRows = this.replay.plies.map((_, ply) => {
      const cells = Array.from({ length: 3 }, () => el("td"));
      cells[0].textContent = `${ply}`;
      this.plyBody.append(el("tr", {}, cells));
      return cells;
    });
  }

  drawChart(place) {
    const { recording } = this.replay;
    const { starts, share } = this.replay.stretches(200);
    if (starts.length < 2) return place.replaceChildren("Too short to draw.");
    const colours = ["won", "line", "faint", "accent", "level-4", "lost", "level-1"].map((name) => tengen.colour(name));
    const parts = recording.letters.map(([letter, name], index) => ({ name, colour: colours[index], values: share(letter) })).filter(({ values }) => values.some((value) => value > 0));
    const { data, series } = tengen.charts.stacked(starts, parts);
    this.chart = new tengen.charts.Chart(place, {
      title: `Share of the clocks in which a pass went in: ${tengen.number(100 * this.replay.count("P", recording.clocks.length) / recording.clocks.length)} of 100`,
      height: 190, data, series, scales: { x: { time: false }, y: { range: [0, 100] } },
      axes: [tengen.charts.axis("clock"), tengen.charts.axis("% of the clocks", { upwards: true })], picked: (clock) => { this.pause(); this.go(Math.round(clock)); },
    });
  }

  step(clocks) { this.pause(); this.go(this.clock + clocks); }

  /** To the clock in which the next node comes out, or the one before. */
  stepNode(direction) {
    this.pause();
    const now = this.replay.lastRetired(this.clock);
    this.toPass(direction > 0 ? now + 1 : now - 1);
  }

  toPass(index) {
    this.pause();
    const pass = this.replay.passes[Math.max(0, Math.min(this.replay.passes.length - 1, index))];
    if (!pass) return;
    this.go(pass.retired, pass.index);
  }

  play() {
    if (this.clock >= this.replay.last) this.go(0);
    this.playButton.textContent = "Pause";
    // Who listens is not told every frame.
    this.live("off");
    let before = performance.now(), part = 0;
    const frame = (now) => {
      if (!this.playing) return;
      part += (now - before) / 1000 * Number(this.speed.value);
      before = now;
      const clocks = Math.floor(part);
      part -= clocks;
      if (clocks > 0) this.go(this.clock + clocks);
      if (this.clock >= this.replay.last) return this.pause();
      this.playing = requestAnimationFrame(frame);
    };
    this.playing = requestAnimationFrame(frame);
  }

  pause() {
    if (this.playing) cancelAnimationFrame(this.playing);
    this.playing = null;
    this.live("polite");
    if (this.playButton) this.playButton.textContent = "Play";
    if (this.replay) this.askModel();
  }

  /** Whether what a clock says is read out as it changes. */
  live(how) { [this.where, this.captions].forEach((place) => place?.setAttribute("aria-live", how)); }

  /** Shows a clock; the node is the one that came out last unless one is named. */
  go(clock, pass = null) {
    const begin = performance.now();
    this.clock = Math.max(0, Math.min(this.replay.last, clock));
    this.selected = pass ?? this.replay.lastRetired(this.clock);
    this.draw();
    this.frames.push(performance.now() - begin);
    if (!this.playing) this.askModel();
  }

  draw() {
    const { replay, clock } = this;
    const { recording, core } = replay;
    this.slider.value = clock;
    const letter = recording.clocks[clock];
    const meaning = recording.letters.find(([of]) => of === letter)?.[2] ?? "after the answer: what is left in the pipeline comes out";
    const issued = tengen.upTo(replay.issued, clock), out = replay.lastRetired(clock) + 1;
    this.where.textContent = `Clock ${clock} of ${replay.last}: ${meaning}. ${issued} passes in, ${out} out.`;
    const stages = replay.stages(clock);
    [...this.stageList.children].forEach((item, stage) => {
      const pass = stages[stage];
      item.className = pass ? "full" : "";
      item.style.setProperty("--of", pass ? `var(--level-${Math.max(1, Math.min(10, pass.path.length))})` : "");
      item.lastChild.textContent = pass ? `${pass.path.length === 0 ? "root" : replay.square(pass.path[pass.path.length - 1])}` +
        ` ply ${pass.path.length}${pass.isNode ? "" : ` ${recording.kinds[pass.kind]}`}` : "";
    });
    const windows = [];
    this.levelRows.forEach((cells, index) => {
      const bounds = replay.bounds[index];
      const held = replay.held(index + 1, clock);
      if (this.windows.open) windows.push(...held);
      cells[1].textContent = `${held.length} of ${core.contexts_of_levels[index]}`;
      ["=", "<=", ">="].forEach((bound, place) => (cells[place + 2].textContent = `${tengen.upTo(bounds[bound], clock)}`));
    });
    if (this.windows.open) this.drawWindows(windows);
    const counts = this.plyRows.map((_, ply) => replay.nodesAt(ply, clock));
    const most = Math.max(1, ...counts);
    this.plyRows.forEach((cells, ply) => {
      cells[1].textContent = `${counts[ply]}`;
      cells[2].textContent = "█".repeat(Math.round(24 * counts[ply] / most));
    });
    this.chart?.line(clock);
    this.tree.draw(clock, this.selected);
    this.branch.draw(clock, replay.passes[this.selected]?.path ?? []);
    if (this.explained.open) this.captions.replaceChildren(...tengen.captions(replay, clock).map((text) => tengen.el("li", {}, text)));
    this.drawNode();
  }

  /** Contexts with their nodes and windows; rows are used again, for this is drawn in every clock. */
  drawWindows(windows) {
    const body = this.windowBody;
    while (body.children.length < windows.length) body.append(...tengen.rows([["", "", "", ""]]));
    [...body.children].forEach((row, index) => {
      row.hidden = index >= windows.length;
      if (row.hidden) return;
      const { level, path, window: [alpha, beta] } = windows[index];
      const { win } = this.replay.core;
      const texts = [`${level}`, this.replay.pathName(path), alpha < -win ? "-" : `${alpha}`, beta > win ? "-" : `${beta}`];
      texts.forEach((text, column) => { if (row.children[column].textContent !== text) row.children[column].textContent = text; });
    });
  }

  drawNode() {
    const { el } = tengen;
    const { replay, selected, clock } = this;
    const pass = replay.passes[selected];
    if (!pass) {
      this.nodeBody.replaceChildren();
      this.modelNote.textContent = "No node has come out yet.";
      return this.mark({ heat: replay.visited(clock, []) }, replay.moves);
    }
    this.number.value = selected + 1;
    const { recording } = replay;
    const cell = (of) => (of === null ? "none" : replay.square(of));
    const returned = replay.byKey.get(pass.path.join(","))?.returned;
    const rows = [
      ["pass", `${selected + 1}, ${recording.kinds[pass.kind]}`], ["path", replay.pathName(pass.path)], ["asked by level", pass.level],
      ["issued, retired", `${pass.issued}, ${pass.retired}`], ["waveform", `cycle ${recording.begin + pass.retired}, ` +
        `${tengen.number((recording.begin + pass.retired) * replay.core.period_ps / 1000)} ns`],
      ["current", pass.fresh ? "yes" : "no: its node had been left, the result is dropped"], ["extensions left", pass.extensions], ["no level left", pass.depth_zero ? "yes" : "no"],
      ["outcome", recording.outcomes[pass.outcome] ?? "?"], ["best", cell(pass.best)], ["gain", pass.gain ?? "none"], ["makes_four", pass.makes_four === null ? "none" : String(Boolean(pass.makes_four))],
      ["leaf_value", pass.leaf_value], ["potential", pass.potential], ["value if it ends here", pass.value],
      ["returned", returned && returned.clock <= clock ? `${returned.bound} ${returned.value} in clock ${returned.clock}` : "not yet"],
    ];
    this.nodeBody.replaceChildren(...rows.map(([name, value]) => el("tr", { "data-field": name }, el("td", {}, name), el("td", {}, `${value}`), el("td"))));
    const heat = new Map();
    const most = Math.max(1, ...pass.winners.filter((_, index) => index % 2 === 1));
    for (let index = 0; index < pass.winners.length; index += 2) heat.set(pass.winners[index], pass.winners[index + 1] / most);
    this.mark({ heat: heat.size > 0 ? heat : replay.visited(clock, pass.path.slice(0, -1)), ghosts: pass.path.map((of) => replay.cellName(of)) }, replay.moves);
    this.modelNote.textContent = heat.size > 0 ? "Red on the board: gains of the moves that came out first of their group." : "Red on the board: where passes went from the node above.";
  }

  /** Asks the model about the node that is shown, once nothing moves any more. */
  askModel() {
    clearTimeout(this.asking);
    const pass = this.replay?.passes[this.selected];
    if (!this.ask || !pass || !pass.isNode || !pass.fresh) return;
    this.asking = setTimeout(async () => {
      const { selected, replay } = this;
      try {
        const found = await this.ask({ type: "node", at: { config: replay.core.name, moves: replay.recording.moves }, path: pass.path.map((cell) => replay.cellName(cell)).join(" "),
          depth_zero: Boolean(pass.depth_zero), extensions: pass.extensions });
        if (this.selected !== selected || this.replay !== replay || found.type !== "node") return;
        this.compared(pass, found);
      } catch (error) {
        this.modelNote.textContent = `${error.message}.`;
      }
    }, 120);
  }

  compared(pass, found) {
    const { replay } = this;
    const model = {
      outcome: found.outcome, best: found.best === null ? "none" : replay.square(found.best), gain: `${found.gain ?? "none"}`,
      makes_four: `${found.makes_four ?? "none"}`, leaf_value: `${found.leaf_value}`, potential: `${found.potential}`,
    };
    let same = 0;
    for (const row of this.nodeBody.children) {
      const value = model[row.dataset.field];
      if (value === undefined) continue;
      const [, core, cell] = row.children;
      cell.textContent = value;
      cell.className = core.textContent === value ? "same" : "differs";
      same += core.textContent === value ? 1 : 0;
    }
    this.modelNote.textContent = `${same} of ${Object.keys(model).length} fields are the model's.`;
    if (pass.winners.length > 0) {
      const most = Math.max(1, ...found.moves.map(([, gain]) => gain));
      this.mark({ heat: new Map(found.moves.map(([cell, gain]) => [cell, gain / most])), ghosts: pass.path.map((of) => replay.cellName(of)) }, replay.moves);
      this.modelNote.textContent += " Red on the board: gains of its moves.";
    }
  }

  async waveform() {
    this.waves.textContent = "being made: the first one compiles a simulation ...";
    try {
      const { recording } = this.replay;
      const at = { config: recording.core.name, moves: recording.moves };
      const made = await this.ask({ type: "waveform", at, levels: recording.levels, clock: this.clock });
      if (made.type !== "waveform") return (this.waves.textContent = "");
      const links = made.files.map((file) => tengen.el("a", { href: `/waveform/${made.name}/${file}`, download: file }, file)).flatMap((link) => [link, " "]);
      this.waves.replaceChildren(`cycle ${made.cycle}, ${tengen.number(made.picoseconds / 1000)} ns: `, ...links);
    } catch (error) {
      this.waves.textContent = `${error.message}.`;
    }
  }

  /** One page with the recording and everything that shows it. */
  async saved() {
    const text = async (name) => {
      const inside = document.querySelector(`[data-part="${name}"]`);
      if (inside) return inside.textContent;
      const answer = await fetch(`/assets/${name}`);
      if (!answer.ok) throw new Error(`the server has no ${name}`);
      return answer.text();
    };
    const part = async (name) => {
      const tag = name.endsWith(".css") ? "style" : "script";
      // What ends a script within a page is not to end it here.
      return `<${tag} data-part="${name}">${(await text(name)).replaceAll("</script", "<\\/script")}</${tag}>\n`;
    };
    let parts;
    try {
      parts = await Promise.all(tengen.CoreView.PARTS.map(part));
    } catch (error) {
      this.where.textContent = `The page cannot be saved: ${error.message}. It takes the server to put it together.`;
      return;
    }
    const data = JSON.stringify(this.replay.recording).replaceAll("<", "\\u003c");
    // A name out of a file is text, whatever it holds.
    const title = tengen.escaped(`tengen: a search of ${this.replay.core.name}`);
    tengen.save(`${this.replay.core.name.replaceAll(/[^\w-]/g, "_")}-search.html`, `<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n` +
      `<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>${title}</title>\n</head>\n<body class="app">\n<header><h1>${title}</h1></header>\n` +
      `<main>\n<section id="table" aria-label="Board"><div id="board"></div></section>\n<section id="core" aria-label="The search"></section>\n</main>\n` +
      `<script type="application/json" id="recording">${data}</script>\n${parts.join("")}</body>\n</html>\n`, "text/html");
  }
};

/** What shows a recording without a server, in the order in which it is loaded. */
tengen.CoreView.PARTS = ["report.css", "uPlot.min.css", "style.css", "uPlot.iife.min.js", "tools.js", "board.js", "charts.js", "replay.js", "tree.js", "lecture.js", "core.js", "alone.js"];
