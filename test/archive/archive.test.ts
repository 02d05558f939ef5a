import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, expect, test } from "vitest";
import { archivedDays, brokenFiles, readManifest, writeDays } from "../../src/archive/archive.ts";
import { ArchiveError } from "../../src/archive/archive-store.ts";
import type { ArchiveParts } from "../../src/archive/day-writer.ts";
import { importDay } from "../../src/archive/import-day.ts";
import type { Manifest } from "../../src/archive/manifest.ts";
import { folderStore } from "../../src/archive/open-archive.ts";
import { type DatasetName, datasets } from "../../src/domains/index.ts";
import type { ScheduledDataset } from "../../src/ingest/schedule/scheduled.ts";
import { dayMs, hourMs } from "../../src/reference/duration.ts";
import type { Database } from "../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../support/app.ts";
import { describeEachDatabase } from "../support/databases.ts";

const names = [
  ...(["internet-outages", "conflict-events", "country-macro", "trade-tariffs"] as const),
  ...(["mineral-production", "economic-stress", "risk-scores"] as const),
];
const dayOf = (days: number) => new Date(testTime.getTime() + days * dayMs).toISOString().slice(0, 10);
const outages = "/api/infrastructure/v1/list-internet-outages";
const macro = "/api/economic/v1/get-country-macro?countries=DE";

function datasetOf(name: DatasetName): ScheduledDataset {
  const all: readonly ScheduledDataset[] = datasets;
  const dataset = all.find((each) => each.name === name);
  if (!dataset) throw new Error(`No dataset ${name}`);
  return dataset;
}

async function rowsOf(file: Buffer): Promise<Record<string, unknown>[]> {
  const { buffer, byteOffset, length } = file;
  return parquetReadObjects({ file: buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer });
}

describeEachDatabase("the archive", (openFresh) => {
  const folder = mkdtempSync(join(tmpdir(), "ids-archive-test-"));
  const store = folderStore(folder);
  let database: Database;
  let app: TestApp;
  let now = testTime;
  const parts = (data: ArchiveParts["data"] = "sample", of = database): ArchiveParts => ({
    ...{ database: of.kysely, store, datasets, data, clock: () => now, program: "1.0.0" },
  });
  const write = async (name: DatasetName, data?: ArchiveParts["data"]): Promise<Manifest[]> => {
    const written: Manifest[] = [];
    for await (const manifest of writeDays(datasetOf(name), { from: dayOf(0) }, parts(data))) written.push(manifest);
    return written;
  };
  const fileOf = (path: string) => readFileSync(join(folder, path));

  beforeAll(async () => {
    database = await openFresh();
    app = await startApp(database);
    for (const hours of [0, 6, 30, 54]) {
      app.setTime(new Date(testTime.getTime() + hours * hourMs));
      for (const name of names) await app.refresh(name);
    }
    now = new Date(testTime.getTime() + 2.3 * dayMs);
    app.setTime(now);
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  test("of a dataset that was never stored nothing is written, however far back it is asked for", async () => {
    const days: Manifest[] = [];
    for await (const manifest of writeDays(datasetOf("trade-flows"), { from: "-infinity" }, parts()))
      days.push(manifest);
    expect(days).toEqual([]);
  });

  test("has the rows of each closed day as its reads answer them as of its end, and a second run writes nothing", async () => {
    const written = await write("internet-outages");
    expect(written.map(({ day, origin }) => [day, origin])).toEqual([
      [dayOf(0), "sample"],
      [dayOf(1), "sample"],
    ]);
    for (const { day, tables } of written) {
      const [table] = tables;
      const path = `sample/dataset=internet-outages/day=${day}/${table?.path}`;
      expect(path).toMatch(/\/table=outages\/rows\.sample\.parquet$/);
      const requested = await app.get(`${outages}?page_size=100&format=parquet&as_of=${day}`);
      expect(requested.status).toBe(200);
      const responded = await rowsOf(Buffer.from(await requested.arrayBuffer()));
      expect(await rowsOf(fileOf(path))).toEqual(responded);
      expect(responded).toHaveLength(table?.rows ?? 0);
      const metadata = parquetMetadata(new Uint8Array(fileOf(path)).buffer).key_value_metadata ?? [];
      expect(Object.fromEntries(metadata.map(({ key, value }) => [key, value]))).toMatchObject({ origin: "sample" });
    }
    expect(written[0]).toMatchObject({
      ...{ dataset: "internet-outages", generation: 2, withheld: [], program: "1.0.0" },
      licenses: [{ source: "cloudflare-radar", kind: "non-commercial" }],
    });
    expect(await write("internet-outages")).toEqual([]);
    // Half an hour after midnight a day is not closed yet.
    now = new Date(`${dayOf(3)}T00:29:59Z`);
    expect(await write("internet-outages")).toEqual([]);
    now = new Date(`${dayOf(3)}T00:30:00Z`);
    expect(await write("internet-outages")).toMatchObject([{ day: dayOf(2), generation: 4 }]);
    // Data of a reading that is too old is not served.
    now = new Date(`${dayOf(9)}T00:30:00Z`);
    expect(await write("internet-outages")).toEqual([]);
    now = new Date(testTime.getTime() + 2.3 * dayMs);
  });

  test("has the tables of the store where each request has its own, and every event of those that are paged", async () => {
    const [events] = await write("conflict-events");
    const { totalEvents: rows } = await app.json<{ totalEvents: number }>(
      `/api/conflict/v1/count-conflict-events?as_of=${dayOf(0)}&start=1&end=1900000000000`,
    );
    expect(events?.tables).toMatchObject([{ table: "events", rows, key: ["id"] }]);
    const [tariffs] = await write("trade-tariffs");
    expect(tariffs?.tables.map(({ table }) => table)).toEqual([
      ...["trade_tariff", "trade_collected_tariff", "trade_coverage"],
    ]);
    const midnight = `'${dayOf(1)}T00:00:00Z'`;
    const { rows: visible } = await database.query(
      `select count(*)::int4 as rows from trade_tariff_version where valid_from < ${midnight} and valid_to >= ${midnight}`,
    );
    expect(tariffs?.tables.slice(0, 1)).toMatchObject(visible);
  });

  test("is whole again after a run that broke off, and reports changed files", async () => {
    await write("country-macro");
    const root = `sample/dataset=country-macro/day=${dayOf(0)}`;
    const manifest = await readManifest(store, { dataset: "country-macro", day: dayOf(0), data: "sample" });
    const before = fileOf(`${root}/${manifest.versions?.path}`);
    rmSync(join(folder, root, "_manifest.json"));
    truncateSync(join(folder, root, manifest.versions?.path ?? ""), 10);
    expect(await archivedDays(store, "country-macro", "sample")).toEqual([dayOf(1)]);
    expect((await write("country-macro")).map(({ day }) => day)).toEqual([dayOf(0)]);
    expect(fileOf(`${root}/${manifest.versions?.path}`)).toEqual(before);
    expect(await brokenFiles(store, manifest, "sample")).toEqual([]);

    writeFileSync(join(folder, root, manifest.versions?.path ?? ""), "other");
    expect(await brokenFiles(store, manifest, "sample")).toEqual([
      `${root}/_versions.ndjson.gz does not match its SHA-256 checksum`,
    ]);
    const other = await openFresh();
    const dataset = datasetOf("country-macro");
    await expect(importDay({ dataset, manifest }, parts("sample", other))).rejects.toThrow(
      "does not match its SHA-256 checksum",
    );
    writeFileSync(join(folder, root, manifest.versions?.path ?? ""), before);
  });

  test("is refused in a sentence where a manifest, or a file together with it, was cut off or changed", async () => {
    await write("country-macro");
    const day = dayOf(0);
    const root = join(folder, `sample/dataset=country-macro/day=${day}`);
    const [path, versions] = [join(root, "_manifest.json"), join(root, "_versions.ndjson.gz")];
    const [whole, packed] = [readFileSync(path, "utf8"), readFileSync(versions)];
    const other = await openFresh();
    const dataset = datasetOf("country-macro");
    const put = async () => {
      const manifest = await readManifest(store, { dataset: dataset.name, day, data: "sample" });
      return importDay({ dataset, manifest }, parts("sample", other));
    };
    for (const [text, sentence] of [
      [whole.slice(0, 100), "is not valid JSON: it was truncated or changed"],
      ["", "is not valid JSON"],
      [whole.replace('"generation":', '"generations":'), "is not a manifest of this program: generation: "],
      [whole.replace("_versions.nd", "../versions.nd"), "is not a manifest of this program: versions.path: "],
    ] as const) {
      writeFileSync(path, text);
      await expect(put(), sentence).rejects.toThrow(sentence);
    }
    for (const [bytes, sentence] of [
      [packed.subarray(0, 200), "_versions.ndjson.gz cannot be unpacked: unexpected end of file"],
      [Buffer.from("no gzip"), "_versions.ndjson.gz cannot be unpacked: incorrect header check"],
      [gzipSync("{}\n"), "_versions.ndjson.gz has a line that is not a row"],
    ] as const) {
      writeFileSync(versions, bytes);
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      const changed = JSON.parse(whole) as Manifest;
      writeFileSync(path, JSON.stringify({ ...changed, versions: { ...changed.versions, sha256 } }));
      const error = await put().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ArchiveError);
      expect(error).toMatchObject({ message: expect.stringContaining(sentence) });
    }
    writeFileSync(path, whole);
    writeFileSync(versions, packed);
  });

  test("says of what is made from others whom to name and when each was read, in the manifest and in the files", async () => {
    const [manifest] = await write("risk-scores");
    const behind = manifest?.licenses.map(({ source }) => source) ?? [];
    expect(behind).toEqual(expect.arrayContaining(["acled-unrest", "cloudflare-radar"]));
    expect(Object.keys(manifest?.readAt ?? {})).toEqual(expect.arrayContaining(["acled-unrest", "cloudflare-radar"]));
    const [table] = manifest?.tables ?? [];
    const path = `sample/dataset=risk-scores/day=${manifest?.day}/${table?.path}`;
    const metadata = parquetMetadata(new Uint8Array(fileOf(path)).buffer).key_value_metadata ?? [];
    const reported = Object.fromEntries(metadata.map(({ key, value }) => [key, value]));
    expect(reported.attribution?.split("; ")).toEqual(manifest?.attribution.split("; "));
  });

  test("gives a store without a past the answers of then, byte for byte, and puts nothing back twice", async () => {
    const other = await openFresh();
    await using restored = await startApp(other, { now });
    for (const name of ["country-macro", "conflict-events", "trade-tariffs"] as const) {
      await write(name);
      const dataset = datasetOf(name);
      for (const day of (await archivedDays(store, name, "sample")).filter((day) => day >= dayOf(0))) {
        const manifest = await readManifest(store, { dataset: name, day, data: "sample" });
        const outcome = await importDay({ dataset, manifest }, parts("sample", other));
        expect(outcome).toMatchObject({ rows: manifest.versions?.rows });
        expect(await importDay({ dataset, manifest }, parts("sample", other))).toEqual({
          left: "the store has data of that day",
        });
      }
    }
    for (const path of [
      ...[`${macro}&as_of=`, "/api/conflict/v1/count-conflict-events?group_by=country&as_of="],
      "/api/trade/v1/get-tariff-trends?reporting_country=840&as_of=",
    ])
      for (const day of [dayOf(0), dayOf(1)]) {
        const [then, now] = [await app.get(`${path}${day}`), await restored.get(`${path}${day}`)];
        expect([then.status, now.status], path).toEqual([200, 200]);
        expect(await now.text()).toBe(await then.text());
      }
    expect((await restored.get(`${macro}&as_of=${dayOf(-1)}`)).status).toBe(400);
  });

  test("of live data holds no samples, and no rows of sources that forbid redistribution", async () => {
    expect(await write("economic-stress", "live")).toEqual([]);
    await database.query("update dataset_version set origin = 'live'");
    const stress = await write("economic-stress", "live");
    expect(stress[0]).toMatchObject({ origin: "live", withheld: ["VIXCLS"] });
    expect(stress[0]?.versions).toBeUndefined();
    const [minerals] = await write("mineral-production", "live");
    expect(minerals).toMatchObject({ withheld: ["bgs"] });
    const root = join(folder, `dataset=economic-stress/day=${dayOf(0)}`);
    const rows = await rowsOf(readFileSync(join(root, "table=components/rows.parquet")));
    expect(rows.map(({ id }) => id)).not.toContain("VIXCLS");
    expect(rows.length).toBeGreaterThan(2);
    expect(readdirSync(root)).not.toContain("_versions.ndjson.gz");
    const manifest = stress[0];
    if (!manifest) throw new Error("No manifest");
    expect(await importDay({ dataset: datasetOf("economic-stress"), manifest }, parts("live"))).toEqual({
      left: "only its rows are archived, because the terms of VIXCLS do not allow redistribution",
    });
  });
});
