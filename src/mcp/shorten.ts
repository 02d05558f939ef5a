import type { JsonObject, JsonValue } from "@bufbuild/protobuf";

/** Maximum size of a response, in bytes of its JSON. */
export const budgets = {
  /** Maximum for concise results: about 2,000 tokens, so that enough of the agent's context remains for its task. */
  concise: 5_500,
  full: 131_072,
  whole: 262_144,
} as const;

/** If the response is too large, texts are cut to this length. */
const maxText = 400;
/** An object with at least this many members must be a map, because no message has as many fields. */
const minMap = 41;
const caps = [200, 100, 50, 30, 20, 15, 10, 7, 5, 4, 3, 2, 1, 0] as const;

/** Shortens all lists and maps to the same length until the response fits. `_budget_exceeded` lists the cuts. */
export function shorten(response: JsonObject, budget: number, hint: string): JsonObject {
  const size = bytesOf(response);
  if (size <= budget) return response;
  for (const cap of caps) {
    const left: Record<string, string> = {};
    const shortened = cut(response, cap, "", left) as JsonObject;
    const result = {
      ...shortened,
      _budget_exceeded: { budget_bytes: budget, actual_bytes: size, hint, shown: left },
    };
    if (bytesOf(result) <= budget) return result;
  }
  return { _budget_exceeded: { budget_bytes: budget, actual_bytes: size, hint } };
}

function bytesOf(value: JsonValue): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** Shortens a value. Records the remaining number of items in `left`, by path. */
function cut(value: JsonValue, cap: number, path: string, left: Record<string, string>): JsonValue {
  if (typeof value === "string") return value.length > maxText ? `${value.slice(0, maxText)}…` : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    reportCut(value.length, cap, path, left);
    return value.slice(0, cap).map((item) => cut(item, cap, `${path}[]`, left));
  }
  const members = Object.entries(value);
  const isMap = members.length >= minMap;
  if (isMap) reportCut(members.length, cap, path, left);
  return Object.fromEntries(
    (isMap ? members.slice(0, cap) : members).map(([name, member]) => {
      const below = isMap ? `${path}{}` : path === "" ? name : `${path}.${name}`;
      return [name, cut(member, cap, below, left)];
    }),
  );
}

/** Records the length of a shortened list. For lists at the same path in different rows, the greatest counts. */
function reportCut(count: number, cap: number, path: string, left: Record<string, string>): void {
  if (count <= cap) return;
  const known = Number(/\d+$/.exec(left[path] ?? "")?.[0] ?? 0);
  if (count > known) left[path || "."] = `${cap} of ${count}`;
}
