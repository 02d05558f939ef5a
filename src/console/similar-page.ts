import { KnownValues } from "../../gen/es/ids/options/v1/options_pb.ts";
import type { KnownLists } from "../contract/schema.ts";
import { sitePages } from "../pages/frame/frame.ts";
import { countryOf } from "../reference/countries/countries.ts";
import { similarName } from "../reference/nearest-name.ts";

const sections = [...sitePages.map(([path]) => path.slice(1)), "compare", "search"];

const lists = new Map([
  ["data", KnownValues.DATASET],
  ["series", KnownValues.SERIES],
  ["chokepoints", KnownValues.CHOKEPOINT],
]);

/**
 * Returns a function that finds the page with the most similar path, for a path that does not exist. The function
 * returns undefined if none is similar.
 */
export function similarPages(known: KnownLists): (path: string) => string | undefined {
  return (path) => {
    const [, given = "", name = ""] = path.split("/");
    const section = sections.includes(given) ? given : similarName(given, sections);
    if (section === undefined) return undefined;
    const names = known.get(lists.get(section) ?? KnownValues.UNSPECIFIED)?.values ?? [];
    const found = section === "countries" ? countryOf(name)?.alpha2 : similarName(name, names);
    if (found !== undefined) return `/${section}/${found}`;
    return section === given ? undefined : `/${section}`;
  };
}
