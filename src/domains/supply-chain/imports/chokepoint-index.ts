import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Kysely } from "kysely";
import type {
  GetCountryChokepointIndexRequest,
  GetCountryChokepointIndexResponseSchema,
} from "../../../../gen/es/ids/supply_chain/v1/chokepoint_index_pb.ts";
import { chokepointById } from "../../../reference/trade/chokepoints.ts";
import { coastSides } from "../../../reference/trade/coast-sides.ts";
import { countryRoutes } from "../../../reference/trade/country-routes.ts";
import type { StoreTables } from "../../../store/tables.ts";
import type { SupplyTables } from "../supply-tables.ts";
import { type Exposure, exposureOf, ranked } from "./exposure.ts";
import { isOutdated, readAt } from "./import-table.ts";

const energy = "27";

/** The index of a country and chapter, as stored by the last run; of a chapter without watched headings from the routes. */
export async function chokepointIndex(
  { iso2, hs2 }: GetCountryChokepointIndexRequest,
  {
    database,
    computedAt,
    now,
  }: {
    readonly database: Kysely<StoreTables>;
    readonly computedAt: Date;
    readonly now: Date;
  },
): Promise<MessageInitShape<typeof GetCountryChokepointIndexResponseSchema>> {
  const chapter = (hs2 || energy).padStart(2, "0");
  const upstreamUnavailable = isOutdated(await readAt(database, iso2), now);
  const coastSide = coastSides.get(iso2);
  if (coastSide === undefined) return { iso2, hs2: chapter, upstreamUnavailable };
  const { coverage, scores, primaryId, vulnerabilityIndex } =
    (await readExposure(database, iso2, chapter)) ?? exposureOf(iso2, chapter, [], countryRoutes);
  return {
    iso2,
    hs2: chapter,
    primaryChokepointId: primaryId,
    vulnerabilityIndex,
    coverage,
    upstreamUnavailable,
    fetchedAt: computedAt.toISOString(),
    exposures: [...scores].map(([chokepointId, exposureScore]) => {
      const { name, shockSupported } = chokepointById(chokepointId)!;
      return { chokepointId, chokepointName: name, coastSide, exposureScore, shockSupported };
    }),
  };
}

async function readExposure(database: Kysely<StoreTables>, iso2: string, hs2: string): Promise<Exposure | undefined> {
  const row = await database
    .withTables<SupplyTables>()
    .selectFrom("chokepoint_exposure")
    .select(["coverage", "scores"])
    .where("iso2", "=", iso2)
    .where("hs2", "=", hs2)
    .executeTakeFirst();
  return row && ranked(row.coverage, new Map(Object.entries(row.scores)));
}
