// SPDX-License-Identifier: MIT OR Apache-2.0
// The board: stones and marks, played on by mouse, finger and keys.
"use strict";

/** A board of a game in an element. `played` is told the cell as "x,y"; `look` of each cell that the keys come to. */
tengen.Board = class {
  static CELL = 40;
  static EDGE = 30;

  constructor(container, { columns, rows, played = null }) {
    this.container = container;
    this.columns = columns;
    this.rows = rows;
    this.played = played;
    this.cursor = { x: columns >> 1, y: rows >> 1 };
    this.shown = {};
    this.build();
  }

  at(index) { return tengen.Board.EDGE + tengen.Board.CELL / 2 + index * tengen.Board.CELL; }

  name(cell) {
    return typeof cell === "number" ? `${cell % this.columns},${Math.floor(cell / this.columns)}` : cell;
  }

  place(cell) {
    const [x, y] = this.name(cell).split(",").map(Number);
    return { x, y, cx: this.at(x), cy: this.at(y) };
  }

  build() {
    const { svg, el } = tengen;
    const { CELL, EDGE } = tengen.Board;
    const width = EDGE + this.columns * CELL, height = EDGE + this.rows * CELL;
    const lines = [];
    for (let x = 0; x < this.columns; x++) lines.push(`M${this.at(x)} ${this.at(0)}V${this.at(this.rows - 1)}`);
    for (let y = 0; y < this.rows; y++) lines.push(`M${this.at(0)} ${this.at(y)}H${this.at(this.columns - 1)}`);
    this.marks = svg("g");
    this.picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
      svg("rect", { class: "wood", x: EDGE, y: EDGE, width: width - EDGE, height: height - EDGE, rx: 6 }),
      svg("path", { class: "grid", d: lines.join("") }),
      // The centre point, where there is one.
      this.columns % 2 === 1 && this.rows % 2 === 1 ? svg("circle", { class: "star", cx: this.at((this.columns - 1) / 2), cy: this.at((this.rows - 1) / 2), r: 5 }) : null,
      Array.from({ length: this.columns }, (_, x) => svg("text", { class: "edge", x: this.at(x), y: EDGE / 2 }, String.fromCharCode(97 + x))),
      Array.from({ length: this.rows }, (_, y) => svg("text", { class: "edge", x: EDGE / 2, y: this.at(y) }, `${this.rows - y}`)),
      this.marks,
      svg("rect", { class: "hit", x: EDGE, y: EDGE, width: width - EDGE, height: height - EDGE }));
    this.picture.addEventListener("click", (event) => this.clicked(event));
    // A small board is not blown up to the window's width.
    this.picture.style.maxWidth = `${90 * (this.columns + 1)}px`;
    this.told = el("span", { class: "told", "aria-live": "polite" });
    this.told.style.cssText = "position:absolute;left:-9999px";
    this.focus = el("div", {
      class: "focus", tabindex: "0", role: "application", "aria-label": `Board of ${this.columns} by ${this.rows}`,
      "aria-roledescription": "board: arrow keys move, Enter plays",
    }, this.picture);
    this.focus.addEventListener("keydown", (event) => this.key(event));
    this.focus.addEventListener("blur", () => this.draw());
    this.focus.addEventListener("focus", () => this.draw());
    this.container.replaceChildren(this.focus, this.told);
  }

  clicked(event) {
    const box = this.picture.getBoundingClientRect();
    const view = this.picture.viewBox.baseVal;
    // The picture keeps its proportions within its box.
    const scale = Math.min(box.width / view.width, box.height / view.height);
    const left = box.left + (box.width - view.width * scale) / 2, top = box.top + (box.height - view.height * scale) / 2;
    const cell = (place) => Math.floor((place / scale - tengen.Board.EDGE) / tengen.Board.CELL);
    const [x, y] = [cell(event.clientX - left), cell(event.clientY - top)];
    if (x >= 0 && y >= 0 && x < this.columns && y < this.rows) this.play({ x, y });
  }

  key(event) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (step) {
      const within = (value, most) => Math.max(0, Math.min(most - 1, value));
      this.cursor = { x: within(this.cursor.x + step[0], this.columns), y: within(this.cursor.y + step[1], this.rows) };
      this.draw();
      this.say(this.describe(this.cursor));
    } else if (event.key === "Enter" || event.key === " ") {
      this.play(this.cursor);
    } else {
      return;
    }
    event.preventDefault();
  }

  say(text) { this.told.textContent = text; }

  describe({ x, y }) {
    const index = (this.shown.moves ?? []).findIndex((cell) => this.name(cell) === `${x},${y}`);
    return `${tengen.square(`${x},${y}`, this.rows)}: ${index < 0 ? "empty" : index % 2 === 0 ? "black" : "white"}`;
  }

  play({ x, y }) {
    this.cursor = { x, y };
    if (this.played) this.played(`${x},${y}`);
    this.draw();
  }

  /**
   * Shows stones and marks:
   * moves, pending (a move that the server has not confirmed), line (of the win), own and other ({completing, double}), scores ([{cell, text, best}]), ghosts (moves to come),
   * arrow ([from, to]), heat (Map of cell to 0..1), playable.
   */
  show(shown) {
    this.shown = shown;
    this.draw();
  }

  draw() {
    const { svg } = tengen;
    const { moves = [], pending = null, line = [], own = null, other = null, scores = [], ghosts = [], arrow = null, heat = null,
      playable = false } = this.shown;
    const marks = [];
    const circle = (cell, radius, style) => {
      const { cx, cy } = this.place(cell);
      marks.push(svg("circle", { class: style, cx, cy, r: radius }));
    };
    for (const [cell, value] of heat ?? []) {
      const { cx, cy } = this.place(cell);
      marks.push(svg("rect", { class: "heat", x: cx - 19, y: cy - 19, width: 38, height: 38, rx: 4, opacity: 0.12 + 0.68 * value }));
    }
    moves.forEach((cell, index) => circle(cell, 17, `stone stone-${index % 2}`));
    if (pending !== null) circle(pending, 17, "stone pending");
    else if (moves.length > 0) circle(moves[moves.length - 1], 7, "last");
    for (const cell of line) circle(cell, 17, "win");
    for (const [threats, whose] of [[own, "own"], [other, "other"]]) {
      for (const cell of threats?.completing ?? []) circle(cell, 7, `threat threat-${whose}`);
      for (const cell of threats?.double ?? []) circle(cell, 11, `threat double-${whose}`);
    }
    const scored = new Set(scores.map(({ cell }) => this.name(cell)));
    ghosts.forEach((cell, index) => {
      const side = (moves.length + index) % 2;
      const { cx, cy } = this.place(cell);
      marks.push(svg("circle", { class: `ghost stone-${side}`, cx, cy, r: 16 }));
      marks.push(svg("text", { class: `number on-${side}`, x: cx, y: scored.has(this.name(cell)) ? cy - 7 : cy }, `${index + 1}`));
    });
    if (arrow) marks.push(...this.arrow(arrow[0], arrow[1]));
    const numbered = new Set(ghosts.map((cell) => this.name(cell)));
    for (const { cell, text, best } of scores) {
      const { cx, cy } = this.place(cell);
      // Below the number of a move that has one.
      const [top, height] = numbered.has(this.name(cell)) ? [cy + 3, 16] : [cy - 10, 20];
      marks.push(svg("rect", { class: `score-back${best ? " best" : ""}`, x: cx - 19, y: top, width: 38, height, rx: 5 }));
      marks.push(svg("text", { class: "score", x: cx, y: top + height / 2 }, text));
    }
    if (document.activeElement === this.focus && this.focus.matches(":focus-visible")) {
      const cx = this.at(this.cursor.x), cy = this.at(this.cursor.y);
      marks.push(svg("rect", { class: "cursor", x: cx - 19, y: cy - 19, width: 38, height: 38, rx: 6 }));
    }
    this.marks.replaceChildren(...marks);
    this.picture.classList.toggle("playable", playable);
  }

  arrow(from, to) {
    const a = this.place(from), b = this.place(to);
    const length = Math.hypot(b.cx - a.cx, b.cy - a.cy);
    if (length < 1) return [];
    const [ux, uy] = [(b.cx - a.cx) / length, (b.cy - a.cy) / length];
    const end = { x: b.cx - ux * 18, y: b.cy - uy * 18 };
    const head = [[end.x, end.y], [end.x - ux * 13 - uy * 8, end.y - uy * 13 + ux * 8], [end.x - ux * 13 + uy * 8, end.y - uy * 13 - ux * 8]];
    return [
      tengen.svg("path", { class: "arrow", d: `M${a.cx + ux * 18} ${a.cy + uy * 18}L${end.x - ux * 10} ${end.y - uy * 10}` }),
      tengen.svg("polygon", { class: "arrow-head", points: head.map((point) => point.join(",")).join(" ") }),
    ];
  }
};
