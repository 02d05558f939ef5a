import type { Kysely } from "kysely";
import type { StoreTables } from "../../store/tables.ts";

/** Lookups are batched over this time, with a maximum number of keys, because guesses may arrive by the thousand. */
const batchMs = 100;
const maxKeys = 500;

/** Checks in batches which texts are keys. Beyond the maximum of a batch the result is false. */
export function knownKeys(
  database: Kysely<StoreTables>,
  table: "api_key" | "feed_url" | "console_session",
  hashOf: (presented: string) => string,
): (presented: string) => Promise<boolean> {
  let batching: { readonly hashes: Set<string>; readonly known: Promise<ReadonlySet<string>> } | undefined;

  const gather = () => {
    const hashes = new Set<string>();
    const known = new Promise<void>((resolve) => setTimeout(resolve, batchMs)).then(async () => {
      batching = undefined;
      const rows = await database
        .selectFrom(table)
        .select("hash")
        .where("hash", "in", [...hashes])
        .where("revoked_at", "is", null)
        .execute();
      return new Set(rows.map(({ hash }) => hash));
    });
    batching = { hashes, known };
    return batching;
  };

  return async (presented) => {
    const { hashes, known } = batching ?? gather();
    if (hashes.size >= maxKeys) return false;
    const hash = hashOf(presented);
    hashes.add(hash);
    return (await known).has(hash);
  };
}
