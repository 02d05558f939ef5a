import { invalidField, NotEntitled } from "../errors.ts";
import type { ChangeFilter } from "../store/changes/change-log.ts";
import type { ChangeEntry } from "./change-message.ts";

export interface ChangeSelection {
  readonly filter: ChangeFilter;
  readonly matches: (entry: ChangeEntry) => boolean;
}

/** Lowest tier that may call an operation of a dataset, by the name of the dataset. */
export type DatasetTiers = ReadonlyMap<string, number>;

/**
 * A caller sees only changes of datasets with a read that it may call. Throws `InvalidRequest` for unknown datasets, and
 * `NotEntitled` if the plan does not include one of those requested.
 */
export function changeSelection(
  { datasets: requested, countries, kinds }: ChangeFilter,
  known: DatasetTiers,
  tier: number,
): ChangeSelection {
  const datasets = readable(requested, known, tier);
  const among = (wanted: readonly string[]) => {
    const values = new Set(wanted);
    return (value: string) => values.size === 0 || values.has(value);
  };
  const [ofDataset, ofCountry, ofKind] = [among(datasets), among(countries), among(kinds)];
  return {
    filter: { datasets, countries, kinds },
    matches: ({ logged: { dataset, country, kind } }) => ofDataset(dataset) && ofCountry(country) && ofKind(kind),
  };
}

/** Returns the selected datasets that the caller may read. An empty request selects all of these. */
function readable(requested: readonly string[], known: DatasetTiers, tier: number): readonly string[] {
  const unknown = requested.findIndex((name) => !known.has(name));
  if (unknown >= 0)
    throw invalidField(`datasets[${unknown}]`, `value must be the name of a dataset: ${[...known.keys()].join(", ")}`);
  const isReadable = (name: string) => (known.get(name) ?? 0) <= tier;
  const beyond = requested.find((name) => !isReadable(name));
  if (beyond !== undefined)
    throw new NotEntitled(`Upgrade required for ${beyond}`, {
      requiredTier: known.get(beyond) ?? 0,
      currentTier: tier,
    });
  if (requested.length > 0) return requested;
  const all = [...known.keys()];
  return all.every(isReadable) ? [] : all.filter(isReadable);
}
