import type { Kysely } from "kysely";
import type { Trigger } from "../../../../gen/es/ids/alerts/v1/trigger_pb.ts";
import { readKeys } from "../../../store/history/stored-points.ts";
import type { StoreTables } from "../../../store/tables.ts";

/** Keys of a rule, as it names them, of which its series has no figure. */
export async function unknownKeys(
  database: Kysely<StoreTables>,
  origin: "live" | "sample",
  { series }: Trigger,
): Promise<string[]> {
  if (!series || series.keys.length === 0) return [];
  const keys = [...new Set(series.keys.map((key) => key.toUpperCase()))];
  const found = new Set(
    (await readKeys(database, { series: series.series, origin, keys })).map(({ wanted }) => wanted),
  );
  return series.keys.filter((key) => !found.has(key.toUpperCase()));
}
