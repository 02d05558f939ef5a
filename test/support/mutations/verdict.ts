import { farYear } from "./mutations.ts";
import type { Played } from "./played-source.ts";

/** What must not be made of a figure that is none, and of a date that no source can know. */
const impossible = /"(?:NaN|-?Infinity)"|:(?:null|NaN)\b/;
const farStamp = new RegExp(`"${farYear}-|"${Math.floor(Date.UTC(farYear) / 1e10)}\\d{10}"`);
/** What stays open without end is given a deadline so far ahead by publishers themselves. */
const openEnd = /"deadline":"[^"]*"/;
/** A smaller loss is not reported, because rows of any list come and go. */
const mentionedFrom = 0.9;

/**
 * Returns why the published rows are worse than the last good ones or unexplained, or undefined if they are fine. A
 * rejected response leaves every row as it was and says why. An accepted one has every earlier row, or reports fewer:
 * rejected rows, missing parts, a changed schema, or the earlier count. No row is duplicate or impossible.
 */
export function worse({ result, rows }: Played, last: Played): string | undefined {
  const { state, detail, rejected, drift, stored } = result;
  if (detail.trim() === "") return "does not say why";
  const isTaken = state === "ok" || state === "partial";
  const before = new Set(last.rows);
  if (!isTaken) {
    const isAsBefore = rows.length === last.rows.length && rows.every((row) => before.has(row));
    return isAsBefore || rows.length === 0 ? undefined : "changed rows with a bad answer";
  }
  const made = rows.filter((row) => !before.has(row));
  if (rows.length > new Set(rows).size) return "has rows twice";
  const odd = made.find((row) => impossible.test(row) || farStamp.test(row.replace(openEnd, "")));
  if (odd !== undefined) return `publishes ${odd.slice(0, 300)}`;
  const fewer = last.rows.length - rows.length;
  const isReported = rejected.length >= fewer || state === "partial" || drift.length > 0 || /before \d+/.test(detail);
  if (fewer > last.rows.length * (1 - mentionedFrom) && !isReported)
    return `lost ${fewer} rows and says only: ${detail}`;
  if (stored && stored.covered.length > 0 && rows.length === 0) return "takes nothing for everything";
  return undefined;
}
