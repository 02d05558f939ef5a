import { fork } from "node:child_process";
import { type PlaceQuery, placeQuery } from "./place-query.ts";

/** A populated place. */
export interface FoundPlace {
  readonly latitude: number;
  readonly longitude: number;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

/** Looks for the places that people name so, such as `Austin, TX`; what is not found is not in the answer. */
export async function findPlaces(texts: Iterable<string>): Promise<ReadonlyMap<string, FoundPlace>> {
  const asked = [...new Set(texts)].flatMap((text) => {
    const query = placeQuery(text);
    return query ? [{ text, query }] : [];
  });
  const found = asked.length === 0 ? [] : await search(asked.map(({ query }) => query));
  return new Map(
    asked.flatMap(({ text }, index) => {
      const place = found[index];
      return place ? [[text, place]] : [];
    }),
  );
}

/** In a process of its own, which ends with its memory; a thread's would stay with us. */
function search(queries: readonly PlaceQuery[]): Promise<readonly (FoundPlace | null)[]> {
  return new Promise((resolve, reject) => {
    const program = fork(new URL("./place-search.ts", import.meta.url), { execArgv: [] })
      .once("message", (found) => resolve(found as (FoundPlace | null)[]))
      .once("error", reject)
      .once("close", (code) => reject(new Error(`The place search ended without an answer (exit code ${code})`)));
    program.send(queries, (error) => error && reject(error));
  });
}
