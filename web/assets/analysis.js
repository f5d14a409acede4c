// SPDX-License-Identifier: MIT OR Apache-2.0
// Analysis: what an engine thinks of the position, and what the game was worth at every move.
"use strict";

tengen.Analysis = class {
  constructor(container, game) {
    const { el } = tengen;
    this.game = game;
    this.following = false;
    this.running = null;
    this.graphing = null;
    this.bar = document.getElementById("bar");
    this.button = el("button", { type: "button", id: "analyse", "aria-pressed": "false", onclick: () => this.toggle() }, "Analyse");
    this.graphButton = el("button", { type: "button", id: "graph", onclick: () => this.graph() }, "Graph of the game");
    this.told = el("p", { class: "faint", role: "status" },
      "Scores are in half-points of the engine's measure, for the side to move; W3: wins in 3 moves of both sides.");
    this.iterations = el("tbody");
    this.best = el("tbody");
    this.line = el("p", { id: "line" });
    this.chart = el("div");
    container.replaceChildren(
      el("div", { class: "row" }, this.button, this.graphButton), this.told,
      el("h2", {}, "Searches"), tengen.table("Searches", ["levels", "move", "score", "nodes", "clocks", "time here"], this.iterations),
      el("h2", {}, "Best moves"), tengen.table("Best moves", ["", "move", "score"], this.best),
      el("h2", {}, "Line of play"), this.line,
      el("h2", {}, "The game"), this.chart);
    game.listen(() => this.shown());
  }

  toggle() {
    this.following = !this.following;
    this.button.textContent = this.following ? "Stop analysing" : "Analyse";
    this.button.classList.toggle("on", this.following);
    this.button.setAttribute("aria-pressed", String(this.following));
    if (this.following) return this.analyse();
    this.running?.cancel();
    this.running = null;
    this.forget();
    this.game.mark({});
  }

  /** What was found is of another position. */
  forget() {
    this.found = null;
    this.bar.hidden = true;
  }

  /** Shows on the board what was found, if anything was. */
  marked() {
    if (this.found) this.show(this.found);
    else this.game.mark({});
  }

  /** A position is shown. */
  shown() {
    this.running?.cancel();
    this.running = null;
    this.forget();
    if (this.following) this.analyse();
  }

  /** The share of the bar that is black's, from a score for the side to move. */
  weigh(worth) {
    const own = tengen.lean(worth);
    const black = this.game.toMove === 0 ? own : -own;
    const height = Math.round(50 + 50 * black);
    const box = document.querySelector("#board svg").getBoundingClientRect();
    const inside = tengen.el("div");
    // It stands beside the board, or lies above it where there is no room.
    if (matchMedia("(min-width: 901px)").matches) {
      this.bar.style.height = `${box.height}px`;
      inside.style.height = `${height}%`;
    } else {
      this.bar.style.height = "";
      inside.style.width = `${height}%`;
    }
    this.bar.replaceChildren(inside);
    this.bar.hidden = false;
    this.bar.setAttribute("role", "img");
    this.bar.setAttribute("aria-label", `Evaluation: black has ${height} of 100`);
  }

  async analyse() {
    const { game } = this;
    this.iterations.replaceChildren();
    this.best.replaceChildren();
    this.line.textContent = "";
    const asked = game.link.ask({ type: "analyse", search: game.search, best: 5 }, (message) => {
      if (this.running !== asked || message.type !== "iteration") return;
      const { levels, cell, worth, nodes, cycles, seconds } = message;
      this.iterations.append(...tengen.rows([[levels, game.square(cell), tengen.worth(worth), tengen.number(nodes), cycles === null ? "-" : tengen.number(cycles), tengen.time(seconds)]]));
      this.weigh(worth);
    });
    this.running = asked;
    this.told.textContent = `${game.state.engine} looks at ${game.moves.length === 0 ? "the empty board" : `move ${game.moves.length + 1}`} ...`;
    try {
      const found = await asked;
      if (this.running !== asked || found.type !== "analysis") return;
      this.found = found;
      if (!document.getElementById("analysis").hidden) this.show(found);
    } catch (error) {
      if (this.running === asked) this.told.textContent = `${error.message}.`;
    }
  }

  show({ moves, line, outranked, rule }) {
    const { game } = this;
    const side = ["black", "white"][game.toMove];
    this.told.textContent = moves.length > 0 ? `Best moves for ${side}; the first is the one that is played${rule ? `: ${rule}` : ""}.${outranked ? ` ${outranked}.` : ""}` :
      line.length > 0 ? `${game.square(line[0])} for ${side}; the other moves take searches of two levels and more.` : "Nothing is left to decide here.";
    this.best.replaceChildren(...tengen.rows(moves.map(({ cell, worth }, index) => [index === 0 ? "played" : index + 1, game.square(cell), tengen.worth(worth)])));
    this.line.textContent = line.map((cell) => game.square(cell)).join("  ");
    const last = game.moves[game.moves.length - 1];
    game.mark({
      scores: moves.map(({ cell, worth }, index) => ({ cell, text: tengen.shortWorth(worth), best: index === 0 })),
      ghosts: line,
      arrow: last && line.length > 0 ? [last, line[0]] : null,
    });
  }

  /** What every position of the game is worth to black. */
  async graph() {
    const { game } = this;
    if (this.graphing) return this.graphing.cancel();
    const points = [];
    const win = 1.15;
    const height = (point) => tengen.lean(point) * (point.decided === null ? 1 : win);
    const draw = () => {
      const data = [points.map(({ ply }) => ply), points.map(height)];
      if (this.drawn) this.drawn.remove();
      const side = (value) => (value > 1 ? "black wins" : value < -1 ? "white wins" : "");
      this.drawn = new tengen.charts.Chart(this.chart, {
        title: `Worth of each position to black: ${points.map((point) => tengen.shortWorth(point)).join(", ")}`, data, height: 200,
        scales: { x: { time: false }, y: { range: [-1.25, 1.25] } },
        series: [{}, { label: "black", stroke: tengen.colour("accent"), width: 2, points: { show: true, size: 5 } }],
        axes: [tengen.charts.axis("moves"), tengen.charts.axis("", { upwards: true, splits: [-win, 0, win], values: (_, splits) => splits.map((v) => side(v) || "even") })],
      });
    };
    const asked = game.link.ask({ type: "graph", ...game.search }, (message) => {
      if (message.type !== "point") return;
      points.push(message);
      draw();
    });
    this.graphing = asked;
    this.graphButton.textContent = "Stop the graph";
    try {
      await asked;
    } catch (error) {
      this.told.textContent = `${error.message}.`;
    }
    this.graphing = null;
    this.graphButton.textContent = "Graph of the game";
  }
};
