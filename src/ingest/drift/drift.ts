import { z } from "zod";
import { isoDay } from "../../reference/calendar.ts";
import { dayMs } from "../../reference/duration.ts";
import { printable } from "../../reference/printable.ts";
import type { Upstream } from "../../upstream/upstream.ts";
import type { Source } from "../source.ts";
import { around, isKeyedByData, lineEnd, type Shape, type ShapeField } from "./shape.ts";

export const driftSchema = z.object({
  kind: z.enum(["new field", "vanished field", "changed type", "new value", "older rows"]),
  field: z.string(),
  detail: z.string(),
});

export type Drift = z.output<typeof driftSchema>;

/** Matches the path of the items of a list. Items of an empty list do not count as a missing field. */
const item = /\[\]$/;
const maxReported = 20;
/** If at least this share of objects has a field, all objects are expected to have it. */
const always = 0.95;
/** Minimum number of objects for a change to break a parser. With fewer, a field may be missing by chance. */
const enough = 20;

/** Compares two schemas. For a new field that is an object, the members of the object are not reported. */
export function driftBetween(before: Shape, now: Shape): Drift[] {
  const reported: Drift[] = [];
  for (const [path, field] of Object.entries(now)) {
    const known = before[path];
    if (!known) {
      if (field.filled > 0 && isFilled(before[around(path)]))
        reported.push({ kind: "new field", field: named(path), detail: field.types.join(" or ") });
      continue;
    }
    const types = field.types.filter((type) => !known.types.includes(type));
    if (types.length > 0 && known.types.length > 0)
      reported.push({
        kind: "changed type",
        field: named(path),
        detail: `${types.join(", ")}, before ${known.types.join(", ")}`,
      });
    const values = known.values && field.values ? field.values.filter((value) => !known.values?.includes(value)) : [];
    if (values.length > 0) reported.push({ kind: "new value", field: named(path), detail: values.join(", ") });
  }
  for (const [path, field] of Object.entries(before))
    if (wasAlways(field) && !item.test(path) && isFilled(now[around(path)]) && !isFilled(now[path]))
      reported.push({ kind: "vanished field", field: named(path), detail: `in ${field.filled} of ${field.of} before` });
  return reported.slice(0, maxReported);
}

/** Returns whether a difference may break a parser: the field vanished, or its type changed in every object. */
export function changesForm({ kind, field }: Drift, before: Shape, now: Shape): boolean {
  const path = Object.keys(before).find((known) => named(known) === field);
  if (path === undefined) return false;
  const old = before[path];
  const parent = now[around(path)];
  if (kind === "vanished field") return (old?.of ?? 0) >= enough && (parent?.filled ?? 0) >= enough;
  if (kind !== "changed type") return false;
  const types = now[path]?.types ?? [];
  return (old?.of ?? 0) >= enough && types.every((type) => !old?.types.includes(type));
}

/** Returns the schema to compare the next response with: the current one and all codes of earlier responses. */
export function laterShape(before: Shape | undefined, now: Shape): Shape {
  return Object.fromEntries(
    Object.entries(now).map(([path, field]) => {
      const values = [...new Set([...(before?.[path]?.values ?? []), ...(field.values ?? [])])];
      return [path, values.length > 0 ? { ...field, values } : field];
    }),
  );
}

function wasAlways({ filled, of }: ShapeField): boolean {
  return of > 0 && filled / of >= always;
}

function isFilled(field: ShapeField | undefined): boolean {
  return field !== undefined && field.filled > 0;
}

function named(path: string): string {
  return path.replace(/^\./, "") || "the whole answer";
}

export interface ResponseDrift {
  readonly found: readonly Drift[];
  readonly seen: readonly SeenDrift[];
  /** The changes that break the parser: fields that it reads are missing or change type, or a table is truncated. */
  readonly grave: readonly Drift[];
}

/** Finds the schema changes of a response. If parts of the response are missing, missing fields are not reported. */
export async function responseDrift(
  source: Pick<Source<unknown>, "fetch" | "parse">,
  response: { readonly shape: Shape; readonly isWhole: boolean },
  before: { readonly shape: Shape; readonly drift: readonly SeenDrift[] },
  sample: () => Upstream,
): Promise<ResponseDrift> {
  const { shape, isWhole } = response;
  const all = driftBetween(before.shape, shape).filter(({ kind }) => isWhole || kind !== "vanished field");
  // It takes as long as a refresh to find the fields that a parser reads, so only a possible break triggers it.
  const suspects = all.filter((drift) => changesForm(drift, before.shape, shape));
  const read = suspects.length > 0 ? await fieldsRead(source, sample()) : new Set();
  const cut = all.filter(({ kind, field }) => kind === "vanished field" && field.endsWith(lineEnd));
  const grave = [...cut, ...suspects.filter(({ field }) => read.has(field))];
  return { found: unreported(all, before.drift), seen: before.drift, grave };
}

/** Returns the fields that the parser reads from the sample. The set is empty if the sample is absent or not JSON. */
export async function fieldsRead(
  source: Pick<Source<unknown>, "fetch" | "parse">,
  sample: Upstream,
): Promise<ReadonlySet<string>> {
  const read = new Set<string>();
  const watching: Upstream = {
    ...sample,
    now: sample.now,
    json: async (request) => watched(await sample.json(request), "", (path) => read.add(path)),
  };
  try {
    source.parse(await source.fetch(watching), sample.now);
  } catch {
    // The fields that the parser read before it failed are valid.
  }
  return read;
}

/** Returns a proxy of a value that calls `see` with the path of every member that the parser reads. */
function watched<T>(value: T, path: string, see: (path: string) => void): T {
  if (typeof value !== "object" || value === null) return value;
  const isMap = !Array.isArray(value) && isKeyedByData(value);
  return new Proxy(value, {
    get(target, key, receiver) {
      const member: unknown = Reflect.get(target, key, receiver);
      if (typeof key === "symbol" || typeof member === "function") return member;
      if (Array.isArray(target)) return /^\d+$/.test(key) ? watched(member, `${path}[]`, see) : member;
      const inside = `${path}.${isMap ? "*" : key}`;
      see(inside.replace(/^\./, ""));
      return watched(member, inside, see);
    },
  });
}

/**
 * A response is rejected if it ends more than this number of periods, such as months, before the previous one. A
 * revision can remove the newest points, so some periods may be missing.
 */
const maxReclaimed = 5;
/** If at least this share of the intervals between consecutive days has the same length, that length is the period. */
const regularFrom = 0.7;
const minSteps = 5;

export interface OlderResponse {
  readonly reported: Drift;
  readonly rejection?: string;
}

/** Finds whether a response ends earlier than the previous one. Only rows at regular intervals lead to a rejection. */
export function olderResponse(
  times: readonly number[],
  before: Date | undefined,
  now: Date,
): OlderResponse | undefined {
  const days = [...new Set(times.filter(Number.isFinite).map((at) => Math.floor(at / dayMs)))].sort((a, b) => a - b);
  const newest = days.at(-1);
  if (before === undefined || newest === undefined) return undefined;
  // The newest row of the previous response may be dated in the future, so it counts as dated today at the latest.
  const last = Math.floor(Math.min(before.getTime(), now.getTime()) / dayMs);
  const period = periodOf(days);
  const behind = last - newest;
  if (behind <= (period ?? 1)) return undefined;
  const detail = `${isoDay(newest * dayMs)}, before ${isoDay(last * dayMs)}`;
  return {
    reported: { kind: "older rows", field: "the newest row", detail },
    ...(period !== undefined &&
      behind > maxReclaimed * period && {
        rejection: `its newest row is of ${isoDay(newest * dayMs)}, that of before of ${isoDay(last * dayMs)}`,
      }),
  };
}

/** Returns the usual number of days between rows, or undefined if the rows are not regular. */
function periodOf(days: readonly number[]): number | undefined {
  const steps = days.slice(1).map((day, index) => day - (days[index] ?? day));
  const middle = steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)];
  if (middle === undefined || steps.length < minSteps) return undefined;
  // Months and years have different lengths, so intervals that differ by up to a tenth count as equal.
  const alike = steps.filter((step) => Math.abs(step - middle) <= middle / 10);
  return alike.length / steps.length >= regularFrom ? middle : undefined;
}

const seenSchema = z.array(driftSchema.extend({ at: z.string() }));

/** A schema change with the ISO 8601 time when it was first seen. */
export type SeenDrift = z.output<typeof seenSchema>[number];

/** Time for which the status of a source shows a schema change to operators. */
const reportedForMs = 30 * dayMs;
const maxSeen = 50;

export function readDrift(stored: unknown): readonly SeenDrift[] {
  return stored === null || stored === undefined ? [] : seenSchema.parse(stored);
}

export function unreported(found: readonly Drift[], seen: readonly SeenDrift[]): readonly Drift[] {
  return found.filter(
    ({ kind, field, detail }) =>
      !seen.some((known) => known.kind === kind && known.field === field && known.detail === detail),
  );
}

export function withSeen(seen: readonly SeenDrift[], found: readonly Drift[], at: Date): readonly SeenDrift[] {
  const recent = seen.filter((known) => at.getTime() - Date.parse(known.at) < reportedForMs);
  return [...found.map((drift) => ({ ...drift, at: at.toISOString() })), ...recent].slice(0, maxSeen);
}

export function driftInWords(found: readonly Drift[]): string {
  return found.map(({ kind, field, detail }) => `${kind} ${field} (${detail})`).join("; ");
}

export interface DriftStatus {
  readonly at: string;
  readonly kind: SeenDrift["kind"];
  /** Path in the responses, such as `results[].country`. */
  readonly field: string;
  /** The types, codes, or days before and after the change. */
  readonly words: string;
}

const maxDriftWords = 100;

/** Returns the stored schema changes for the status. They quote no values except codes: short words without digits. */
export function driftStatuses(stored: unknown): DriftStatus[] {
  return readDrift(stored).map(({ at, kind, field, detail }) => ({
    at,
    kind,
    field,
    words: shortened(printable(detail)),
  }));
}

function shortened(text: string): string {
  return text.length <= maxDriftWords ? text : `${text.slice(0, maxDriftWords - 1).toWellFormed()}…`;
}
