// SPDX-License-Identifier: MIT OR Apache-2.0
// Games of a match, replayed. The page holds them as JSON: columns, rows, in_a_row, and of each game its moves "x,y x,y ...".
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("games").textContent);
  const board = document.getElementById("board"), slider = document.getElementById("move");
  const told = document.getElementById("told"), rows = [...document.querySelectorAll("tr[data-game]")];
  const SVG = "http://www.w3.org/2000/svg";
  const letter = (x) => String.fromCharCode(97 + x);
  const draw = (parent, name, attributes, text) => {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    return parent.appendChild(element);
  };

  board.setAttribute("viewBox", `-1.4 -0.8 ${data.columns + 1} ${data.rows + 1.1}`);
  draw(board, "rect", { x: -0.6, y: -0.6, width: data.columns + 0.2, height: data.rows + 0.2, rx: 0.1, fill: "var(--wood)" });
  const line = { stroke: "var(--grid)", "stroke-width": 0.03 };
  for (let x = 0; x < data.columns; x++) {
    draw(board, "line", { x1: x, y1: 0, x2: x, y2: data.rows - 1, ...line });
    draw(board, "text", { x, y: data.rows + 0.05, class: "edge" }, letter(x));
  }
  for (let y = 0; y < data.rows; y++) {
    draw(board, "line", { x1: 0, y1: y, x2: data.columns - 1, y2: y, ...line });
    draw(board, "text", { x: -1, y: y + 0.15, class: "edge" }, data.rows - y);
  }
  const stones = draw(board, "g", {});

  // The cells of the line that the last move of these completes.
  const winning = (moves) => {
    const own = new Set(moves.filter((_, i) => (moves.length - 1 - i) % 2 === 0).map(String));
    const [x, y] = moves[moves.length - 1];
    for (const [dx, dy] of [[1, 0], [0, 1], [1, 1], [1, -1]]) {
      const cells = [];
      for (let k = 1 - data.in_a_row; k < data.in_a_row; k++) {
        if (own.has(String([x + k * dx, y + k * dy]))) cells.push([x + k * dx, y + k * dy]);
        else if (k < 0) cells.length = 0;
        else break;
      }
      if (cells.length >= data.in_a_row) return new Set(cells.map(String));
    }
    return new Set();
  };

  let game = -1, moves = [];
  const show = () => {
    const shown = Number(slider.value), now = moves.slice(0, shown);
    const line = shown > 0 ? winning(now) : new Set();
    stones.replaceChildren();
    now.forEach(([x, y], index) => {
      const black = index % 2 === 0, last = index === shown - 1;
      const ring = last || line.has(String([x, y])) ? "var(--lost)" : "#555";
      draw(stones, "circle", { cx: x, cy: y, r: 0.43, fill: black ? "#16191c" : "#f6f6f2", stroke: ring,
        "stroke-width": last || ring !== "#555" ? 0.09 : 0.03 });
      draw(stones, "text", { x, y: y + 0.14, class: "number", fill: black ? "#f6f6f2" : "#16191c" }, index + 1);
    });
    const last = now[shown - 1];
    const at = last ? `, ${letter(last[0])}${data.rows - last[1]}` : "";
    told.textContent = `Game ${data.games[game].game}: move ${shown} of ${moves.length}${at}. ${data.games[game].told}`;
    board.setAttribute("aria-label", told.textContent);
  };
  const choose = (index, scroll) => {
    game = index;
    moves = data.games[index].moves.split(" ").filter(Boolean).map((cell) => cell.split(",").map(Number));
    slider.max = moves.length;
    slider.value = moves.length;
    rows.forEach((row) => row.classList.toggle("chosen", Number(row.dataset.game) === index));
    if (scroll) board.scrollIntoView({ block: "nearest" });
    show();
  };
  const step = (by) => { slider.value = Number(slider.value) + by; show(); };

  slider.addEventListener("input", show);
  for (const [id, by] of [["first", -1e9], ["back", -1], ["on", 1], ["last", 1e9]])
    document.getElementById(id).addEventListener("click", () => step(by));
  document.getElementById("replay").addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1, Home: -1e9, End: 1e9 }[event.key];
    if (by === undefined || event.target === slider) return;
    event.preventDefault();
    step(by);
  });
  rows.forEach((row) => row.querySelector("button").addEventListener("click", () => choose(Number(row.dataset.game), true)));
  document.getElementById("which").addEventListener("change", (event) => {
    for (const row of rows) row.hidden = event.target.value !== "" && row.dataset.result !== event.target.value;
  });
  choose(0, false);
})();
