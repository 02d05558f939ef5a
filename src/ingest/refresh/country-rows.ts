import { type DescMessage, getOption, type MessageShape } from "@bufbuild/protobuf";
import { sql, type Transaction } from "kysely";
import { field as fieldOption, Role } from "../../../gen/es/ids/options/v1/options_pb.ts";
import type { StoreTables } from "../../store/tables.ts";
import type { CountryRows, Dataset } from "../dataset.ts";
import { asGiven } from "../row-check.ts";

/** Stores how many rows a dataset has of each country and source. Sources that brought nothing now keep theirs where tables hold every row. */
export async function storeCountryRows<D extends DescMessage>(
  transaction: Transaction<StoreTables>,
  dataset: Dataset<D>,
  bySource: ReadonlyMap<string, readonly MessageShape<D>[]>,
): Promise<void> {
  const counts = dataset.rowsByCountry
    ? await dataset.rowsByCountry(transaction)
    : [...bySource].flatMap(([source, rows]) => countRows(dataset, source, rows));
  const keepsOthers = dataset.rowsInTable === true && !dataset.rowsByCountry;
  await transaction
    .deleteFrom("dataset_country")
    .where("dataset", "=", dataset.name)
    .$if(keepsOthers, (query) => query.where("source", "in", [...bySource.keys(), ""]))
    .execute();
  await sql`
    insert into dataset_country (dataset, source, country, rows, first_at, last_at)
    select ${dataset.name}, source, country, rows,
      to_timestamp(first / 1000.0), to_timestamp(last / 1000.0)
    from json_to_recordset(${JSON.stringify(counts)}::json)
      as given (source text, country text, rows int, first double precision, last double precision)`.execute(
    transaction,
  );
}

/** None where its rows are of no country. */
function countRows<D extends DescMessage>(
  { row: schema, sources }: Pick<Dataset<D>, "row" | "sources">,
  source: string,
  rows: readonly MessageShape<D>[],
): CountryRows[] {
  const field = schema.fields.find((each) => getOption(each, fieldOption).role === Role.COUNTRY);
  if (!field) return [];
  const observedAt = sources.find(({ name }) => name === source)?.observedAt;
  const counts = new Map<string, { rows: number; first: number | null; last: number | null }>();
  for (const row of rows) {
    const country = String(Object.entries(row).find(([name]) => name === field.localName)?.[1] ?? "");
    const count = counts.get(country) ?? { rows: 0, first: null, last: null };
    counts.set(country, count);
    count.rows += 1;
    if (!observedAt) continue;
    const at = observedAt(asGiven<D>(row));
    count.first = Math.min(count.first ?? at, at);
    count.last = Math.max(count.last ?? at, at);
  }
  return [...counts].map(([country, count]) => ({ source, country, ...count }));
}
