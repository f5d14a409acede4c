// SPDX-License-Identifier: MIT OR Apache-2.0
// The game: a person, an engine, the moves, and the address of the page, which is the position.
"use strict";

tengen.Game = class {
  constructor(link, options) {
    this.link = link;
    this.options = options;
    this.listeners = [];
    this.running = null;
    this.position = null;
    this.marks = {};
    this.find = (id) => document.getElementById(id);
    this.state = this.fromAddress();
    this.named(false);
    this.selects();
    this.buttons();
    this.makeBoard();
    addEventListener("popstate", () => {
      this.give_up();
      this.state = this.fromAddress();
      this.fillSelects();
      this.makeBoard();
      this.refresh();
    });
  }

  get config() { return this.options.configs.find((config) => config.name === this.state.config); }
  get moves() { return this.state.moves; }
  get at() { return { config: this.state.config, moves: this.moves.join(" ") }; }
  get players() {
    const { you, engine } = this.state;
    const name = (side) => (you === "both" || you === String(side) ? "person" : engine);
    return [name(0), name(1)];
  }
  /** Levels as the server is asked: none is as built. */
  get levels() { return this.state.levels === "" ? null : Number(this.state.levels); }
  /** The same for the core, which has no more levels than its configuration. */
  get coreLevels() { return this.levels === null ? null : Math.min(this.levels, this.config.levels); }
  /** A cell as people write it. */
  square(cell) { return tengen.square(cell, this.config.rows); }
  get toMove() { return this.moves.length % 2; }
  get engineMoves() { return this.state.you === "none" || (this.state.you !== "both" && this.state.you !== String(this.toMove)); }
  get search() { return { at: this.at, engine: this.state.engine, levels: this.levels }; }

  /** Tells a listener of every position that is shown. */
  listen(listener) { this.listeners.push(listener); }

  /** The state that the page's address names. No engine moves by itself in it if it holds moves: who follows a link wants to see its position. */
  fromAddress() {
    const asked = new URLSearchParams(location.hash.slice(1));
    this.unknown = [];
    const one = (name, known, usual) => {
      const value = asked.get(name);
      if (value === null || known.includes(value)) return value ?? usual;
      this.unknown.push(`${name}=${value.slice(0, 40)} (here: ${known.join(", ")})`);
      return usual;
    };
    const configs = this.options.configs.map((config) => config.name);
    const engines = this.options.engines.map((engine) => engine.name);
    const state = {
      config: one("config", configs, configs[0]),
      engine: one("engine", engines, engines[0]),
      you: one("you", ["0", "1", "both", "none"], "0"),
      levels: /^\d+$/.test(asked.get("levels") ?? "") ? asked.get("levels") : "",
      moves: tengen.words(asked.get("moves") ?? ""),
    };
    if ((asked.get("levels") ?? "") !== state.levels) this.unknown.push(`levels=${asked.get("levels").slice(0, 40)} (a number)`);
    this.stopped = state.moves.length > 0 || this.unknown.length > 0;
    return state;
  }

  get address() {
    const { config, engine, you, levels, moves } = this.state;
    const asked = new URLSearchParams({ config, engine, you });
    if (levels !== "") asked.set("levels", levels);
    // Commas and underlines stay as they are in an address: people can read it.
    return `#${asked}&moves=${moves.join("_")}`;
  }

  /** The page's address is the position; a step of a person's can be gone back. */
  keepAddress(step) {
    if (location.hash === this.address) return;
    if (step) history.pushState(null, "", this.address);
    else history.replaceState(null, "", this.address);
  }

  selects() {
    const { el } = tengen;
    this.find("engine").replaceChildren(...this.options.engines.map(({ name, about }) => el("option", { value: name }, `${name}: ${about}`)));
    this.find("config").replaceChildren(...this.options.configs.map(({ name, columns, rows, in_a_row }) =>
      el("option", { value: name }, `${name}: ${columns} x ${rows}, ${in_a_row} in a row`)));
    this.find("engine").onchange = (event) => this.change({ engine: event.target.value, levels: "" });
    this.find("config").onchange = (event) => this.change({ config: event.target.value, levels: "", moves: [] });
    this.find("levels").onchange = (event) => this.change({ levels: event.target.value });
    this.find("you").onchange = (event) => this.change({ you: event.target.value });
    this.fillSelects();
  }

  fillSelects() {
    const { config, engine, you, levels } = this.state;
    this.find("config").value = config;
    this.find("engine").value = engine;
    this.find("you").value = you;
    const most = this.options.engines.find((one) => one.name === engine).levels ?? this.config.levels;
    const numbers = Array.from({ length: most }, (_, index) => index + 1);
    this.find("levels").replaceChildren(tengen.el("option", { value: "" }, "as built"),
      ...numbers.map((number) => tengen.el("option", { value: number }, `${number}`)));
    this.find("levels").value = levels;
    if (this.find("levels").selectedIndex < 0) this.find("levels").value = this.state.levels = "";
  }

  buttons() {
    this.find("take-back").onclick = () => this.takeBack();
    this.find("new-game").onclick = () => this.change({ moves: [] });
    this.find("go").onclick = () => this.think();
    this.find("stop").onclick = () => this.stop();
    this.find("to-sgf").onclick = () => this.exported("sgf");
    this.find("to-psq").onclick = () => this.exported("psq");
    this.find("from-text").onclick = () => this.imported(this.find("text").value);
    this.find("from-file").onchange = async (event) => {
      const [file] = event.target.files;
      event.target.value = "";
      if (file) this.imported(await file.text());
    };
  }

  makeBoard() {
    const { columns, rows } = this.config;
    if (this.board?.columns === columns && this.board?.rows === rows) return;
    const played = (cell) => this.play(cell);
    this.board = new tengen.Board(this.find("board"), { columns, rows, played });
  }

  /** A name for the game, under which the server keeps it: the same when the page is loaded again. */
  named(anew) {
    const kept = anew ? null : sessionStorage.getItem("game");
    this.name = kept ?? crypto.getRandomValues(new Uint32Array(4)).join("-");
    sessionStorage.setItem("game", this.name);
  }

  /** Another state, by a person: everything under way is given up. */
  change(changes) {
    this.give_up();
    this.stopped = false;
    this.unknown = [];
    if (changes.moves !== undefined && changes.moves.slice(0, this.moves.length).join(" ") !== this.moves.join(" ")) this.find("told").textContent = "";
    const goesOn = (changes.config ?? this.state.config) === this.state.config && (changes.moves === undefined ||
      (changes.moves.length > 0 && changes.moves[0] === this.state.moves[0]) || this.state.moves.length === 0);
    if (!goesOn) this.named(true);
    Object.assign(this.state, changes);
    this.fillSelects();
    this.makeBoard();
    this.keepAddress(true);
    this.refresh();
  }

  /** Says it once: a screen reader reads whatever is set, also if it stands there already. */
  say(text) {
    const state = this.find("state");
    if (state.textContent !== text) state.textContent = text;
  }

  /** The engine's last move, if the last one was its: who does not see the board hears of it. */
  playedByEngine() {
    const { moves, state } = this;
    if (moves.length === 0 || state.you === "both" || String((moves.length - 1) % 2) === state.you) return "";
    return `${["Black", "White"][(moves.length - 1) % 2]} played ${this.square(moves[moves.length - 1])}. `;
  }

  /** A person plays. */
  play(cell) {
    if (!this.position || this.pending) return this.say("Wait: the server has not confirmed this position yet.");
    if (this.position.over) return this.say("The game is over: start a new one, or take back.");
    if (this.state.you !== "both" && this.engineMoves) return this.say("It is the engine's move.");
    if (this.moves.includes(cell)) return this.say(`${this.square(cell)} is taken.`);
    this.change({ moves: [...this.moves, cell] });
  }

  takeBack() {
    if (this.moves.length === 0) return;
    // Back to where the person is to move.
    const engine = this.state.you === "0" || this.state.you === "1";
    const own = engine ? Number(this.state.you) : null;
    let length = this.moves.length - 1;
    if (engine && length % 2 !== own && length > 0) length -= 1;
    this.change({ moves: this.moves.slice(0, length) });
  }

  give_up() {
    this.running?.cancel();
    this.running = null;
  }

  stop() {
    this.give_up();
    this.stopped = true;
    this.busy(false);
    this.say("Stopped. Move now lets the engine go on.");
  }

  busy(is) {
    this.find("stop").disabled = !is;
    this.find("go").disabled = is || this.pending || !this.position || this.position.over;
    this.find("take-back").disabled = this.moves.length === 0;
  }

  /**
   * Asks what the position is, shows it, and lets the engine move if it is its turn. Until the server has confirmed it nothing can be played,
   * and a new stone is grey; what it refuses is taken back to the last position that it confirmed.
   */
  async refresh() {
    const state = this.state;
    const before = this.moves.join(" ");
    const current = () => this.state === state && this.moves.join(" ") === before;
    this.pending = true;
    this.drawPending();
    this.busy(false);
    try {
      const { position } = await this.link.ask({ type: "position", at: this.at, players: this.players, game: this.name });
      if (!current()) return;
      this.position = position;
      this.pending = false;
      this.confirmed = { ...state, moves: [...state.moves] };
    } catch (error) {
      if (!current()) return;
      return this.refused(error);
    }
    this.marks = {};
    this.draw();
    this.listMoves();
    this.busy(false);
    this.listeners.forEach((listener) => listener());
    if (!this.position.over && this.engineMoves && !this.stopped) this.think();
  }

  /** Back to the last position that the server confirmed; before there is one, to the empty board. */
  refused(error) {
    this.pending = false;
    this.stopped = true;
    const asked = this.moves.length;
    this.state = this.confirmed ? { ...this.confirmed, moves: [...this.confirmed.moves] } : { ...this.state, moves: [] };
    this.fillSelects();
    this.makeBoard();
    if (this.confirmed) {
      this.keepAddress(false);
      this.draw();
      this.listMoves();
    } else {
      this.board.show({});
    }
    this.busy(false);
    this.say(`${error.message}.`);
    // An address of no position: the empty board of its game, and what is wrong with it.
    if (!this.confirmed && asked > 0) this.refresh().then(() => this.say(`${error.message}.`));
  }

  /** What is on the board while the server has not confirmed it: the position before, and the new stone if it is one more. */
  drawPending() {
    const before = this.confirmed?.config === this.state.config ? this.confirmed.moves : [];
    const oneMore = this.moves.length === before.length + 1 && before.every((cell, index) => this.moves[index] === cell);
    if (oneMore) this.board.show({ moves: before, pending: this.moves[before.length] });
  }

  draw() {
    if (!this.position || this.pending) return;
    const { line, own, other, over } = this.position;
    this.board.show({ moves: this.moves, line, own, other, playable: !over, ...this.marks });
    this.say(this.inWords());
  }

  /** Marks of another view of the page on the board. */
  mark(marks) {
    this.marks = marks;
    this.draw();
  }

  inWords() {
    const unknown = this.unknown.length > 0 ? `The address asks for what is not here: ${this.unknown.join("; ")}. ` : "";
    const waits = this.stopped && this.engineMoves && !this.position.over ? " Move now lets it move." : "";
    return unknown + this.playedByEngine() + this.standing() + waits;
  }

  standing() {
    const { over, winner, own, other } = this.position;
    const name = ["Black", "White"];
    if (over) return winner === null ? "A draw: the board is full." : `${name[winner]} wins.`;
    const mover = name[this.toMove];
    const whose = this.state.you === "both" ? "" : this.engineMoves ? `, ${this.state.engine}` : ", you";
    if (own.completing.length > 0) return `${mover}${whose} to move: wins at ${own.completing.map((cell) => this.square(cell)).join(" or ")}.`;
    if (other.completing.length > 1) return `${mover}${whose} to move: two threats, one answer.`;
    if (other.completing.length > 0) return `${mover}${whose} to move: must answer at ${this.square(other.completing[0])}.`;
    return `${mover}${whose} to move.`;
  }

  listMoves() {
    this.find("moves").replaceChildren(...this.moves.map((cell, index) =>
      tengen.el("li", { class: index + 1 === this.moves.length ? "shown" : "" }, `${index + 1}. ${this.square(cell)}`)));
    this.find("text").value = this.moves.map((cell) => this.square(cell)).join(" ");
  }

  /** The engine moves. */
  async think() {
    if (!this.position || this.pending) return;
    this.give_up();
    this.stopped = false;
    const before = this.moves.join(" ");
    const asked = this.link.ask({ type: "search", ...this.search }, (message) => {
      if (message.type === "queued") this.say(`${message.in_front} searches are in front.`);
    });
    this.running = asked;
    this.busy(true);
    this.say(`${this.state.engine} thinks ...`);
    try {
      const found = await asked;
      if (this.running !== asked || this.moves.join(" ") !== before) return;
      this.running = null;
      if (found.type !== "move" || found.cell === null) return this.busy(false);
      const clocks = found.cycles === null ? "" : `, ${tengen.number(found.cycles)} clocks`;
      this.find("told").textContent = `${this.square(found.cell)} by ${found.engine}: ${tengen.worth(found)}, ${found.levels} levels, ` +
        `${tengen.number(found.nodes)} nodes${clocks}, ${tengen.time(found.seconds)} here`;
      this.state.moves = [...this.moves, found.cell];
      this.keepAddress(false);
      this.refresh();
    } catch (error) {
      if (this.running !== asked) return;
      this.running = null;
      this.busy(false);
      this.say(`${error.message}.`);
    }
  }

  async exported(form) {
    try {
      const { text, ending } = await this.link.ask({ type: "export", at: this.at, form, players: this.players });
      tengen.save(`game.${ending}`, text);
    } catch (error) {
      this.say(`${error.message}.`);
    }
  }

  async imported(text) {
    try {
      const game = await this.link.ask({ type: "import", config: this.state.config, text });
      // Whoever sets a position up wants to see it before anybody moves.
      this.change({ moves: tengen.words(game.moves), you: "both" });
      if (game.games > 1) {
        this.find("told").textContent = `The text holds ${game.games} games, one a line: the first is set up. Moves of one game stand on one line.`;
      }
    } catch (error) {
      this.say(`${error.message}.`);
    }
  }
};
