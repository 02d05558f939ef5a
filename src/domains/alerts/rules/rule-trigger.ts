import { create, type DescMethod } from "@bufbuild/protobuf";
import {
  type ChangesTrigger,
  type SeriesTrigger,
  TendersTriggerSchema,
  type Trigger,
  type WatchlistTrigger,
} from "../../../../gen/es/ids/alerts/v1/trigger_pb.ts";
import { checkCondition } from "../../../changes/change-condition.ts";
import { changeSelection, type DatasetTiers } from "../../../changes/change-selection.ts";
import type { Member } from "../../../changes/condition-members.ts";
import { catalog, requiredTier } from "../../../contract/catalog.ts";
import { InvalidRequest, invalidField, NotEntitled } from "../../../errors.ts";
import { followedTables } from "../../../ingest/changes/followed-tables.ts";
import type { ScheduledDataset } from "../../../ingest/schedule/scheduled.ts";
import type { Series } from "../../../ingest/series/dataset-series.ts";
import { useOneOf } from "../../../reference/allowed-values.ts";
import { chokepoints as allChokepoints, chokepointById } from "../../../reference/trade/chokepoints.ts";
import type { Store } from "../../../store/tables.ts";
import { checkTenders, globalTenders } from "../../economic/published.ts";
import { keyCoverage, keyOf } from "../../history/published.ts";
import type { RuleKind } from "../alert-table.ts";

export type WithheldSources = (method: DescMethod) => readonly string[];

export interface Watched {
  readonly tiers: DatasetTiers;
  readonly series: ReadonlyMap<string, WatchedSeries>;
}

interface WatchedSeries {
  readonly series: Series;
  readonly dataset: ScheduledDataset;
  readonly tier: number;
  /** The names of sources whose terms forbid redistribution. */
  readonly restricted: readonly string[];
}

export function watched(
  datasets: readonly ScheduledDataset[],
  tiers: DatasetTiers,
  withheldSources: WithheldSources,
): Watched {
  const tierOf = (method: DescMethod) => {
    const operation = catalog.find((each) => each.method === method);
    return operation ? requiredTier(operation) : 0;
  };
  const all = datasets.flatMap((dataset) => (dataset.series?.series ?? []).map((series) => ({ dataset, series })));
  return {
    tiers,
    series: new Map(
      all.map(({ dataset, series }) => {
        const { id, shownBy } = series;
        return [id, { series, dataset, tier: tierOf(shownBy), restricted: withheldSources(shownBy) }];
      }),
    ),
  };
}

export const defaultKinds = ["appeared", "changed", "vanished"] as const;

export const stalenessKinds = ["stale", "degraded", "recovered"] as const;

/** Returns the kind of a trigger, which has exactly one member because the API rejects others. */
export function kindOf({ series, tenders, staleness, watchlist }: Trigger): RuleKind {
  if (watchlist) return "watchlist";
  return series ? "series" : tenders ? "tenders" : staleness ? "staleness" : "changes";
}

/**
 * Throws `InvalidRequest` if the trigger has unknown names. Throws `NotEntitled` for data that the plan does not
 * include, or that must not be redistributed.
 */
export function checkTrigger(
  { changes, series, tenders, staleness, watchlist }: Trigger,
  { tiers, series: known, datasets }: Watched & { readonly datasets: readonly ScheduledDataset[] },
  tier: number,
): void {
  if (watchlist) within("trigger.watchlist", () => checkWatchlist(watchlist, { tiers, series: known }, tier));
  if (changes)
    within("trigger.changes", () => {
      changeSelection(changes, tiers, tier);
      if (changes.condition !== "") checkCondition(changes.condition, membersOf(changes, datasets));
    });
  if (staleness)
    within("trigger.staleness", () => {
      changeSelection({ ...staleness, countries: [], kinds: [] }, tiers, tier);
    });
  if (tenders) {
    requireTier(globalTenders.name, tiers.get(globalTenders.name) ?? 0, tier);
    within("trigger.tenders", () => checkTenders(tenders));
  }
  if (series) {
    const found = seriesFor(series.series, { field: "trigger.series.series", known, tier });
    checkRange(series, found.series);
  }
}

/** Returns the members that `before` and `after` can have in the changes that a trigger selects. */
function membersOf({ datasets, kinds }: ChangesTrigger, all: readonly ScheduledDataset[]): readonly Member[] {
  const tables = all.filter(({ name }) => datasets.includes(name)).flatMap((dataset) => followedTables(dataset));
  const columns = tables.flatMap(({ key, reported }) => [...key, ...reported]);
  // A correction has the generations of the dataset instead of a row.
  return kinds.includes("corrected") ? [...columns, { name: "generation" }] : columns;
}

interface Asked {
  readonly field: string;
  readonly known: Watched["series"];
  readonly tier: number;
}

/** Throws `InvalidRequest` for an unknown series, and `NotEntitled` for a series that the account may not watch. */
function seriesFor(id: string, { field, known, tier }: Asked): WatchedSeries {
  const found = known.get(id);
  if (!found)
    throw invalidField(field, `${id} is not a series${useOneOf([...known.keys()].map((each) => ({ id: each })))}`);
  if (found.restricted.length > 0)
    throw new NotEntitled(`The terms of ${found.restricted.join(", ")} do not permit redistribution`);
  requireTier(id, found.tier, tier);
  return found;
}

function checkWatchlist(watchlist: WatchlistTrigger, { tiers, series: known }: Watched, tier: number): void {
  const { countries, series, chokepoints, searches } = watchlist;
  if ([countries, series, chokepoints, searches].every((list) => list.length === 0))
    throw invalidField("countries", "at least one list must not be empty");
  for (const each of series) {
    const [id = "", key = ""] = each.split("/", 2);
    if (key === "") throw invalidField("series", `${each} has no key: write ${id}/KEY`);
    seriesFor(id, { field: "series", known, tier });
  }
  const unknown = chokepoints.find((id) => !chokepointById(id));
  if (unknown !== undefined) {
    const description = `${unknown} is not a chokepoint${useOneOf(allChokepoints)}`;
    throw invalidField("chokepoints", description);
  }
  if (chokepoints.length > 0) seriesFor(chokepointSeries, { field: "chokepoints", known, tier });
  if (searches.length > 0) requireTier(globalTenders.name, tiers.get(globalTenders.name) ?? 0, tier);
  for (const query of searches)
    try {
      checkTenders(create(TendersTriggerSchema, { query }));
    } catch (error) {
      if (!(error instanceof InvalidRequest)) throw error;
      throw new InvalidRequest(error.violations.map(({ description }) => ({ field: "searches", description })));
    }
}

/** The series that a watchlist reads for each of its chokepoints. */
export const chokepointSeries = "chokepoint.disruption";

/** If a series has values for the European Union but not for its members, replaces members by the key of the Union. */
export function withUnionKeys(trigger: Trigger, { series: known }: Watched): Trigger {
  const { series } = trigger;
  const of = series && known.get(series.series)?.series;
  if (!series || of?.unionKey === undefined) return trigger;
  const keys = [...new Set(series.keys.map((key) => keyOf(of, key)))];
  return { ...trigger, series: { ...series, keys } };
}

/**
 * Throws `InvalidRequest` if a series can never have one of the keys. Returns the keys that have no value yet, spelled
 * as in the request.
 */
export async function checkKeys(
  database: Store,
  { data, watched }: { readonly data: "live" | "sample"; readonly watched: Watched },
  { series, watchlist }: Trigger,
): Promise<string[]> {
  for (const item of watchlist?.series ?? []) {
    const [id = "", ...rest] = item.split("/");
    const of = watched.series.get(id)?.series;
    if (!of) continue;
    const key = keyOf(of, rest.join("/"));
    const { unknownKeys, note } = await keyCoverage(database, of, { origin: data, keys: [key] });
    const isPartial = key.split("/").length < of.keyParts.length;
    const description = isPartial ? `${item} is not a whole key: ${id} has ${of.keyParts.join("/")}` : note;
    if (isPartial || unknownKeys.length > 0) throw invalidField("trigger.watchlist.series", description);
  }
  const found = series && watched.series.get(series.series);
  if (!found) return [];
  const keys = [...new Set(series.keys.map((key) => key.toUpperCase()))];
  const { unknownKeys, pending, note } = await keyCoverage(database, found.series, { origin: data, keys });
  if (unknownKeys.length === 0) return series.keys.filter((key) => pending.includes(key.toUpperCase()));
  throw invalidField("trigger.series.keys", note);
}

function checkRange({ threshold = 0, direction, hysteresis }: SeriesTrigger, { id, range }: WatchedSeries["series"]) {
  if (!range) return;
  const [min, greatest] = range;
  if (threshold < min || threshold > greatest)
    throw invalidField("trigger.series.threshold", `value must be from ${min} to ${greatest}, the range of ${id}`);
  const farthest = direction === "below" ? greatest - threshold : threshold - min;
  if (hysteresis > farthest)
    throw invalidField(
      "trigger.series.hysteresis",
      `value must be at most ${farthest}, the distance from the threshold to the end of the range of ${id}`,
    );
}

function requireTier(name: string, requiredTier: number, currentTier: number): void {
  if (requiredTier > currentTier) throw new NotEntitled(`Upgrade required for ${name}`, { requiredTier, currentTier });
}

function within(path: string, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    throw new InvalidRequest(
      error.violations.map(({ field, description }) => ({ field: `${path}.${field}`, description })),
    );
  }
}
