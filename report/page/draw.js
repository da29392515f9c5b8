"use strict";
// What Chart.js does not draw: bands around lines, whiskers on points and bars, guides with labels.

/** "#rrggbb" and an opacity between 0 and 1. */
function faded(colour, opacity) {
  return colour + Math.round(255 * opacity).toString(16).padStart(2, "0");
}

function clipped(chart, draw) {
  const { ctx, chartArea: a } = chart;
  ctx.save();
  ctx.beginPath();
  ctx.rect(a.left, a.top, a.right - a.left, a.bottom - a.top);
  ctx.clip();
  draw(ctx);
  ctx.restore();
}

/** Places of (x, value) on the canvas, whichever way the chart lies. */
function place(chart, x, value) {
  const { x: across, y: up } = chart.scales;
  return chart.source.horizontal ? [across.getPixelForValue(value), up.getPixelForValue(x)]
                                 : [across.getPixelForValue(x), up.getPixelForValue(value)];
}

function drawBand(chart, ctx, series, colour) {
  const points = series.x.map((_, i) => i).filter((i) => series.low[i] !== null && series.high[i] !== null);
  if (points.length < 2) return;
  ctx.beginPath();
  for (const i of points) ctx.lineTo(...place(chart, series.x[i], series.high[i]));
  for (const i of points.reverse()) ctx.lineTo(...place(chart, series.x[i], series.low[i]));
  ctx.closePath();
  ctx.fillStyle = faded(colour, 0.16);
  ctx.fill();
}

function drawWhiskers(chart, ctx, series, elements, colour) {
  const across = chart.source.horizontal;
  ctx.strokeStyle = colour;
  ctx.lineWidth = 2;
  ctx.beginPath();
  elements.forEach((element, i) => {
    if (series.y[i] === null || series.low[i] === null || series.high[i] === null) return;
    // Bars stand beside each other: the element knows where.
    const centre = across ? element.y : element.x;
    const [low, high] = [series.low[i], series.high[i]].map((v) => place(chart, series.x[i], v)[across ? 0 : 1]);
    for (const end of [low, high]) {
      ctx.moveTo(...(across ? [end, centre - 6] : [centre - 6, end]));
      ctx.lineTo(...(across ? [end, centre + 6] : [centre + 6, end]));
    }
    ctx.moveTo(...(across ? [low, centre] : [centre, low]));
    ctx.lineTo(...(across ? [high, centre] : [centre, high]));
  });
  ctx.stroke();
}

function drawGuide(chart, ctx, guide, row, colours) {
  const a = chart.chartArea;
  const upright = guide.vertical !== chart.source.horizontal;
  const at = (upright ? chart.scales.x : chart.scales.y).getPixelForValue(guide.at);
  if (upright ? at < a.left - 1 || at > a.right + 1 : at < a.top - 1 || at > a.bottom + 1) return;
  ctx.save();
  ctx.strokeStyle = colours.ink;
  ctx.lineWidth = 1.5;
  ctx.setLineDash([6, 4]);
  ctx.beginPath();
  ctx.moveTo(...(upright ? [at, a.top] : [a.left, at]));
  ctx.lineTo(...(upright ? [at, a.bottom] : [a.right, at]));
  ctx.stroke();
  ctx.setLineDash([]);
  ctx.font = "600 12px " + Chart.defaults.font.family;
  const width = ctx.measureText(guide.label).width;
  const right = upright ? at + 6 + width < a.right : true;
  const x = upright ? (right ? at + 6 : at - 6 - width) : a.right - width - 4;
  const y = upright ? a.top + 14 + 18 * row : (at - 8 > a.top + 12 ? at - 6 : at + 15);
  ctx.fillStyle = faded(colours.surface, 0.85);
  ctx.fillRect(x - 3, y - 12, width + 6, 17);
  ctx.fillStyle = colours.ink;
  ctx.fillText(guide.label, x, y);
  ctx.restore();
}

const extras = {
  id: "extras",
  beforeDatasetsDraw(chart) {
    clipped(chart, (ctx) => chart.source.series.forEach((series, i) => {
      if (series.mark === "line" && series.low.length > 0 && chart.isDatasetVisible(i))
        drawBand(chart, ctx, series, chart.data.datasets[i].borderColor);
    }));
  },
  afterDatasetsDraw(chart) {
    const colours = theme.colours();
    clipped(chart, (ctx) => chart.source.series.forEach((series, i) => {
      if (series.mark !== "line" && series.low.length > 0 && chart.isDatasetVisible(i))
        drawWhiskers(chart, ctx, series, chart.getDatasetMeta(i).data,
                     series.mark === "bars" ? colours.ink : chart.data.datasets[i].borderColor);
    }));
    chart.source.guides.filter((g) => g.at !== null).forEach((g, row) => drawGuide(chart, chart.ctx, g, row, colours));
  },
};
