import type { Kysely } from "kysely";
import type { Trigger } from "../../../../gen/es/ids/alerts/v1/trigger_pb.ts";
import { countries } from "../../../reference/countries/countries.ts";
import { readKeys } from "../../../store/history/stored-points.ts";
import type { StoreTables } from "../../../store/tables.ts";

/** What rows have in place of a country. */
const areas: ReadonlySet<string> = new Set(["EU"]);

/** Keys of a rule, as it names them, of which its series has no figure; of a rule on changes or tenders, countries that there are not. */
export async function unknownKeys(
  database: Kysely<StoreTables>,
  origin: "live" | "sample",
  { series, changes, tenders }: Trigger,
): Promise<string[]> {
  const named = changes?.countries ?? tenders?.countries ?? [];
  if (named.length > 0) return named.filter((code) => !countries.has(code) && !areas.has(code));
  if (!series || series.keys.length === 0) return [];
  const keys = [...new Set(series.keys.map((key) => key.toUpperCase()))];
  const found = new Set(
    (await readKeys(database, { series: series.series, origin, keys })).map(({ wanted }) => wanted),
  );
  return series.keys.filter((key) => !found.has(key.toUpperCase()));
}
