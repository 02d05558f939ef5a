import type { Dataset } from "../../../gen/es/ids/catalog/v1/dataset_pb.ts";
import type { Change } from "../../../gen/es/ids/changes/v1/changes_pb.ts";
import { type Html, html } from "../../pages/html.ts";
import { instantText } from "../view/times.ts";

/** How a dataset stood for a while. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly kind: "ok" | "warn" | "unknown";
}

const dayMs = 86_400_000;
const keptMs = 7 * dayMs;

/** The last days as spans, from the log of changes and the state now; before the first entry it stood as the entry tells. */
export function spansOf({ name, state, storedAt }: Dataset, history: readonly Change[], now: number): readonly Span[] {
  const begin = now - keptMs;
  const own = history.filter(({ dataset }) => dataset === name).map(({ at, kind }) => ({ at: Number(at), kind }));
  const spans: Span[] = [];
  let from = begin;
  for (const { at, kind } of own.filter((each) => each.at > begin)) {
    spans.push({ from, to: at, kind: kind === "stale" ? "ok" : "warn" });
    from = at;
  }
  const isStale = state === "stale" || state === "expired";
  const kind = storedAt === undefined ? "unknown" : isStale ? "warn" : "ok";
  return [...spans, { from, to: now, kind }];
}

const words = { ok: "fresh", warn: "stale", unknown: "never loaded" } as const;

/** Spans as one line, told in words for who does not see it. */
export function timeline(spans: readonly Span[], now: number): Html {
  const begin = now - keptMs;
  const x = (at: number) => Math.round(((at - begin) / keptMs) * 7000) / 10;
  const told = spans.filter(({ kind }) => kind !== "ok");
  const text =
    told.length === 0
      ? "fresh for 7 days"
      : told.map(({ from, to, kind }) => `${words[kind]} from ${instantText(from)} to ${instantText(to)}`).join("; ");
  return html`<svg class="timeline" viewBox="0 0 700 14" preserveAspectRatio="none" role="img" aria-label="${text}">${spans.map(
    ({ from, to, kind }) =>
      html`<rect class="${kind}" x="${x(from)}" width="${Math.max(2, x(to) - x(from))}" height="14"><title>${words[kind]}: ${instantText(from)} to ${instantText(to)}</title></rect>`,
  )}</svg>`;
}
