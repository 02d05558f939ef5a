import { farYear } from "./mutations.ts";
import type { Played } from "./played-source.ts";

/** What must not be made of a figure that is none, and of a date that no source can know. */
const impossible = /"(?:NaN|-?Infinity)"|:(?:null|NaN)\b/;
const farStamp = new RegExp(`"${farYear}-|"${Math.floor(Date.UTC(farYear) / 1e10)}\\d{10}"`);
/** What stays open without end is given a deadline so far ahead by publishers themselves. */
const openEnd = /"deadline":"[^"]*"/;
/** A share so small is not told of: rows of any list come and go. */
const mentionedFrom = 0.9;

/**
 * Why what is published after an answer is worse than the last good one, or not explained; undefined when it is not. An answer that
 * is not taken leaves every row as it was and says why. One that is taken has every row of before, or tells of fewer: by rows
 * that were rejected, parts that are missing, a form that has changed, or the count of before. No row is there twice, and none
 * tells of what cannot be.
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
