// SPDX-License-Identifier: MIT OR Apache-2.0
// Charts, all by one library (uPlot) and in the pages' colours; each follows the width of its place.
"use strict";

window.tengen ??= {};
tengen.charts = {};

/** A colour of the style: `ink`, `faint`, ..., `series-0`, ... */
tengen.colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** Figures of an axis: large ones with commas, small ones with as many digits as they need. */
tengen.charts.figure = (value) => (value === null ? "" : value.toLocaleString("en", { maximumSignificantDigits: Math.abs(value) < 1 ? 2 : 12 }));

/** Pixels of a figure's letter, and between two figures. */
tengen.charts.LETTER = 7.5;
tengen.charts.APART = 10;

/** Of a logarithmic axis the powers of ten, and 2 and 5 times these where there is room: as many as stand apart. */
tengen.charts.named = (upwards) => (chart, splits) => {
  const digit = (value) => Math.round(value / 10 ** Math.floor(Math.log10(value) + 1e-9));
  const is = (value) => Math.abs(value / 10 ** Math.floor(Math.log10(value) + 1e-9) - digit(value)) < 1e-6;
  const place = (value) => chart.valToPos(value, upwards ? "y" : "x");
  const size = (value) => (upwards ? 12 : tengen.charts.LETTER * tengen.charts.figure(value).length + tengen.charts.APART);
  for (const digits of [[1, 2, 5], [1, 3], [1]]) {
    const kept = splits.filter((value) => value > 0 && is(value) && digits.includes(digit(value)));
    const apart = kept.every((value, index) => index === 0 || Math.abs(place(value) - place(kept[index - 1])) >= (size(value) + size(kept[index - 1])) / 2);
    if (kept.length > 0 && apart) return splits.map((value) => (kept.includes(value) ? value : null));
  }
  // Not even the powers of ten: the first and the last of them.
  const tens = splits.filter((value) => value > 0 && is(value) && digit(value) === 1);
  return splits.map((value) => (value === tens[0] || value === tens[tens.length - 1] ? value : null));
};

/** An axis; the one upwards is as wide as its longest figure. */
tengen.charts.axis = (label, { upwards = false, ...more } = {}) => ({
  label, stroke: tengen.colour("faint"), grid: { stroke: tengen.colour("line"), width: 1 }, ticks: { stroke: tengen.colour("line") }, labelSize: 20,
  // Figures stand apart: as far as the longest one is wide.
  space: upwards ? 30 : (chart) => {
    const ends = [chart.scales.x.min, chart.scales.x.max].filter((end) => Number.isFinite(end)).map((end) => tengen.charts.figure(Math.round(end)).length);
    return tengen.charts.LETTER * Math.max(2, ...ends) + 2 * tengen.charts.APART;
  },
  size: upwards ? (_, values) => 18 + tengen.charts.LETTER * Math.max(2, ...(values ?? []).map((value) => `${value ?? ""}`.length)) : 32,
  font: "12px system-ui, sans-serif", labelFont: "12px system-ui, sans-serif",
  values: (_, splits) => splits.map(tengen.charts.figure), ...more,
});

/** A chart in an element: `data` as uPlot has it. Drawn anew when the width changes; `line(x)` marks a place. */
tengen.charts.Chart = class {
  constructor(container, { height = 180, series, axes, scales = {}, bands = [], data, title, picked = null }) {
    this.container = container;
    this.marker = null;
    container.classList.add("chart");
    container.setAttribute("role", "img");
    container.setAttribute("aria-label", title);
    const drawMarker = (chart) => {
      if (this.marker === null) return;
      const x = Math.round(chart.valToPos(this.marker, "x", true));
      chart.ctx.save();
      chart.ctx.strokeStyle = tengen.colour("ink");
      chart.ctx.lineWidth = 2;
      chart.ctx.beginPath();
      chart.ctx.moveTo(x, chart.bbox.top);
      chart.ctx.lineTo(x, chart.bbox.top + chart.bbox.height);
      chart.ctx.stroke();
      chart.ctx.restore();
    };
    const options = {
      width: this.width(), height, series, axes, scales, bands, hooks: { draw: [drawMarker] }, cursor: { drag: { x: false, y: false } },
      legend: { show: series.filter(({ label }) => label).length > 1, live: false,
        // Its signs are those of the chart: full, or hollow.
        markers: { fill: (_, index) => (series[index].hollow ? tengen.colour("paper") : series[index].stroke) } },
    };
    container.replaceChildren();
    this.chart = new uPlot(options, data, container);
    if (picked) this.chart.over.addEventListener("click", (event) => picked(this.chart.posToVal(event.offsetX, "x")));
    this.watch = new ResizeObserver(() => {
      const width = this.width();
      if (width !== this.chart.width) this.chart.setSize({ width, height });
    });
    this.watch.observe(container);
  }

  width() { return Math.max(220, Math.floor(this.container.clientWidth) || 220); }
  line(x) { this.marker = x; this.chart.redraw(false); }
  remove() { this.watch.disconnect(); this.chart.destroy(); }
};

/** Series that lie on one another: data and series in the order in which they are drawn, the highest first, so that the lower ones cover it. */
tengen.charts.stacked = (xs, parts) => {
  let below = xs.map(() => 0);
  const sums = parts.map(({ values }) => (below = below.map((sum, index) => sum + values[index])));
  const order = parts.map((_, index) => parts.length - 1 - index);
  return {
    data: [xs, ...order.map((index) => sums[index])],
    series: [{}, ...order.map((index) => ({
      label: parts[index].name, stroke: parts[index].colour, fill: parts[index].colour, width: 0, points: { show: false },
      paths: uPlot.paths.stepped({ align: 1 }),
    }))],
  };
};

/** Series with places of their own on one axis: the places of all of them, and nothing where a series has no figure. */
tengen.charts.joined = (series) => {
  const all = series.flatMap(({ points }, index) => points.map(([x, y]) => [x, index, y])).sort((a, b) => a[0] - b[0]);
  const rows = [];
  for (const [x, index, y] of all) {
    let row = rows[rows.length - 1];
    // A second point of a series at the same place has a row of its own.
    if (!row || row.x !== x || row.values[index] !== null) rows.push((row = { x, values: series.map(() => null) }));
    row.values[index] = y;
  }
  return [rows.map(({ x }) => x), ...series.map((_, index) => rows.map(({ values }) => values[index]))];
};

/** Colours of series: the next one has the first again. */
tengen.charts.COLOURS = 6;

/** How each kind of series is drawn. */
tengen.charts.kinds = {
  hollow: (colour) => ({ hollow: true, stroke: colour, paths: () => null, points: { show: true, size: 7, width: 1.5, fill: tengen.colour("paper"), stroke: colour } }),
  points: (colour) => ({ stroke: colour, paths: () => null, points: { show: true, size: 7, fill: colour, stroke: colour } }),
  line: (colour) => ({ stroke: colour, width: 2, spanGaps: true, points: { show: false } }),
  curve: (colour) => ({ stroke: colour, width: 2, spanGaps: true, points: { show: true, size: 7, fill: colour } }),
  steps: (colour) => ({ stroke: colour, width: 2, fill: `${colour}38`, spanGaps: true, points: { show: false }, paths: uPlot.paths.stepped({ align: 1 }) }),
  edge: (colour) => ({ stroke: `${colour}00`, width: 1, spanGaps: true, points: { show: false } }),
};

/** The chart of a report, from its description (figures::chart::Chart). */
tengen.charts.described = (container, { title, x, y, series, stacked }) => {
  const colour = (of) => tengen.colour(`series-${of.colour % tengen.charts.COLOURS}`);
  // Points at the ends of the axis lie within it; of several at the very end uPlot draws some.
  const around = (log) => (_, low, high) => {
    if (low === null || high === null) return [low, high];
    if (log) return [low / 1.06, high * 1.06];
    const room = 0.02 * (high - low) || Math.abs(high) * 0.02 || 1;
    return [low - room, high + room];
  };
  const scale = ({ log, from, to }, sideways) => ({ time: false, distr: log ? 3 : 1,
    ...(from !== null ? { range: [from, to] } : sideways && !stacked ? { range: around(log) } : {}) });
  const axis = ({ label, log, whole }, upwards) => tengen.charts.axis(label, { upwards, ...(whole ? { incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10000, 100000] } : {}),
    ...(log ? { filter: tengen.charts.named(upwards) } : {}) });
  let data, drawn, bands = [];
  if (stacked) {
    const xs = series[0].points.map(([place]) => place);
    ({ data, series: drawn } = tengen.charts.stacked(xs, series.map((of) => ({ name: of.name, colour: colour(of), values: of.points.map(([, value]) => value) }))));
  } else {
    data = tengen.charts.joined(series);
    drawn = [{}, ...series.map((of) => ({ label: of.name, class: of.name ? undefined : "unnamed", ...tengen.charts.kinds[of.kind](colour(of)) }))];
    // Two edges one behind the other have a band between them.
    series.forEach((of, index) => {
      if (of.kind === "edge" && series[index + 1]?.kind === "edge") bands.push({ series: [index + 2, index + 1], fill: `${colour(of)}30` });
    });
  }
  return new tengen.charts.Chart(container, { title, height: 300, data, series: drawn, bands, scales: { x: scale(x, true), y: scale(y, false) }, axes: [axis(x, false), axis(y, true)] });
};

/** Draws every chart that a report describes. */
tengen.charts.all = () => {
  for (const place of document.querySelectorAll("[data-chart]")) place.drawn = tengen.charts.described(place, JSON.parse(place.dataset.chart));
};
