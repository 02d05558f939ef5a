import type { HandlerContext } from "@connectrpc/connect";
import type { Kysely } from "kysely";
import type { Provenance, Served } from "../../../store/served/served.ts";
import type { StoreTables } from "../../../store/tables.ts";
import { metalPremiums } from "./metal-premiums.ts";
import { readPremiums, type StoredPremium } from "./premium-table.ts";

export interface PremiumParts {
  readonly database: Kysely<StoreTables>;
  readonly served: Served;
  readonly clock: () => Date;
}

export interface LoadedPremiums {
  readonly provenance: Provenance;
  readonly rows: readonly StoredPremium[];
}

/** Reads the premiums. Returns undefined if none were ever stored. Throws `Unavailable` if the store cannot be read. */
export async function loadPremiums(
  { database, served }: PremiumParts,
  context: HandlerContext,
): Promise<LoadedPremiums | undefined> {
  const provenance = served.datasetIfAny(metalPremiums, context, { flagged: "old" });
  return provenance && { provenance, rows: await readPremiums(database) };
}
