import type { DescMethod } from "@bufbuild/protobuf";
import type { Kysely } from "kysely";
import type { SeriesTrigger, Trigger } from "../../../../gen/es/ids/alerts/v1/trigger_pb.ts";
import { checkCondition } from "../../../changes/change-condition.ts";
import { changeSelection, type DatasetTiers } from "../../../changes/change-selection.ts";
import { catalog, requiredTier } from "../../../contract/catalog.ts";
import { InvalidRequest, NotEntitled } from "../../../errors.ts";
import type { ScheduledDataset } from "../../../ingest/schedule/scheduled.ts";
import type { Series } from "../../../ingest/series/dataset-series.ts";
import { useOneOf } from "../../../reference/allowed-values.ts";
import type { StoreTables } from "../../../store/tables.ts";
import { checkTenders, globalTenders } from "../../economic/published.ts";
import { keyCoverage } from "../../history/published.ts";
import type { RuleKind } from "../alert-table.ts";

/** What there is to watch. */
export interface Watched {
  /** The lowest tier that may read each dataset. */
  readonly tiers: DatasetTiers;
  readonly series: ReadonlyMap<string, WatchedSeries>;
}

interface WatchedSeries {
  readonly series: Pick<Series, "id" | "range" | "keyParts" | "keys" | "isCount">;
  readonly tier: number;
  /** Sources whose terms permit no passing on. */
  readonly restricted: readonly string[];
}

export function watched(
  datasets: readonly ScheduledDataset[],
  tiers: DatasetTiers,
  withheldRows: (method: DescMethod) => readonly string[],
): Watched {
  const tierOf = (method: DescMethod) => {
    const operation = catalog.find((each) => each.method === method);
    return operation ? requiredTier(operation) : 0;
  };
  const all = datasets.flatMap(({ series }) => series?.series ?? []);
  return {
    tiers,
    series: new Map(
      all.map((series) => {
        const { id, shownBy } = series;
        return [id, { series, tier: tierOf(shownBy), restricted: withheldRows(shownBy) }];
      }),
    ),
  };
}

/** Kinds of changes that a rule reports which names none. */
export const defaultKinds = ["appeared", "changed", "vanished"] as const;

export const stalenessKinds = ["stale", "degraded", "recovered"] as const;

/** Which of its members a trigger has: the contract lets none pass with another number than one. */
export function kindOf({ series, tenders, staleness }: Trigger): RuleKind {
  return series ? "series" : tenders ? "tenders" : staleness ? "staleness" : "changes";
}

/** Throws `InvalidRequest` for what there is not, and `NotEntitled` for what the plan does not cover or may not be passed on. */
export function checkTrigger(
  { changes, series, tenders, staleness }: Trigger,
  { tiers, series: known }: Watched,
  tier: number,
): void {
  if (changes)
    within("trigger.changes", () => {
      changeSelection(changes, tiers, tier);
      if (changes.condition !== "") checkCondition(changes.condition);
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
    const found = known.get(series.series);
    if (!found)
      throw new InvalidRequest([
        {
          field: "trigger.series.series",
          description: `${series.series} is no series${useOneOf([...known.keys()].map((id) => ({ id })))}`,
        },
      ]);
    if (found.restricted.length > 0)
      throw new NotEntitled(`The terms of ${found.restricted.join(", ")} permit no passing on`);
    requireTier(series.series, found.tier, tier);
    checkRange(series, found.series);
  }
}

/**
 * Throws `InvalidRequest` for keys of which the rule could never report anything. Returns the keys, as they are
 * written, of which the series has no value so far.
 */
export async function checkKeys(
  database: Kysely<StoreTables>,
  { data, watched }: { readonly data: "live" | "sample"; readonly watched: Watched },
  { series }: Trigger,
): Promise<string[]> {
  const found = series && watched.series.get(series.series);
  if (!found) return [];
  const keys = [...new Set(series.keys.map((key) => key.toUpperCase()))];
  const { unknownKeys, pending, note } = await keyCoverage(database, found.series, { origin: data, keys });
  if (unknownKeys.length === 0) return series.keys.filter((key) => pending.includes(key.toUpperCase()));
  throw new InvalidRequest([{ field: "trigger.series.keys", description: note }]);
}

/** Of a figure whose range is known the threshold must lie in it, and so must where the figure is back across it. */
function checkRange(
  { threshold = 0, direction, hysteresis }: SeriesTrigger,
  { id, range }: WatchedSeries["series"],
): void {
  if (!range) return;
  const [min, greatest] = range;
  if (threshold < min || threshold > greatest)
    throw new InvalidRequest([
      { field: "trigger.series.threshold", description: `value must be from ${min} to ${greatest}, as ${id} is` },
    ]);
  const farthest = direction === "below" ? greatest - threshold : threshold - min;
  if (hysteresis > farthest)
    throw new InvalidRequest([
      {
        field: "trigger.series.hysteresis",
        description: `value must be at most ${farthest}: ${id} is never farther back across the threshold`,
      },
    ]);
}

function requireTier(name: string, requiredTier: number, currentTier: number): void {
  if (requiredTier > currentTier) throw new NotEntitled(`Upgrade required for ${name}`, { requiredTier, currentTier });
}

/** Names the members of a request by their whole paths. */
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
