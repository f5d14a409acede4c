// SPDX-License-Identifier: MIT OR Apache-2.0
// The tree of a recorded search as a picture: a row a ply, a node as wide as the nodes below it, in the colour of what has become of it.
"use strict";

tengen.Tree = class {
  constructor(container, replay, picked) {
    this.replay = replay;
    this.canvas = tengen.el("canvas", { class: "tree", role: "img", "aria-label": "The tree of the search, ply by ply" });
    this.canvas.addEventListener("click", (event) => {
      const node = this.under(event.offsetX, event.offsetY);
      if (node?.pass) picked(node.pass.index);
    });
    const key = [["accent", "evaluated, open"], ["won", "has its value"], ["faint", "no better than alpha"], ["lost", "cut: reached beta"],
      ["line", "in the pipeline"]];
    container.replaceChildren(this.canvas, tengen.el("p", { class: "key" }, key.map(([colour, words]) => {
      const patch = tengen.el("i");
      patch.style.background = `var(--${colour})`;
      return tengen.el("span", {}, patch, words);
    })));
    this.watch = new ResizeObserver(() => this.draw(this.clock ?? 0, this.selected));
    this.watch.observe(this.canvas);
  }

  remove() { this.watch.disconnect(); }

  rowHeight() { return this.canvas.clientHeight / (this.replay.depth + 1); }

  under(x, y) {
    const ply = Math.floor(y / this.rowHeight());
    const place = x / this.canvas.clientWidth * this.replay.width;
    let node = this.replay.root;
    for (let row = 0; row < ply && node; row++) node = node.children.find((child) => child.from <= place && place < child.to);
    return node;
  }

  colourOf(node, clock) {
    const { pass, returned } = node;
    if (!pass || pass.issued > clock) return null;
    if (pass.retired > clock) return this.colours.flight;
    if (returned && returned.clock <= clock) return this.colours[returned.bound];
    return this.replay.recording.outcomes[pass.outcome] === "open" && !pass.depth_zero ? this.colours.open : this.colours["="];
  }

  draw(clock, selected) {
    this.clock = clock;
    this.selected = selected;
    const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    if (width === 0) return;
    const scale = window.devicePixelRatio || 1;
    if (this.canvas.width !== Math.round(width * scale)) {
      this.canvas.width = Math.round(width * scale);
      this.canvas.height = Math.round(height * scale);
    }
    this.colours = { open: tengen.colour("accent"), "=": tengen.colour("won"), "<=": tengen.colour("faint"), ">=": tengen.colour("lost"), flight: tengen.colour("line") };
    const context = this.canvas.getContext("2d");
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    const row = this.rowHeight();
    const unit = width / this.replay.width;
    for (const node of this.replay.nodes) {
      const colour = node === this.replay.root ? this.colours.open : this.colourOf(node, clock);
      if (!colour) continue;
      const box = [node.from * unit, node.path.length * row + 1, Math.max(0.6, (node.to - node.from) * unit - (unit > 3 ? 1 : 0)), row - 2];
      context.fillStyle = colour;
      context.fillRect(...box);
      if (node.pass && node.pass.index === selected) {
        context.strokeStyle = tengen.colour("ink");
        context.lineWidth = 2;
        context.strokeRect(box[0] - 1, box[1], Math.max(4, box[2] + 2), box[3]);
      }
    }
  }
};
