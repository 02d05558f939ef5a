import type { Operation } from "../contract/catalog.ts";
import { countryParameter, twinOfCountry } from "../contract/request/country-parameter.ts";
import { unknownRejecter } from "../contract/request/strict.ts";
import { InvalidRequest, type Violation } from "../errors.ts";

/** What an agent gives a tool. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** Bounds the work of reading them; the widest list of any operation holds fewer. */
const maxItems = 200;

/**
 * The arguments of an operation as its query, so that they are read and checked as those of any other protocol. Unlike there,
 * an unknown one is refused: whoever made it up would take the answer for what it asked. Throws `InvalidRequest`.
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
