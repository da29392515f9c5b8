"use strict";
// Puts the charts on the page, and gives them legends, a keyboard, and a light dress for the printer.

Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
Chart.defaults.font.size = 12;

/** A swatch that shows colour, dash and mark as the chart does. */
function swatch(source, index, colours) {
  const series = source.series[index], colour = seriesColour(source, index, colours);
  const marks = {
    line: `<path d="M1 6H21" stroke="${colour}" stroke-width="3" stroke-dasharray="${dashes[variant(source, index) % dashes.length]}"/>`,
    bars: `<rect x="5" y="1" width="12" height="10" rx="2" fill="${colour}"/>`,
    cross: `<path d="${["M7 2l8 8m0-8l-8 8", "M11 1v10M6 6h10"][highlighted(source, index) % 2]}" stroke="${colour}" stroke-width="2.4"/>`,
    points: {
      circle: `<circle cx="11" cy="6" r="4.5" fill="${colour}"/>`,
      triangle: `<path d="M11 1l5.5 10h-11z" fill="${colour}"/>`,
      rect: `<path d="M7 2h8v8h-8z" fill="${colour}"/>`,
      rectRot: `<path d="M11 .5l5.5 5.5-5.5 5.5-5.5-5.5z" fill="${colour}"/>`,
      star: `<path d="M11 1v10M6 6h10M7.5 2.5l7 7m0-7l-7 7" stroke="${colour}" stroke-width="1.4"/>`,
      rectRounded: `<rect x="6.5" y="1.5" width="9" height="9" rx="2.5" fill="${colour}"/>`,
    }[shapes[variant(source, index) % shapes.length]],
  };
  const shape = series.mark === "points" && series.highlight ? "cross" : series.mark;
  return `<svg viewBox="0 0 22 12" aria-hidden="true" fill="none">${marks[shape]}</svg>`;
}

function fillLegend(chart, legend) {
  const { source } = chart, colours = theme.colours();
  if (source.series.length < 2) return;
  legend.replaceChildren(...source.series.map((series, i) => {
    const button = document.createElement("button");
    button.type = "button";
    button.innerHTML = swatch(source, i, colours);
    button.append(series.name);
    button.setAttribute("aria-pressed", String(chart.isDatasetVisible(i)));
    button.addEventListener("click", () => {
      chart.setDatasetVisibility(i, !chart.isDatasetVisible(i));
      chart.update();
      button.setAttribute("aria-pressed", String(chart.isDatasetVisible(i)));
    });
    return button;
  }));
}

/** Left and right walk along a series, up and down change it; what is met is shown and said. */
function addKeyboard(chart, canvas, spoken) {
  let at = null;
  const visible = () => chart.source.series.map((_, i) => i).filter((i) => chart.isDatasetVisible(i) && chart.source.series[i].x.length > 0);
  const show = () => {
    const active = [{ datasetIndex: at.series, index: at.point }];
    chart.setActiveElements(active);
    chart.tooltip.setActiveElements(active, { x: 0, y: 0 });
    chart.update("none");
    const series = chart.source.series[at.series];
    const name = chart.source.categories[series.x[at.point]];
    spoken.textContent = (name ? name + ": " : "") + pointText(chart.source, series, at.point);
  };
  canvas.addEventListener("keydown", (event) => {
    const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
    const all = visible();
    if (!step || all.length === 0) return;
    event.preventDefault();
    const current = at === null ? -1 : all.indexOf(at.series);
    const series = all[(Math.max(current, 0) + step[0] + all.length) % all.length];
    const length = chart.source.series[series].x.length;
    const point = at === null ? 0 : Math.min(Math.max(at.point + step[1], 0), length - 1);
    at = { series, point };
    show();
  });
  canvas.addEventListener("blur", () => {
    at = null;
    chart.setActiveElements([]);
    chart.tooltip.setActiveElements([], { x: 0, y: 0 });
    chart.update("none");
  });
}

function addChart(source, index) {
  const canvas = document.getElementById("chart-" + index);
  const legend = document.getElementById("chart-" + index + "-legend");
  if (source.horizontal) canvas.parentElement.style.height = 70 + 46 * source.categories.length + "px";
  const chart = new Chart(canvas, configuration(source, theme.colours()));
  fillLegend(chart, legend);
  addKeyboard(chart, canvas, document.getElementById("chart-" + index + "-spoken"));
  theme.listeners.push(() => { repaint(chart); fillLegend(chart, legend); });
  return chart;
}

function addThemeButton() {
  const button = document.getElementById("theme");
  const label = () => { button.textContent = theme.isDark() ? "Light theme" : "Dark theme"; };
  button.hidden = false;
  button.addEventListener("click", () => theme.choose(theme.isDark() ? "light" : "dark"));
  theme.listeners.push(label);
  label();
}

function addCopyButtons() {
  for (const button of document.querySelectorAll(".copy")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const code = document.getElementById(button.dataset.copy);
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = "Copied";
      } catch {  // a browser that gives files no clipboard: select, and leave the rest to the reader
        getSelection().selectAllChildren(code);
      }
    });
  }
}

function addSaveButton() {
  const button = document.getElementById("save");
  if (button === null) return;
  button.hidden = false;
  button.addEventListener("click", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([document.getElementById("result").textContent], { type: "application/json" }));
    link.download = "result.json";
    link.click();
    URL.revokeObjectURL(link.href);
  });
}

const charts = JSON.parse(document.getElementById("charts").textContent).map(addChart);
addThemeButton();
addCopyButtons();
addSaveButton();

// Paper is white, and narrower than the window.
let beforePrint = null;
window.addEventListener("beforeprint", () => {
  beforePrint = theme.chosen;
  theme.choose("light");
  for (const chart of charts) chart.resize();
});
window.addEventListener("afterprint", () => {
  theme.choose(beforePrint);
  for (const chart of charts) chart.resize();
});
document.documentElement.dataset.ready = "yes";
