import { headerOf } from "../http/exchange.ts";

/** Notice about the age and origin of data: sentences for the model, and metadata for programs. */
export interface DataNotice {
  readonly text: string;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** Creates the notice from the headers of a response. Its text is empty for fresh, complete, live data. */
export function dataNotice(headers: readonly string[]): DataNotice {
  const isSample = headerOf(headers, "X-Data-Origin") === "sample";
  const isStale = headerOf(headers, "X-Data-Stale") === "true";
  const age = Number(headerOf(headers, "X-Data-Age") ?? 0);
  const missing = headerOf(headers, "X-Data-Missing");
  const isDown = headerOf(headers, "X-Flight-Upstream") === "unavailable";
  const corners = headerOf(headers, "X-Bbox-Missing");
  return {
    text: [
      ...(isSample ? ["Sample data: the values are invented."] : []),
      ...(isStale ? [`Stale data: last read ${inWords(age)} ago, longer than expected.`] : []),
      ...(missing === undefined ? [] : [`Incomplete data: missing: ${missing}.`]),
      ...(isDown
        ? ["No response from the flight provider: this does not mean that the aircraft is not in the air."]
        : []),
      ...(corners === undefined ? [] : [`Nothing was looked up: the box lacks ${corners.split(",").join(", ")}.`]),
    ].join(" "),
    meta: {
      ...(isSample ? { "ids/data-origin": "sample" } : {}),
      ...(isStale ? { "ids/data-stale": true, "ids/data-age-seconds": age } : {}),
      ...(missing === undefined ? {} : { "ids/data-missing": missing.split(", ") }),
      ...(isDown ? { "ids/upstream": "unavailable" } : {}),
      ...(corners === undefined ? {} : { "ids/missing-parameters": corners.split(",") }),
    },
  };
}

function inWords(seconds: number): string {
  if (seconds < 7_200) return `${Math.round(seconds / 60)} minutes`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} hours` : `${Math.round(seconds / 86_400)} days`;
}
