import type { Kysely } from "kysely";
import { beforeAll, beforeEach } from "vitest";
import { maskOf } from "../../src/config/masking.ts";
import { datasetStatuses } from "../../src/ingest/dataset-status.ts";
import type { RefreshParts } from "../../src/ingest/refresh/fetch.ts";
import { refresh } from "../../src/ingest/refresh/refresh.ts";
import { createUpstreams, type Upstreams } from "../../src/ingest/upstreams.ts";
import type { Database } from "../../src/store/database.ts";
import type { StoreTables } from "../../src/store/tables.ts";
import type { InventedDataset } from "./invented-dataset.ts";

export const start = new Date("2026-11-18T12:00:00.000Z");

/** A store in which each test refreshes from nothing, at a time it sets itself. */
class RefreshBed {
  database!: Kysely<StoreTables>;
  query!: Database["query"];
  now = start;

  upstreamsOf(data: "live" | "sample", variables: Readonly<Record<string, string>> = {}): Upstreams {
    return createUpstreams(
      { data, variable: (name) => variables[name], mask: maskOf(variables) },
      () => this.now,
      () => 0,
    );
  }

  readonly run = (dataset: InventedDataset, parts: Partial<RefreshParts> = {}) =>
    refresh(dataset, { database: this.database, upstreams: this.upstreamsOf("live"), ...parts });

  /** Ids of the rows that are visible. */
  async visible() {
    const { body } = await this.database.selectFrom("snapshot").select("body").executeTakeFirstOrThrow();
    const { outages = [] } = body as { outages?: { id: string }[] };
    return outages.map(({ id }) => id);
  }

  async stored() {
    const { database } = this;
    const good = await this.query(
      "select source, fetched_at, rows_out, content_hash, good_rows from source order by source",
    );
    return {
      generation: await database.selectFrom("generation").selectAll().where("name", "=", "invented").execute(),
      snapshot: await database.selectFrom("snapshot").selectAll().execute(),
      dataset: await database.selectFrom("dataset").selectAll().execute(),
      good: good.rows,
    };
  }

  async stateOf(dataset: InventedDataset) {
    const parts = {
      datasets: [{ ...dataset, refresh: this.run }],
      missingOf: () => [],
      ...{ data: "sample", forOperator: true },
      clock: () => this.now,
    };
    return (await datasetStatuses(this.database, parts as never))[0];
  }
}

export function refreshBed(openFresh: () => Promise<Database>): RefreshBed {
  const bed = new RefreshBed();
  beforeAll(async () => {
    ({ kysely: bed.database, query: bed.query } = await openFresh());
  });
  beforeEach(async () => {
    await bed.query("truncate generation, snapshot, dataset, source");
    bed.now = start;
  });
  return bed;
}
