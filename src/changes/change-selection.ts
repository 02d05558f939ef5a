import { InvalidRequest, NotEntitled } from "../errors.ts";
import { compileExpression } from "../projection/compile.ts";
import { type Evaluate, Fuel, fuelLimit } from "../projection/fuel.ts";
import { isTrue } from "../projection/members.ts";
import { ProjectionFailed } from "../projection/projection-errors.ts";
import type { ChangeFilter } from "../store/changes/change-log.ts";
import type { ChangeEntry } from "./change-message.ts";

/** What a reader wants of the log. */
export interface ChangeSelection {
  readonly filter: ChangeFilter;
  /** Whether it wants an entry; looks at the filter too. What its condition costs is added to the meter. */
  readonly matches: (entry: ChangeEntry, meter?: FuelMeter) => boolean;
  /** Whether matching costs more than comparing texts. */
  readonly isConditional: boolean;
}

/** What conditions have cost so far, in units of fuel. */
export interface FuelMeter {
  spent: number;
}

interface Request extends ChangeFilter {
  readonly condition: string;
}

/** The lowest tier at which any read of a dataset may be called, by the dataset's name. */
export type DatasetTiers = ReadonlyMap<string, number>;

/**
 * Whoever may call none of a dataset's reads is not told of its changes. Throws `InvalidRequest` for a condition that is none, and
 * for datasets that are not among those known, and `NotEntitled` where one of those asked for is not the caller's.
 */
export function changeSelection(
  { datasets: asked, countries, kinds, condition }: Request,
  known: DatasetTiers,
  tier: number,
): ChangeSelection {
  const datasets = readable(asked, known, tier);
  const among = (wanted: readonly string[]) => {
    const values = new Set(wanted);
    return (value: string) => values.size === 0 || values.has(value);
  };
  const [ofDataset, ofCountry, ofKind] = [among(datasets), among(countries), among(kinds)];
  const holds = condition === "" ? undefined : changeCondition(condition);
  return {
    filter: { datasets, countries, kinds },
    isConditional: holds !== undefined,
    matches: (entry, meter) => {
      const { dataset, country, kind } = entry.logged;
      return ofDataset(dataset) && ofCountry(country) && ofKind(kind) && (holds?.(entry, meter) ?? true);
    },
  };
}

/** The datasets of which changes are told; none: all. */
function readable(asked: readonly string[], known: DatasetTiers, tier: number): readonly string[] {
  const unknown = asked.findIndex((name) => !known.has(name));
  if (unknown >= 0)
    throw new InvalidRequest([
      {
        field: `datasets[${unknown}]`,
        description: `value must be the name of a dataset: ${[...known.keys()].join(", ")}`,
      },
    ]);
  const isReadable = (name: string) => (known.get(name) ?? 0) <= tier;
  const beyond = asked.find((name) => !isReadable(name));
  if (beyond !== undefined)
    throw new NotEntitled(`Upgrade required for ${beyond}`, {
      requiredTier: known.get(beyond) ?? 0,
      currentTier: tier,
    });
  if (asked.length > 0) return asked;
  const all = [...known.keys()];
  return all.every(isReadable) ? [] : all.filter(isReadable);
}

/** Under the fuel of an expression on an answer; what fails holds not. Throws `InvalidRequest` for what is no expression. */
export function changeCondition(condition: string): (entry: ChangeEntry, meter?: FuelMeter) => boolean {
  const evaluate = compiled(condition);
  return (entry, meter) => {
    const fuel = new Fuel();
    try {
      return isTrue(evaluate(entry.plain, fuel), fuel);
    } catch (error) {
      if (error instanceof ProjectionFailed) return false;
      throw error;
    } finally {
      if (meter) meter.spent += fuelLimit - fuel.left;
    }
  };
}

function compiled(condition: string): Evaluate {
  try {
    return compileExpression(condition);
  } catch (error) {
    if (!(error instanceof ProjectionFailed)) throw error;
    throw new InvalidRequest([
      { field: "condition", description: `value must be a JMESPath expression: ${error.message}` },
    ]);
  }
}
