import type { Message } from "@bufbuild/protobuf";
import { type ColumnType, type Insertable, sql } from "kysely";
import type { MilitaryBase } from "../../../../gen/es/ids/military/v1/military_pb.ts";
import type { RowCount } from "../../../ingest/dataset.ts";
import type { Store, Transaction } from "../../../store/tables.ts";

export type Base = Omit<MilitaryBase, keyof Message>;

/** Stores the bases of a new version. The previous version remains stored, because readers may still be loading it. */
export async function insertBases(transaction: Transaction, generation: number, bases: readonly Base[]) {
  const tables = transaction.withTables<MilitaryTables>();
  for (let start = 0; start < bases.length; start += rowsInStatement) {
    const rows = bases.slice(start, start + rowsInStatement).map((base) => toRow(generation, base));
    // One JSON parameter takes half the time of a parameter per value. In an embedded database, readers wait for this
    // insert.
    await sql`insert into military_base
      select * from json_populate_recordset(null::military_base, ${JSON.stringify(rows)})`.execute(transaction);
  }
  await tables
    .deleteFrom("military_base")
    .where("generation", "<", ({ selectFrom }) =>
      selectFrom("military_base")
        .select(({ fn }) => fn.max("generation").as("previous"))
        .where("generation", "<", String(generation)),
    )
    .execute();
}

/** Reads the bases of a version in small chunks, so that the process can handle requests in between. */
export async function* readBases(database: Store, generation: number): AsyncGenerator<readonly Base[]> {
  const tables = database.withTables<MilitaryTables>();
  for (let last = ""; ; ) {
    const chunk = await tables
      .selectFrom("military_base")
      .select(["id", "name", "latitude", "longitude", "kind", "country_iso2 as countryIso2", "type", "tier"])
      .select(["cat_airforce as catAirforce", "cat_naval as catNaval", "cat_nuclear as catNuclear"])
      .select(["cat_space as catSpace", "cat_training as catTraining", "branch", "status"])
      .where("generation", "=", String(generation))
      .where("id", ">", last)
      .orderBy("id")
      .limit(rowsInChunk)
      .execute();
    yield chunk;
    const end = chunk.at(-1);
    if (end === undefined || chunk.length < rowsInChunk) return;
    last = end.id;
  }
}

/** Counts the bases by country, but not by source, because a base can combine several sources. */
export async function countBaseRows(database: Store, generation: number): Promise<RowCount[]> {
  const { rows } = await sql<RowCount>`
    select null as source, country_iso2 as country, count(*)::int as rows, null as first, null as last
    from military_base where generation = ${generation} group by country_iso2`.execute(database);
  return rows;
}

const rowsInStatement = 2_000;
const rowsInChunk = 2_000;

type MilitaryTables = { military_base: MilitaryBaseTable };

interface MilitaryBaseTable {
  generation: ColumnType<string, number, never>;
  id: string;
  name: string;
  latitude: number;
  longitude: number;
  kind: string;
  country_iso2: string;
  type: string;
  tier: number;
  cat_airforce: boolean;
  cat_naval: boolean;
  cat_nuclear: boolean;
  cat_space: boolean;
  cat_training: boolean;
  branch: string;
  status: string;
}

function toRow(generation: number, base: Base): Insertable<MilitaryBaseTable> {
  const { id, name, latitude, longitude, kind, type, tier, branch, status } = base;
  return {
    generation,
    id,
    name,
    latitude,
    longitude,
    kind,
    type,
    tier,
    branch,
    status,
    country_iso2: base.countryIso2,
    cat_airforce: base.catAirforce,
    cat_naval: base.catNaval,
    cat_nuclear: base.catNuclear,
    cat_space: base.catSpace,
    cat_training: base.catTraining,
  };
}
