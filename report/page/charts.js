"use strict";
// A chart of the page (chart_json) as a configuration of Chart.js.

const dashes = [[], [7, 4], [2, 3], [10, 3, 2, 3], [4, 2], [12, 4]];
const shapes = ["circle", "triangle", "rect", "rectRot", "star", "rectRounded"];
const crosses = ["crossRot", "cross"];

/** Shortest text of six significant digits. */
function digits(value) {
  if (value === null || value === undefined) return "";
  const size = Math.abs(value);
  return size !== 0 && (size >= 1e6 || size < 1e-4) ? String(Number(value.toPrecision(6)).toExponential()) : String(Number(value.toPrecision(6)));
}

function seriesColour(source, index, colours) {
  if (source.series[index].highlight) return colours.accent;
  if (source.series[index].muted) return colours.muted;
  const place = source.series.slice(0, index).filter((s) => !s.highlight && !s.muted).length;
  return colours.series[place % colours.series.length];
}

/** Which of its kind a series is: its dash or shape. */
function variant(source, index) {
  return source.series.slice(0, index).filter((s) => s.mark === source.series[index].mark).length;
}

/** Which of the highlighted series a series is. */
function highlighted(source, index) { return source.series.slice(0, index).filter((s) => s.highlight).length; }

function dataset(source, index, colours) {
  const series = source.series[index];
  const colour = seriesColour(source, index, colours);
  const many = series.x.length > 300;
  const common = {
    label: series.name, borderColor: colour, clip: 8, order: series.highlight ? 0 : 1 + index,
    data: series.x.map((x, i) => (source.horizontal ? { x: series.y[i], y: x } : { x, y: series.y[i] })),
  };
  if (series.mark === "bars")
    return { ...common, type: "bar", backgroundColor: faded(colour, 0.75), borderWidth: 1, borderRadius: 4,
             maxBarThickness: 46, grouped: !source.horizontal, categoryPercentage: source.categories.length > 0 ? 0.75 : 1, barPercentage: 0.92 };
  if (series.mark === "points")
    return { ...common, type: "scatter", backgroundColor: faded(colour, series.highlight ? 1 : many ? 0.35 : 0.65),
             borderWidth: series.highlight ? 2 : many ? 0 : 1, hoverRadius: 8,
             pointStyle: series.highlight ? crosses[highlighted(source, index) % 2] : shapes[variant(source, index) % shapes.length],
             radius: source.categories.length > 0 ? 6 : series.highlight ? 5 : many ? 2.5 : 3.5, hitRadius: 4 };
  return { ...common, type: "line", backgroundColor: colour, borderWidth: series.highlight ? 3 : 2,
           borderDash: dashes[variant(source, index) % dashes.length], tension: 0,
           radius: series.x.length > 40 ? 0 : 3, hoverRadius: 5, hitRadius: 8, spanGaps: false };
}

/** Least and largest of what an axis has to show: values, bands and guides. */
function extent(source, key) {
  const values = [];
  for (const series of source.series)
    values.push(...(key === "x" ? [series.x] : [series.y, series.low, series.high]).flat());
  for (const guide of source.guides) if (guide.vertical === (key === "x")) values.push(guide.at);
  let low = Infinity, high = -Infinity;
  for (const v of values) if (v !== null) { low = Math.min(low, v); high = Math.max(high, v); }
  return low <= high ? [low, high] : [0, 1];
}

function axis(source, key, colours) {
  const log = source[key + "_log"];
  const [low, high] = extent(source, key);
  const named = key === "x" && source.categories.length > 0;
  const scale = {
    type: log ? "logarithmic" : "linear", offset: named && !source.series.some((s) => s.mark === "bars"),
    title: { display: source[key + "_label"] !== "", text: source[key + "_label"], color: colours.muted, font: { size: 13 } },
    grid: { color: named ? "transparent" : colours.grid, drawTicks: !named, borderColor: colours.line, tickColor: colours.line },
    ticks: { color: colours.muted, padding: named ? 6 : 3, maxRotation: named ? 40 : 0, includeBounds: false, autoSkipPadding: 14 },
  };
  if (named) {
    Object.assign(scale, { type: "linear", min: -0.6, max: source.categories.length - 0.4, offset: false, reverse: source.horizontal });
    scale.afterBuildTicks = (built) => { built.ticks = source.categories.map((_, value) => ({ value })); };
    Object.assign(scale.ticks, { autoSkip: !source.horizontal && source.categories.length > 12, color: colours.ink, callback: (value) => source.categories[value] ?? "" });
    return scale;
  }
  scale.ticks.callback = log ? (value) => (/^[125]e/.test(Number(value.toPrecision(6)).toExponential()) ? digits(value) : "") : digits;
  if (log) return Object.assign(scale, { min: low > 0 ? low / 1.15 : undefined, max: high * 1.15 });
  const bars = key === "y" && source.series.some((s) => s.mark === "bars");
  // A line that moves by less than a thousandth is level: its ticks would all read alike.
  const level = key === "y" && source.series.some((s) => s.mark === "line") && high - low < 1e-3 * Math.abs(high);
  const room = 0.04 * ((level ? 0 : high - low) || Math.abs(high) || 1);
  return Object.assign(scale, bars ? { suggestedMin: Math.min(0, low), suggestedMax: high + room }
                      : key === "y" || source.series.every((s) => s.mark !== "line")
                        ? { min: low - room, max: high + room } : { min: low, max: high });
}

/** What is said of one point, in the tooltip and to screen readers. */
function pointText(source, series, i) {
  const label = series.labels.length > 0 ? series.labels[i] + ": " : "";
  const band = series.low.length > 0 && series.low[i] !== null ? ` (${digits(series.low[i])} to ${digits(series.high[i])})` : "";
  const free = source.categories.length === 0;
  const where = free ? `${digits(series.x[i])}, ` : "";
  return `${series.name}${series.name ? " " : ""}${label}${where}${digits(series.y[i])}${band}`;
}

function configuration(source, colours) {
  const category = (x) => source.categories[x] ?? `${source.x_label} ${digits(x)}`.trim();
  const lines = source.series.some((s) => s.mark === "line");
  const [across, up] = source.horizontal ? ["y", "x"] : ["x", "y"];
  return {
    data: { datasets: source.series.map((_, i) => dataset(source, i, colours)) },
    options: {
      responsive: true, maintainAspectRatio: false, normalized: true, indexAxis: source.horizontal ? "y" : "x",
      animation: false,
      parsing: false,
      interaction: lines ? { mode: "index", intersect: false } : { mode: "nearest", intersect: true },
      layout: { padding: { top: 6, right: 10 } },
      scales: { x: axis(source, across, colours), y: axis(source, up, colours) },
      plugins: {
        legend: { display: false }, title: { display: false },
        tooltip: {
          backgroundColor: colours.ink, titleColor: colours.surface, bodyColor: colours.surface, padding: 10, boxPadding: 4,
          callbacks: {
            title: (items) => (items.length > 0 && (lines || source.categories.length > 0)
              ? category(source.series[items[0].datasetIndex].x[items[0].dataIndex]) : ""),
            label: (item) => pointText(source, source.series[item.datasetIndex], item.dataIndex),
          },
        },
      },
    },
    plugins: [{ id: "source", beforeInit(chart) { chart.source = source; } }, extras],
  };
}

/** Colours anew, after a change of theme. */
function repaint(chart) {
  const fresh = configuration(chart.source, theme.colours());
  chart.data.datasets.forEach((d, i) => {
    const { borderColor, backgroundColor } = fresh.data.datasets[i];
    Object.assign(d, { borderColor, backgroundColor });
  });
  chart.options = fresh.options;
  chart.update("none");
}
