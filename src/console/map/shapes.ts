import { readFileSync } from "node:fs";

/** Outlines of countries in the drawn world, by alpha-2. Countries that are too small for 1:110m have none. */
export const shapes: ReadonlyMap<string, string> = new Map(
  Object.entries<string>(JSON.parse(readFileSync(new URL("../../../gen/console/world.json", import.meta.url), "utf8"))),
);
