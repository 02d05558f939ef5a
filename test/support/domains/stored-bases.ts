import type { Base } from "../../../src/domains/military/bases/base-table.ts";
import { insertBases } from "../../../src/domains/military/bases/base-table.ts";
import { militaryBases } from "../../../src/domains/military/bases/military-bases.ts";
import { recordOutcomes, recordSuccess } from "../../../src/ingest/refresh/report.ts";
import type { Database } from "../../../src/store/database.ts";
import { raiseGeneration } from "../../../src/store/served/generations.ts";
import { testTime } from "../app.ts";

/** Stores bases as the sample of an empty database, like a refresh. */
export async function storeBases({ kysely }: Database, bases: readonly Base[]): Promise<void> {
  await kysely.transaction().execute(async (transaction) => {
    const generation = await raiseGeneration(transaction, militaryBases.name);
    await insertBases(transaction, generation, bases);
    await transaction
      .insertInto("dataset")
      .values({ name: militaryBases.name, generation, origin: "sample", stored_at: testTime, rows: bases.length })
      .execute();
    const response = {
      at: testTime,
      requested: true,
      rowsIn: bases.length,
      rejected: 0,
      good: [],
      retainRows: false,
      observed: undefined,
    };
    const read = militaryBases.sources.map(({ name }) =>
      recordSuccess(militaryBases.row, { dataset: militaryBases.name, source: name, origin: "sample" }, response),
    );
    await recordOutcomes(transaction, await Promise.all(read));
  });
}
