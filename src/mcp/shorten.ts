import type { JsonObject, JsonValue } from "@bufbuild/protobuf";

/** Bytes of an answer's JSON. */
export const budgets = {
  /** At most some 2,000 tokens, measured up to 1,700: what an agent can read without losing what it was about. */
  concise: 5_500,
  full: 131_072,
  whole: 262_144,
} as const;

/** A text beyond it is cut where the answer is too large. */
const maxText = 400;
/** An object of more members than any message has is a map. */
const minMap = 41;
const caps = [200, 100, 50, 30, 20, 15, 10, 7, 5, 4, 3, 2, 1, 0] as const;

/**
 * An answer within a budget. What is too large is cut as little as needed: every list and map to the same number of items, and
 * with the lists texts that are very long; `_budget_exceeded` tells that and what is left out.
 */
export function shorten(response: JsonObject, budget: number, hint: string): JsonObject {
  const size = bytesOf(response);
  if (size <= budget) return response;
  for (const cap of caps) {
    const left: Record<string, string> = {};
    const shortened = cut(response, cap, "", left) as JsonObject;
    const reported = {
      ...shortened,
      _budget_exceeded: { budget_bytes: budget, actual_bytes: size, hint, shown: left },
    };
    if (bytesOf(reported) <= budget) return reported;
  }
  return { _budget_exceeded: { budget_bytes: budget, actual_bytes: size, hint } };
}

function bytesOf(value: JsonValue): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** `left` gets, by path, how many of how many items are shown where some are not. */
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

/** Of the lists at one path the longest is told of. */
function reportCut(count: number, cap: number, path: string, left: Record<string, string>): void {
  if (count <= cap) return;
  const known = Number(/\d+$/.exec(left[path] ?? "")?.[0] ?? 0);
  if (count > known) left[path || "."] = `${cap} of ${count}`;
}
