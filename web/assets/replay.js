// SPDX-License-Identifier: MIT OR Apache-2.0
// A recorded search, ready to be looked at at any of its clocks.
"use strict";

/** How many of the sorted numbers are at most this one. */
tengen.upTo = (sorted, value) => {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low;
};

tengen.Replay = class {
  static FORMAT = "tengen-recording 1";

  /** Of what the server or a file gives; throws with a reason if it is no recording. */
  constructor(recording) {
    if (recording?.format !== tengen.Replay.FORMAT) {
      throw new Error(`this is no ${tengen.Replay.FORMAT}: record a search and save it`);
    }
    this.recording = recording;
    this.core = recording.core;
    this.moves = tengen.words(recording.moves);
    const fields = recording.pass_fields;
    this.passes = recording.passes.map((values, index) => {
      const pass = { index };
      fields.forEach((field, place) => (pass[field] = values[place]));
      pass.isNode = recording.kinds[pass.kind] === "node";
      return pass;
    });
    this.returns = recording.returns.map(([clock, level, path, extensions, value, bound]) => ({ clock, level, path, extensions, value, bound }));
    const last = this.passes.reduce((most, pass) => Math.max(most, pass.retired), 0);
    this.last = Math.max(recording.clocks.length - 1, last, 0);
    this.issued = this.passes.map((pass) => pass.issued);
    this.retired = this.passes.map((pass) => pass.retired);
    this.causes();
    this.tree();
    this.sorted();
    this.contexts();
  }

  /** A cell as machines write it, and as people do. */
  cellName(cell) { return `${cell % this.core.columns},${Math.floor(cell / this.core.columns)}`; }
  square(cell) { return tengen.square(this.cellName(cell), this.core.rows); }
  pathName(path) { return path.length === 0 ? "the root" : path.map((cell) => this.square(cell)).join(" "); }

  /** Clocks of each letter up to every clock. */
  causes() {
    const { clocks, letters } = this.recording;
    this.soFar = new Map(letters.map(([letter]) => [letter, new Uint32Array(clocks.length + 1)]));
    for (let clock = 0; clock < clocks.length; clock++) {
      for (const [letter, counts] of this.soFar) counts[clock + 1] = counts[clock] + (clocks[clock] === letter ? 1 : 0);
    }
  }

  /** Clocks of a letter before a clock. */
  count(letter, before) {
    const counts = this.soFar.get(letter);
    return counts[Math.max(0, Math.min(counts.length - 1, before))];
  }

  /** Nodes by path; what each returned. */
  tree() {
    const nodes = new Map();
    const node = (path) => {
      const key = path.join(",");
      let found = nodes.get(key);
      if (!found) {
        found = { path, pass: null, returned: null, children: [], from: 0, to: 0 };
        nodes.set(key, found);
        if (path.length > 0) node(path.slice(0, -1)).children.push(found);
      }
      return found;
    };
    this.root = node([]);
    for (const pass of this.passes) {
      if (pass.isNode) node(pass.path).pass ??= pass;
    }
    for (const of of this.returns) node(of.path).returned ??= of;
    let place = 0;
    const layOut = (of) => {
      of.from = place;
      if (of.children.length === 0) place += 1;
      of.children.forEach(layOut);
      of.to = place;
    };
    layOut(this.root);
    this.width = place;
    this.nodes = [...nodes.values()];
    this.byKey = nodes;
    this.depth = this.nodes.reduce((most, of) => Math.max(most, of.path.length), 0);
  }

  /** Sorted clocks by ply and by level and bound. */
  sorted() {
    const ascending = (a, b) => a - b;
    this.plies = Array.from({ length: this.depth + 1 }, (_, ply) =>
      this.nodes.filter((of) => of.path.length === ply && of.pass?.fresh).map((of) => of.pass.retired).sort(ascending));
    this.bounds = Array.from({ length: this.core.levels }, (_, index) => Object.fromEntries(["=", "<=", ">="].map((bound) =>
      [bound, this.returns.filter((of) => of.level === index + 1 && of.bound === bound).map((of) => of.clock).sort(ascending)])));
  }

  /** Nodes of a ply that had come out by a clock. */
  nodesAt(ply, clock) { return tengen.upTo(this.plies[ply], clock); }

  /** What each context holds from when to when, and its node. */
  contexts() {
    const { contexts_of_levels } = this.core;
    this.bases = contexts_of_levels.map((_, level) => contexts_of_levels.slice(0, level).reduce((sum, number) => sum + number, 0));
    const total = contexts_of_levels.reduce((sum, number) => sum + number, 0);
    this.windows = Array.from({ length: total }, () => ({ clocks: [], ends: [] }));
    for (const [clock, context, ...ends] of this.recording.windows) {
      this.windows[context].clocks.push(clock);
      this.windows[context].ends.push(ends.length > 0 ? ends : null);
    }
    // A context is reserved for a node when its pass is asked for, and holds it once the pass has come out.
    this.holders = Array.from({ length: total }, () => ({ clocks: [], paths: [] }));
    for (const pass of this.passes) {
      if (!pass.isNode || pass.child === 0) continue;
      this.holders[pass.child].clocks.push(pass.retired);
      this.holders[pass.child].paths.push(pass.path);
    }
  }

  /** The window of a context in a clock, if it holds a node: its two ends. */
  windowOf(context, clock) {
    const { clocks, ends } = this.windows[context];
    const index = tengen.upTo(clocks, clock) - 1;
    return index < 0 ? null : ends[index];
  }

  /** The path of the node that a context holds. */
  nodeOf(context, clock) {
    const { clocks, paths } = this.holders[context];
    return paths[tengen.upTo(clocks, clock) - 1] ?? [];
  }

  /** Contexts of a level that hold a node in a clock: their nodes and windows. */
  held(level, clock) {
    const base = this.bases[level - 1];
    const held = [];
    for (let context = base; context < base + this.core.contexts_of_levels[level - 1]; context++) {
      const window = this.windowOf(context, clock);
      if (window) held.push({ level, context, path: this.nodeOf(context, clock), window });
    }
    return held;
  }

  /** What is in the pipeline in a clock: of each stage the pass that it holds, or nothing. */
  stages(clock) {
    const stages = new Array(this.recording.latency + 1).fill(null);
    for (let index = tengen.upTo(this.issued, clock) - 1; index >= 0; index--) {
      const pass = this.passes[index];
      const age = clock - pass.issued;
      if (age > this.recording.latency) break;
      stages[age] = pass;
    }
    return stages;
  }

  /** The pass that came out last by a clock. */
  lastRetired(clock) { return tengen.upTo(this.retired, clock) - 1; }

  /** Where nodes went by a clock: passes through each cell as the root's move or, for a root's child, below it; 0 to 1. */
  visited(clock, path) {
    const counts = new Map();
    const depth = path.length;
    for (const pass of this.passes) {
      if (pass.issued > clock) break;
      if (pass.path.length <= depth || path.some((cell, index) => pass.path[index] !== cell)) continue;
      counts.set(pass.path[depth], (counts.get(pass.path[depth]) ?? 0) + 1);
    }
    const most = Math.max(1, ...counts.values());
    return new Map([...counts].map(([cell, count]) => [cell, count / most]));
  }

  /** Shares of the clocks by letter in stretches of the search. */
  stretches(number) {
    const clocks = this.recording.clocks.length;
    const size = Math.max(1, Math.ceil(clocks / number));
    const starts = [];
    for (let start = 0; start < clocks; start += size) starts.push(start);
    const share = (letter) => starts.map((start) => {
      const end = Math.min(clocks, start + size);
      return 100 * (this.count(letter, end) - this.count(letter, start)) / (end - start);
    });
    return { starts, share };
  }
};
