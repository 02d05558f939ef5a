import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Kysely } from "kysely";
import type { GetCountryProductsResponseSchema } from "../../../../gen/es/ids/supply_chain/v1/country_products_pb.ts";
import { Unavailable } from "../../../errors.ts";
import { hsHeadings } from "../../../reference/trade/hs-headings.ts";
import type { StoreTables } from "../../../store/tables.ts";
import { isOutdated, readAt, readProducts } from "./import-table.ts";

/** What a country imports; empty and marked when the store cannot be read. */
export async function countryProducts(
  database: Kysely<StoreTables>,
  iso2: string,
  now: Date,
): Promise<MessageInitShape<typeof GetCountryProductsResponseSchema>> {
  try {
    const rows = await readProducts(database, iso2);
    const upstreamUnavailable = isOutdated(await readAt(database, iso2), now);
    const [first] = rows;
    if (!first) return { iso2, upstreamUnavailable };
    const fetchedAt = first.fetched_at.toISOString();
    return {
      iso2,
      fetchedAt,
      upstreamUnavailable,
      products: rows.map(({ hs4, year, total_value, top_exporters }) => ({
        hs4,
        year,
        description: hsHeadings.get(hs4) ?? "",
        totalValue: total_value,
        topExporters: [...top_exporters],
      })),
    };
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return { iso2, upstreamUnavailable: true };
  }
}
