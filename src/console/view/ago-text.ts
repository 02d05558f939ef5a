const steps: readonly (readonly [seconds: number, unit: Intl.RelativeTimeFormatUnit])[] = [
  [31_557_600, "year"],
  [2_629_800, "month"],
  [86_400, "day"],
  [3_600, "hour"],
  [60, "minute"],
];
/** Made when it is asked for: of a page's script the first of `Intl` would hold up the first paint. */
let relative: Intl.RelativeTimeFormat | undefined;

/** `3 hours ago`, `in 20 seconds`; what was under a minute ago was just now. */
export function agoText(at: number, now: number): string {
  relative ??= new Intl.RelativeTimeFormat("en", { numeric: "always" });
  const seconds = (at - now) / 1000;
  const step = steps.find(([size]) => Math.abs(seconds) >= size);
  if (step) return relative.format(Math.trunc(seconds / step[0]), step[1]);
  return seconds >= 1 ? relative.format(Math.trunc(seconds), "second") : "just now";
}
