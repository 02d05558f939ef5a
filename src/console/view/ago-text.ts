const steps: readonly (readonly [seconds: number, unit: Intl.RelativeTimeFormatUnit])[] = [
  [31_557_600, "year"],
  [2_629_800, "month"],
  [86_400, "day"],
  [3_600, "hour"],
  [60, "minute"],
];
/** Created on first use, because the first `Intl` object of a page's script would delay the first paint. */
let relative: Intl.RelativeTimeFormat | undefined;

/** Returns `3 hours ago` or `in 20 seconds`. A time less than a minute ago is `just now`. */
export function agoText(at: number, now: number): string {
  relative ??= new Intl.RelativeTimeFormat("en", { numeric: "always" });
  const seconds = (at - now) / 1000;
  const step = steps.find(([size]) => Math.abs(seconds) >= size);
  if (step) return relative.format(Math.trunc(seconds / step[0]), step[1]);
  return seconds >= 1 ? relative.format(Math.trunc(seconds), "second") : "just now";
}
