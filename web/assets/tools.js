// SPDX-License-Identifier: MIT OR Apache-2.0
// What the parts of the page have in common. Everything of the page is below `tengen`.
"use strict";
window.tengen = {};

/** What has broken down, which is ours to mend: told on the page, so that it can be reported. */
tengen.faults = [];
for (const kind of ["error", "unhandledrejection"]) {
  addEventListener(kind, (event) => {
    const fault = `${event.message ?? event.reason?.message ?? event.reason}`;
    // The browser's own note that sizes are observed a frame later.
    if (fault.startsWith("ResizeObserver loop")) return;
    tengen.faults.push(fault);
    const notice = document.getElementById("notice");
    if (notice) notice.textContent = `The page has a fault (please report it): ${fault}`;
  });
}

/** An element with attributes, properties (`on...` handlers) and children. */
tengen.el = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  return tengen.fill(element, attributes, children);
};

/** The same of SVG. */
tengen.svg = (tag, attributes = {}, ...children) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  return tengen.fill(element, attributes, children);
};

tengen.fill = (element, attributes, children) => {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
};

/** A table with a body that is filled elsewhere; what is wider than the window is moved sideways, by keys too. */
tengen.table = (label, head, body, style = "") => tengen.el("div", { class: "table", tabindex: "0", role: "region", "aria-label": `Table: ${label}` },
  tengen.el("table", { class: style, "aria-label": label }, tengen.el("thead", {}, tengen.el("tr", {}, head.map((name) => tengen.el("th", {}, name)))), body));

/** Rows of a table. */
tengen.rows = (rows) => rows.map((cells) => tengen.el("tr", {}, cells.map((text) => tengen.el("td", {}, `${text}`))));

/** A number as people read it. */
tengen.number = (value) => value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 2 : 1 });

/** Seconds as people read them. */
tengen.time = (seconds) => {
  for (const [unit, size] of [["s", 1], ["ms", 1e-3], ["us", 1e-6], ["ns", 1e-9]]) {
    if (seconds >= size || unit === "ns") return `${tengen.number(seconds / size)} ${unit}`;
  }
};

/** Text as a page's. */
tengen.escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** A cell `x,y` (from the top left, from 0: what machines write) as people write it on a board of so many rows: h8. */
tengen.square = (cell, rows) => {
  const [x, y] = cell.split(",").map(Number);
  return `${String.fromCharCode(97 + x)}${rows - y}`;
};

/** Words of a text of moves. */
tengen.words = (text) => text.split(/[\s_]+/).filter((word) => word !== "");

/** A score in words, for the side that it is for. */
tengen.worth = ({ score, decided }) => {
  if (decided === null || decided === undefined) return score > 0 ? `+${score}` : `${score}`;
  return decided > 0 ? `wins in ${decided}` : `loses in ${-decided}`;
};

/** How far a score leans, from -1 (lost) to 1 (won): a picture's measure, which flattens what is large. */
tengen.lean = ({ score, decided }) => (decided === null || decided === undefined ? Math.tanh(score / 160) : Math.sign(decided));

/** A score in a few letters. */
tengen.shortWorth = ({ score, decided }) => {
  if (decided === null || decided === undefined) return score > 0 ? `+${score}` : `${score}`;
  return decided > 0 ? `W${decided}` : `L${-decided}`;
};

/** Saves a text as a file. */
tengen.save = (name, text, media = "text/plain") => {
  const url = URL.createObjectURL(new Blob([text], { type: media }));
  const link = tengen.el("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
};
