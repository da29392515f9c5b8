"use strict";
// Light or dark: the reader's system decides until the button does. The colours themselves are in page.css.
const theme = {
  system: window.matchMedia("(prefers-color-scheme: dark)"),
  chosen: null,
  listeners: [],

  isDark() { return (this.chosen ?? (this.system.matches ? "dark" : "light")) === "dark"; },

  apply() {
    document.documentElement.dataset.theme = this.isDark() ? "dark" : "light";
    for (const listener of this.listeners) listener();
  },

  choose(name) {
    this.chosen = name;
    this.apply();
  },

  colour(name) { return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim(); },

  colours() {
    return {
      ink: this.colour("ink"), muted: this.colour("muted"), grid: this.colour("grid"), line: this.colour("line"),
      surface: this.colour("surface"), accent: this.colour("accent"),
      series: [0, 1, 2, 3, 4, 5].map((i) => this.colour("series-" + i)),
    };
  },
};
theme.system.addEventListener("change", () => theme.apply());
theme.apply();
