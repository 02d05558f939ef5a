import { InvalidRequest, ProjectionFailed } from "../errors.ts";
import { compileExpression } from "../projection/compile.ts";
import { type Evaluate, Fuel } from "../projection/fuel.ts";
import { isTrue } from "../projection/members.ts";
import type { ChangeFilter } from "../store/changes/change-log.ts";
import type { ChangeEntry } from "./change-message.ts";

/** What a reader wants of the log. */
export interface ChangeSelection {
  readonly filter: ChangeFilter;
  /** Whether it wants an entry; looks at the filter too. */
  readonly matches: (entry: ChangeEntry) => boolean;
  /** Whether matching costs more than comparing texts. */
  readonly isConditional: boolean;
}

interface Request extends ChangeFilter {
  readonly condition: string;
}

/** Throws `InvalidRequest` for a condition that is none, and for datasets that are not among those known. */
export function changeSelection(
  { datasets, countries, kinds, condition }: Request,
  known: ReadonlySet<string>,
): ChangeSelection {
  const unknown = datasets.findIndex((name) => !known.has(name));
  if (unknown >= 0)
    throw new InvalidRequest([
      {
        field: `datasets[${unknown}]`,
        description: `value must be the name of a dataset: ${[...known].join(", ")}`,
      },
    ]);
  const among = (wanted: readonly string[]) => {
    const values = new Set(wanted);
    return (value: string) => values.size === 0 || values.has(value);
  };
  const [ofDataset, ofCountry, ofKind] = [among(datasets), among(countries), among(kinds)];
  const holds = condition === "" ? undefined : conditionOf(condition);
  return {
    filter: { datasets, countries, kinds },
    isConditional: holds !== undefined,
    matches: (entry) => {
      const { dataset, country, kind } = entry.logged;
      return ofDataset(dataset) && ofCountry(country) && ofKind(kind) && (holds?.(entry) ?? true);
    },
  };
}

/** Under the fuel of an expression on an answer; what fails holds not. */
function conditionOf(condition: string): (entry: ChangeEntry) => boolean {
  const evaluate = compiled(condition);
  return (entry) => {
    try {
      const fuel = new Fuel();
      return isTrue(evaluate(entry.plain, fuel), fuel);
    } catch (error) {
      if (error instanceof ProjectionFailed) return false;
      throw error;
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
