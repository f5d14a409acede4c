// SPDX-License-Identifier: MIT OR Apache-2.0
// The core against software in the position that is shown.
"use strict";

tengen.Measure = class {
  constructor(container, game) {
    const { el } = tengen;
    this.game = game;
    this.button = el("button", { type: "button", id: "measure-go", onclick: () => this.measure() }, "Measure this position");
    this.clock = el("input", { type: "number", id: "measure-clock", min: 1, max: 1000, value: 100, onchange: () => this.show() });
    this.told = el("p", { class: "faint", id: "measure-told", role: "status" }, "The core's clocks are exact; software is timed here and now, in processor time, its best of twenty rounds.");
    this.result = el("div", { id: "measure-result" });
    container.replaceChildren(el("div", { class: "row" }, this.button, el("label", {}, "Clock of the core, MHz ", this.clock)), this.told, this.result);
    game.listen(() => {
      this.found = null;
      this.result.replaceChildren();
    });
  }

  async measure() {
    const { game } = this;
    const { at } = game;
    this.button.disabled = true;
    this.told.textContent = "The core searches, then the software does ...";
    try {
      const found = await game.link.ask({ type: "measure", at, levels: game.coreLevels });
      // Another position may be shown by now.
      if (found.type === "measured" && at.config === game.at.config && at.moves === game.at.moves) {
        this.found = found;
        this.config = at.config;
        this.clock.value = found.clock_mhz;
        this.show();
      }
    } catch (error) {
      this.told.textContent = `${error.message}.`;
    }
    this.button.disabled = false;
  }

  /** Nodes of plain minimax, of alpha-beta in software and of the core. */
  saved({ minimax, most_minimax, nodes, software }) {
    const { number } = tengen;
    const core = nodes.reduce((sum, of) => sum + of, 0);
    const share = (of) => (minimax ? number(100 * (1 - of / minimax)) : "-");
    const least = software.filter(({ threads }) => threads === 1).reduce((least, of) => (of.nodes < (least?.nodes ?? Infinity) ? of : least), null);
    return [["plain minimax, counted", minimax === null ? `more than ${number(most_minimax)}` : number(minimax), "-"],
      ["the core", number(core), share(core)], ...(least ? [[`${least.engine}, the fewest in software`, number(least.nodes), share(least.nodes)]] : [])];
  }

  show() {
    const { el, number, time } = tengen;
    const { found } = this;
    if (!found) return;
    const megahertz = Math.max(1, Number(this.clock.value) || 1);
    const seconds = found.cycles / megahertz / 1e6;
    this.told.textContent = `${this.config}, ${found.levels} levels. Other searches on this machine slow the software down, never the core's clocks.`;
    const card = (name, value, more) => el("div", {}, el("span", {}, name), el("b", {}, value), el("small", {}, more));
    const best = Math.min(...found.software.filter(({ threads }) => threads === 1).map((of) => of.seconds));
    const table = (label, head, rows) => tengen.table(label, head, el("tbody", {}, tengen.rows(rows)));
    const searched = found.cycles > 0;
    this.result.replaceChildren(
      el("div", { class: "cards" },
        card("clocks", number(found.cycles), searched ? `${number(found.passes)} passes` : "a static rule decides"),
        card(`at ${megahertz} MHz`, time(seconds), "the core"),
        card("software", time(best), "the best on one processor"),
        card("ratio", searched ? `${number(best / seconds)} x` : "-", "the core is so many times as fast")),
      table("Where the clocks went", ["clocks", "number", "%"], [["a pass went in", found.passes], ...Object.entries(found.waits).map(([name, clocks]) => [`waited: ${name}`, clocks])]
        .map(([name, clocks]) => [name, number(clocks), number(100 * clocks / Math.max(1, found.cycles))])),
      table("Nodes by ply", ["ply", "nodes"], found.nodes.map((nodes, index) => [`${index + 1}`, number(nodes)]).filter((_, index) => found.nodes.slice(index).some((nodes) => nodes > 0))),
      table("Alpha-beta beside minimax", ["search", "nodes", "saved, %"], this.saved(found)),
      table("Software", ["engine", "processors", "time", "nodes", "ratio"], found.software.map((of) =>
        [of.engine, `${of.threads}`, time(of.seconds), number(of.nodes), searched ? `${number(of.seconds / seconds)} x` : "-"])));
  }
};
