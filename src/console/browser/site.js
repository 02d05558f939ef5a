// Adds to all pages what they can do without. Everything is asked of this host alone.
import { startCharts } from "./charts.js";
import { startCopying } from "./copying.js";
import { startFilters } from "./filters.js";
import { startLive } from "./live.js";
import { startMaps } from "./maps.js";
import { startTimes } from "./times.js";

// A page that comes back has what was chosen when it was left, beside what it was asked for. Forms that work in place are as they look.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted)
    for (const form of document.querySelectorAll('form.filters[autocomplete="off"]:not([method])')) form.reset();
});
startTimes();
startCharts();
startMaps();
startFilters();
startCopying();
startLive();
