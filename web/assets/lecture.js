// SPDX-License-Identifier: MIT OR Apache-2.0
// What happens in a clock of a recorded search, in sentences; and the tree around a node as a drawing with values and windows.
"use strict";

/** The circuit of a stage of the pipeline: its file in the sources. */
tengen.circuitOf = (stage, latency) => {
  if (stage === 0) return "search_requests.rs";
  if (stage === 1) return "node_builder.rs";
  return stage === latency ? "search_results.rs" : "evaluator.rs";
};

/** Sentences about a clock of a replay. */
tengen.captions = (replay, clock) => {
  const { recording } = replay;
  const sentences = [];
  const name = (path) => (path.length === 0 ? "the root" : `node ${replay.pathName(path)}`);
  const within = (sorted, list) => list.slice(tengen.upTo(sorted, clock - 1), tengen.upTo(sorted, clock));
  for (const pass of within(replay.issued, replay.passes)) {
    const what = pass.isNode ? name(pass.path) : `a pass "${recording.kinds[pass.kind]}" for ${name(pass.path)}`;
    sentences.push(`Issue: ${what} enters the pipeline, asked for by level ${pass.level}.`);
  }
  for (const pass of within(replay.retired, replay.passes)) {
    if (!pass.isNode) continue;
    const outcome = recording.outcomes[pass.outcome];
    const told = !pass.fresh ? "its node had been left meanwhile, so the result is dropped (speculative work)"
      : outcome !== "open" ? `a static rule decides it (${outcome}), value ${pass.value}`
        : pass.depth_zero ? `a leaf, value ${pass.leaf_value}` : `open, its first move is ${replay.square(pass.best)}; it takes a context and its children are searched`;
    sentences.push(`Result: ${name(pass.path)} leaves the pipeline: ${told}.`);
  }
  for (const of of replay.returns.filter((one) => one.clock === clock)) {
    const told = {
      "=": `returns exactly ${of.value}: all its moves have been looked at`,
      "<=": `returns at most ${of.value}: no move is better than alpha, so the side above already has something better`,
      ">=": `returns at least ${of.value}: a cutoff. It has reached beta, the opponent will not allow this node, and its other moves are not searched`,
    }[of.bound] ?? "returns";
    sentences.push(`Return: level ${of.level}, ${name(of.path)}, ${told}.`);
  }
  const letter = recording.clocks[clock];
  if (letter && letter !== "P" && letter !== ".") {
    const [, cause, meaning] = recording.letters.find(([of]) => of === letter);
    sentences.push(`Stall (${cause}): ${meaning}. It has cost ${replay.count(letter, clock + 1)} cycles so far, ${replay.count(letter, recording.clocks.length)} in the whole search.`);
  }
  return sentences.length > 0 ? sentences : ["Nothing begins or ends in this clock; the pipeline moves on by a stage."];
};

/** Where the cycles of a search went: rows of cause, cycles, share and meaning. */
tengen.causes = (replay) => replay.recording.letters.map(([letter, name, meaning]) => {
  const { clocks } = replay.recording;
  const cycles = replay.count(letter, clocks.length);
  return [name, tengen.number(cycles), tengen.number(100 * cycles / Math.max(1, clocks.length)), meaning];
}).filter(([, cycles]) => cycles !== "0");

/** The path to a node as a drawing: each node of it with its children, their values, and the window of the context that holds it. */
tengen.Branch = class {
  static WIDTH = 640;
  static ROW = 64;
  /** Children that a row shows. */
  static MOST = 9;

  constructor(container, replay, picked) {
    this.replay = replay;
    this.picked = picked;
    this.place = tengen.el("div", { class: "branch" });
    container.replaceChildren(this.place, tengen.el("p", { class: "faint" },
      "A square's number is the node's value for the side to move there (= exact, ≤ at most, ≥ at least: a cutoff); the node above is worth the largest of minus these. Alpha and beta are the window of the node's context in this clock."));
  }

  /** The value of a node by a clock, as it is drawn. */
  value(node, clock) {
    const { pass, returned } = node;
    // The root has no pass of its own: the core keeps its evaluation from the move before.
    if (node === this.replay.root) return { text: "open", style: "open" };
    if (returned && returned.clock <= clock) return { text: `${{ "=": "=", "<=": "≤", ">=": "≥" }[returned.bound] ?? ""} ${returned.value}`, style: { "=": "exact", "<=": "low", ">=": "cut" }[returned.bound] };
    if (!pass || pass.retired > clock) return { text: "...", style: "flight" };
    const ended = this.replay.recording.outcomes[pass.outcome] !== "open" || pass.depth_zero;
    return ended ? { text: `= ${pass.depth_zero && this.replay.recording.outcomes[pass.outcome] === "open" ? pass.leaf_value : pass.value}`, style: "exact" } : { text: "open", style: "open" };
  }

  draw(clock, path) {
    const { svg } = tengen;
    const { WIDTH, ROW, MOST } = tengen.Branch;
    const { replay } = this;
    const marks = [];
    const box = (x, y, node, text, chosen) => {
      const { text: value, style } = this.value(node, clock);
      const group = svg("g", { class: `leaf leaf-${style}${chosen ? " chosen" : ""}`, onclick: () => node.pass && this.picked(node.pass.index) },
        svg("rect", { x: x - 28, y, width: 56, height: 34, rx: 5 }), svg("text", { x, y: y + 12 }, text), svg("text", { x, y: y + 27, class: "value" }, value));
      marks.push(group);
    };
    let from = { x: WIDTH / 2, y: 2 };
    box(from.x, from.y, replay.root, "root", true);
    let rows = 1;
    for (let ply = 0; ply <= path.length; ply++) {
      const node = replay.byKey.get(path.slice(0, ply).join(","));
      const seen = (node?.children ?? []).filter((child) => child.pass && child.pass.issued <= clock).sort((a, b) => a.pass.issued - b.pass.issued);
      if (seen.length === 0) break;
      const held = replay.held(ply + 1, clock).find((one) => one.path.join(",") === path.slice(0, ply).join(","));
      if (held) {
        const { win } = replay.core;
        const end = (value) => (Math.abs(value) > win ? "-" : `${value}`);
        const left = from.x > WIDTH - 110;
        const text = (y, words) => svg("text", { class: `window${left ? " left" : ""}`, x: from.x + (left ? -36 : 36), y: from.y + y }, words);
        marks.push(text(14, `alpha ${end(held.window[0])}`), text(29, `beta ${end(held.window[1])}`));
      }
      const at = seen.findIndex((child) => child.path[ply] === path[ply]);
      const first = Math.max(0, Math.min(seen.length - MOST, at < 0 ? seen.length - MOST : at - (MOST >> 1)));
      const shown = seen.slice(first, first + MOST);
      const y = 2 + (ply + 1) * ROW;
      const place = (index) => (index + 0.5) * WIDTH / shown.length;
      shown.forEach((child, index) => marks.unshift(svg("path", { class: "edge-line", d: `M${from.x} ${from.y + 34}L${place(index)} ${y}` })));
      let next = null;
      shown.forEach((child, index) => {
        const chosen = child.path[ply] === path[ply];
        box(place(index), y, child, replay.square(child.path[ply]), chosen);
        if (chosen) next = { x: place(index), y };
      });
      if (shown.length < seen.length) marks.push(svg("text", { class: "more", x: WIDTH - 4, y: y + 46 }, `${shown.length} of ${seen.length}`));
      rows = ply + 2;
      if (!next) break;
      from = next;
    }
    const height = rows * ROW - ROW + 52;
    this.place.replaceChildren(svg("svg", { viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": `The tree along ${replay.pathName(path)}` }, marks));
  }
};
