import type { JsonObject, JsonValue } from "@bufbuild/protobuf";

/** Maximum bytes of a response's JSON. */
export const budgets = {
  /** At most about 2,000 tokens (1,700 measured), so that the result does not displace the agent's task. */
  concise: 5_500,
  full: 131_072,
  whole: 262_144,
} as const;

/** Longer texts are truncated if the response is too large. */
const maxText = 400;
/** An object with more members than any message is treated as a map. */
const minMap = 41;
const caps = [200, 100, 50, 30, 20, 15, 10, 7, 5, 4, 3, 2, 1, 0] as const;

/** Every list and map is cut to the same number of items. `_budget_exceeded` reports what was left out. */
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

/** Records in `left`, by path, how many items of a shortened list remain. */
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

/** Reports only the longest list of a path. */
function reportCut(count: number, cap: number, path: string, left: Record<string, string>): void {
  if (count <= cap) return;
  const known = Number(/\d+$/.exec(left[path] ?? "")?.[0] ?? 0);
  if (count > known) left[path || "."] = `${cap} of ${count}`;
}
