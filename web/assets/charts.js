// SPDX-License-Identifier: MIT OR Apache-2.0
// Charts, all by one library (uPlot) and in the page's colours; each follows the width of its place.
"use strict";

tengen.charts = {};

tengen.charts.axis = (label, more = {}) => ({
  label, stroke: tengen.colour("faint"), grid: { stroke: tengen.colour("line"), width: 1 }, ticks: { stroke: tengen.colour("line") }, labelSize: 18,
  size: 46, font: "12px system-ui, sans-serif", labelFont: "12px system-ui, sans-serif", ...more,
});

/** A chart in an element: `data` as uPlot has it. Drawn anew when the width changes; `set(data)`, `line(x)`. */
tengen.charts.Chart = class {
  constructor(container, { height = 180, series, axes, scales = {}, data, title, picked = null }) {
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
      width: this.width(), height, series, axes, scales, hooks: { draw: [drawMarker] }, cursor: { drag: { x: false, y: false } },
      legend: { show: series.length > 2, live: false },
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
  set(data) { this.chart.setData(data); }
  line(x) { this.marker = x; this.chart.redraw(false); }
  remove() { this.watch.disconnect(); this.chart.destroy(); }
};

/** Series that lie on one another: data and bands in the order given, the first one lowest. */
tengen.charts.stacked = (xs, parts) => {
  let below = xs.map(() => 0);
  const sums = parts.map(({ values }) => (below = below.map((sum, index) => sum + values[index])));
  // The highest is drawn first, so that the lower ones cover it.
  const order = parts.map((_, index) => parts.length - 1 - index);
  return {
    data: [xs, ...order.map((index) => sums[index])],
    series: [{}, ...order.map((index) => ({
      label: parts[index].name, stroke: parts[index].colour, fill: parts[index].colour, width: 0, points: { show: false },
      paths: uPlot.paths.stepped({ align: 1 }),
    }))],
  };
};
