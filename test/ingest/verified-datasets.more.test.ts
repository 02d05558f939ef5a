import { beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { datasets } from "../../src/domains/index.ts";
import { isStored } from "../../src/ingest/dataset.ts";
import { release, rollBack } from "../../src/ingest/rollback.ts";
import type { ScheduledDataset } from "../../src/ingest/schedule/scheduled.ts";
import { createUpstreams } from "../../src/ingest/upstreams.ts";
import { dayMs } from "../../src/reference/duration.ts";
import type { Database } from "../../src/store/database.ts";
import { storedGenerations } from "../../src/store/history/generations.ts";
import { testTime } from "../support/app.ts";
import { openLoaded } from "../support/loaded.ts";

describe("The stored bytes of the samples", () => {
  let database: Database;
  beforeAll(async () => {
    database = await openLoaded();
    return () => database.close();
  });
  const upstreamsAt = (now: Date) =>
    createUpstreams(
      readConfig({ IDS_DATA: "sample", IDS_DATA_DIR: "/nowhere" }),
      () => now,
      () => 0.5,
    );
  const upstreams = upstreamsAt(testTime);

  test.each(datasets.map(({ name }) => [name]))("give every row of %s", async (name) => {
    const all: readonly ScheduledDataset[] = datasets;
    const verified = await all.find((each) => each.name === name)?.verify({ database: database.kysely, upstreams });
    for (const { state, faults, rows, source } of verified?.sources ?? []) {
      expect(faults).toEqual([]);
      expect([source, state]).toEqual([source, expect.stringMatching(/^(equal|digest only)$/)]);
      if (state === "equal") expect(rows).toBeGreaterThan(0);
    }
    // Terms forbid to store the bytes of all sources of these datasets.
    const isWithoutBytes = ["energy-crisis-policies", "shipping-stress"].includes(name);
    expect(verified?.published).toEqual(isWithoutBytes ? undefined : { changes: [], rows: [] });
  });

  const restorable = datasets.filter((dataset) => isStored(dataset) && !("currentTables" in dataset));
  test.each(restorable.map(({ name }) => [name]))("give every row of a restored %s", async (name) => {
    const all: readonly ScheduledDataset[] = datasets;
    const dataset = all.find((each) => each.name === name);
    const to = (await storedGenerations(database.kysely, name))[0]?.generation ?? 0;
    const later = new Date(testTime.getTime() + 7 * dayMs);
    const parts = { database: database.kysely, upstreams };
    await dataset?.refresh({ ...parts, upstreams: upstreamsAt(later) });
    const transaction = await database.kysely.startTransaction().execute();
    if (dataset) await rollBack(transaction, dataset, { to, at: later, datasets, force: true });
    await release(transaction, name);
    await transaction.commit().execute();
    const verified = await dataset?.verify(parts);
    expect(verified).toMatchObject({ restoredFrom: to });
    if (verified?.notCompared === undefined) expect(verified?.published).toEqual({ changes: [], rows: [] });
    else
      expect(verified.notCompared).toMatch(/^(its inputs changed|not all rows of generation|no bytes of its sources)/);
  });
});
