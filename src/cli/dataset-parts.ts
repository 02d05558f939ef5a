import type { Config } from "../config/config.ts";
import { datasets } from "../domains/index.ts";
import { storedBudget, storedRests } from "../ingest/request-limits.ts";
import type { ScheduledDataset } from "../ingest/schedule/scheduled.ts";
import { createUpstreams, type Upstreams } from "../ingest/upstreams.ts";
import type { Store } from "../store/tables.ts";
import { WrongCommandLine } from "./terminal.ts";

/** The datasets that a command supports, and texts about them for errors. */
interface Applicable {
  readonly able: readonly ScheduledDataset[];
  /** Title for the list of supported names, such as `Datasets with days`. */
  readonly ableText: string;
  /** Returns why the command does not support a dataset. */
  readonly unableText: (name: string) => string;
}

const all: Applicable = { able: datasets, ableText: "Known datasets", unableText: () => "" };

/** Returns the named datasets, or all without a name. Throws `WrongCommandLine` for an unsupported name. */
export function chosenDatasets(names: readonly string[], applicable = all): readonly ScheduledDataset[] {
  return names.length === 0 ? applicable.able : names.map((name) => namedDataset(name, applicable));
}

export function namedDataset(name: string, { able, ableText, unableText } = all): ScheduledDataset {
  const dataset = able.find((each) => each.name === name);
  if (dataset) return dataset;
  const why = datasets.some((each) => each.name === name) ? unableText(name) : `Unknown dataset ${name}`;
  throw new WrongCommandLine(`${why}. ${ableText}: ${able.map((each) => each.name).join(", ")}`);
}

/** First and last day, both included, in the format YYYY-MM-DD. */
export interface DaySpan {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Checks a range of days. Throws `WrongCommandLine` if a day does not exist or the range is reversed. */
export function checkedSpan(span: DaySpan): DaySpan {
  for (const day of [span.from, span.to]) {
    // `Date.parse` accepts `2026-02-30` as a day in March, so the result is compared with the text.
    const isDay = day === undefined || (/^\d{4}-\d{2}-\d{2}$/.test(day) && isoOf(Date.parse(day)).startsWith(day));
    if (!isDay) throw new WrongCommandLine(`--from and --to must be days such as 2026-03-01, not ${day}`);
  }
  const { from, to } = span;
  if (from !== undefined && to !== undefined && to < from)
    throw new WrongCommandLine(`--to must not be before --from: ${to} is before ${from}`);
  return span;
}

function isoOf(instant: number): string {
  return Number.isNaN(instant) ? "" : new Date(instant).toISOString();
}

/** Returns access to sources. If there is a store, it has their request budgets and pauses for all processes. */
export function sharedUpstreams(config: Config, database: Store | undefined): Upstreams {
  const outside = database ? { takeRequest: storedBudget(database), rests: storedRests(database) } : {};
  return createUpstreams(config, () => new Date(), Math.random, outside);
}
