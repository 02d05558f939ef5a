// Adds optional functions to all pages. All requests go to this host only.
import { startChartImages } from "./chart-images.js";
import { startCharts } from "./charts.js";
import { startCopying } from "./copying.js";
import { startFilters } from "./filters.js";
import { startLive } from "./live.js";
import { startSuggestions } from "./suggestions.js";
import { startTimes } from "./times.js";

// A page from the cache has the choices from when it was left. They are reset to those in the URL, except in forms that
// work on the page.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted)
    for (const form of document.querySelectorAll('form.filters[autocomplete="off"]:not([method])')) form.reset();
});
addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target.closest("input, textarea, select, [contenteditable]")) return;
  event.preventDefault();
  document.querySelector("#find")?.focus();
});
addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && event.target.closest(".menu-of-block[open]");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});
startTimes();
startCharts();
startChartImages();
startFilters();
startCopying();
startLive();
startSuggestions();
