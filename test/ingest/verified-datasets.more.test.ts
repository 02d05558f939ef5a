import { beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { datasets } from "../../src/domains/index.ts";
import type { ScheduledDataset } from "../../src/ingest/schedule/scheduled.ts";
import { createUpstreams } from "../../src/ingest/upstreams.ts";
import type { Database } from "../../src/store/database.ts";
import { testTime } from "../support/app.ts";
import { openLoaded } from "../support/loaded.ts";

describe("The stored bytes of the samples", () => {
  let database: Database;
  beforeAll(async () => {
    database = await openLoaded();
    return () => database.close();
  });
  const upstreams = createUpstreams(
    readConfig({ IDS_DATA: "sample", IDS_DATA_DIR: "/nowhere" }),
    () => testTime,
    () => 0.5,
  );

  test.each(datasets.map(({ name }) => [name]))("give every row of %s", async (name) => {
    const all: readonly ScheduledDataset[] = datasets;
    const verified = await all.find((each) => each.name === name)?.verify({ database: database.kysely, upstreams });
    for (const { state, faults, rows, source } of verified?.sources ?? []) {
      expect(faults).toEqual([]);
      expect([source, state]).toEqual([source, expect.stringMatching(/^(equal|digest only)$/)]);
      if (state === "equal") expect(rows).toBeGreaterThan(0);
    }
    // A dataset is not compared if its inputs were refreshed later, or if the bytes of all its sources must not be stored.
    if (verified?.published) expect(verified.published).toEqual({ changes: [], rows: [] });
  });
});
