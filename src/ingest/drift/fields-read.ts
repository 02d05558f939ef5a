import type { Upstream } from "../../upstream/upstream.ts";
import type { Source } from "../source.ts";
import { isKeyedByData } from "./shape.ts";

/** They are recorded while the sample is parsed. Without JSON or a sample, the result is empty. */
export async function fieldsRead(
  source: Pick<Source<unknown>, "fetch" | "parse">,
  sample: Upstream,
): Promise<ReadonlySet<string>> {
  const read = new Set<string>();
  const watching: Upstream = {
    ...sample,
    now: sample.now,
    json: async (request) => watched(await sample.json(request), "", (path) => read.add(path)),
  };
  try {
    source.parse(await source.fetch(watching), sample.now);
  } catch {
    // If the parser fails, the fields that it read until then count.
  }
  return read;
}

/** Returns the same value, wrapped so that `see` is called for every member that is read. */
function watched<T>(value: T, path: string, see: (path: string) => void): T {
  if (typeof value !== "object" || value === null) return value;
  const isMap = !Array.isArray(value) && isKeyedByData(value);
  return new Proxy(value, {
    get(target, key, receiver) {
      const member: unknown = Reflect.get(target, key, receiver);
      if (typeof key === "symbol" || typeof member === "function") return member;
      if (Array.isArray(target)) return /^\d+$/.test(key) ? watched(member, `${path}[]`, see) : member;
      const inside = `${path}.${isMap ? "*" : key}`;
      see(inside.replace(/^\./, ""));
      return watched(member, inside, see);
    },
  });
}
