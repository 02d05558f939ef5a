import { invalidField, NotEntitled } from "../errors.ts";
import type { ChangeFilter } from "../store/changes/change-log.ts";
import type { ChangeEntry } from "./change-message.ts";

export interface ChangeSelection {
  readonly filter: ChangeFilter;
  readonly matches: (entry: ChangeEntry) => boolean;
}

/** Maps the name of each dataset to the lowest tier that may call one of its operations. */
export type DatasetTiers = ReadonlyMap<string, number>;

/**
 * Selects the requested changes, but only those of datasets that the caller may read. Throws `InvalidRequest` for
 * unknown datasets, and `NotEntitled` if the caller's plan does not include a requested dataset.
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

/** Returns those of the requested datasets that the caller may read. An empty request means all of them. */
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
