import type { Operation } from "../contract/catalog.ts";
import { countryParameter, twinOfCountry } from "../contract/request/country-parameter.ts";
import { unknownRejecter } from "../contract/request/strict.ts";
import { InvalidRequest, type Violation } from "../errors.ts";

export type ToolArguments = Readonly<Record<string, unknown>>;

/** Maximum number of items per argument, which limits the work. Every list of an operation accepts fewer. */
const maxItems = 200;

/**
 * Converts arguments to a query, so that they are parsed and checked as in other protocols. Unlike there, an unknown
 * argument is rejected, because an agent that invents one would misread the result. Throws `InvalidRequest`.
 */
export function queryOf(operation: Operation, given: ToolArguments): string {
  const query = new URLSearchParams();
  const violations: Violation[] = [];
  for (const [name, value] of Object.entries(given)) {
    const texts = textsOf(value);
    if (texts === undefined)
      violations.push({
        field: name,
        description: `value must be a string, a number, a boolean, or a list of at most ${maxItems} of them`,
      });
    else for (const text of texts) query.append(name, text);
  }
  if (violations.length > 0) throw new InvalidRequest(violations);
  const { input } = operation.method;
  unknownRejecter(input.fields, ["jmespath", ...(twinOfCountry(input) ? [countryParameter] : [])])(query.keys());
  return query.toString();
}

function textsOf(value: unknown): readonly string[] | undefined {
  if (value === null || value === undefined) return [];
  if (!Array.isArray(value)) return isScalar(value) ? [String(value)] : undefined;
  return value.length <= maxItems && value.every(isScalar) ? value.map(String) : undefined;
}

function isScalar(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}
