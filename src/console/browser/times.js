const relative = new Intl.RelativeTimeFormat("en", { numeric: "always" });
const steps = [
  [31_557_600, "year"],
  [2_629_800, "month"],
  [86_400, "day"],
  [3_600, "hour"],
  [60, "minute"],
];

/** Relative times go on while a page is looked at. Their distance to the server's clock is kept. */
export function startTimes() {
  const loaded = Date.now();
  const marked = [...document.querySelectorAll("time[data-ago]")];
  if (marked.length === 0) return;
  const served = Date.parse(document.querySelector("meta[name=served-at]")?.content ?? "") || loaded;
  const show = () => {
    const now = served + (Date.now() - loaded);
    for (const time of document.querySelectorAll("time[data-ago]")) {
      const seconds = (Date.parse(time.dateTime) - now) / 1000;
      const step = steps.find(([size]) => Math.abs(seconds) >= size);
      const text = step ? relative.format(Math.trunc(seconds / step[0]), step[1]) : "just now";
      if (time.textContent !== text) time.textContent = text;
    }
  };
  setInterval(() => document.visibilityState === "visible" && show(), 30_000);
}
