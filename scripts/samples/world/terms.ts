import { unionMembers } from "./tariffs.ts";

const west: ReadonlySet<string> = new Set([
  ...unionMembers,
  ..."US CA GB CH NO IS LI MC SM AD AU NZ JP KR TW SG AL ME MK XK".split(" "),
]);
/** Countries under the sanctions of the west. */
const shunned: ReadonlySet<string> = new Set("BY CU IR KP RU SY VE".split(" "));
/** Countries that buy more of Russia's goods because others buy none. */
const easterners: ReadonlySet<string> = new Set("AM BY CN CU IN IR KG KP KZ MN SY TJ TM TR UZ RS".split(" "));
/** Pairs of countries that do not trade with each other. */
const estranged: ReadonlySet<string> = new Set(
  "AM-AZ DZ-MA DZ-IL IL-IQ IL-IR IL-KW IL-LB IL-LY IL-QA IL-SA IL-SY IL-YE IN-PK KP-KR JP-KP RU-UA BY-UA".split(" "),
);
/** The west still imports some of Russia's gas, because of existing pipelines. */
const gas = "2711";
const chaptersOfFood: ReadonlySet<string> = new Set(["02", "10", "12", "15", "30"]);

/**
 * Returns a factor for imports of a heading, in addition to size and distance: 1 is the usual factor, and 0 means none.
 */
export function termsOf(importer: string, exporter: string, heading: string): number {
  if (estranged.has(importer < exporter ? `${importer}-${exporter}` : `${exporter}-${importer}`)) return 0;
  const isFood = chaptersOfFood.has(heading.slice(0, 2));
  if (exporter === "RU" && west.has(importer)) return heading === gas ? 0.25 : 0;
  if (exporter === "RU" && easterners.has(importer)) return 1.6;
  if (shunned.has(importer) && west.has(exporter)) return isFood ? 0.6 : 0.15;
  if (shunned.has(exporter) && exporter !== "RU" && west.has(importer)) return 0;
  return 1;
}
