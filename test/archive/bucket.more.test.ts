import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { archivedDays, brokenFiles, readManifest, writeDays } from "../../src/archive/archive.ts";
import { type ArchiveStore, writeLocalFile } from "../../src/archive/archive-store.ts";
import { importDay } from "../../src/archive/import-day.ts";
import { openArchive } from "../../src/archive/open-archive.ts";
import { readConfig } from "../../src/config/config.ts";
import { datasets } from "../../src/domains/index.ts";
import type { ScheduledDataset } from "../../src/ingest/schedule/scheduled.ts";
import { dayMs } from "../../src/reference/duration.ts";
import { startApp, testTime } from "../support/app.ts";
import { openOnce } from "../support/databases.ts";
import { bucketModule, startBucketServer } from "../support/servers/bucket-server.ts";
import { hasGo } from "../support/servers/go.ts";

function opened(IDS_ARCHIVE: string, keys: Readonly<Record<string, string>>): ArchiveStore {
  const store = openArchive(readConfig({ IDS_ARCHIVE, ...keys }));
  if (!store) throw new Error("No archive");
  return store;
}

const timeoutMs = 300_000;

test.skipIf(!hasGo(bucketModule))(
  "a bucket stores days as a folder does: days are written, listed in pages, verified, and restored with its keys",
  { timeout: timeoutMs },
  async () => {
    await using server = await startBucketServer();
    const store = opened(server.place, server.keys);
    await using stack = new AsyncDisposableStack();
    const [database, other] = [await openOnce(), await openOnce()];
    for (const each of [database, other]) stack.defer(() => each.close());
    await using app = await startApp(database);
    await app.refresh("eu-gas-storage");
    const all: readonly ScheduledDataset[] = datasets;
    const dataset = all.find(({ name }) => name === "eu-gas-storage");
    if (!dataset) throw new Error("No dataset");
    const now = new Date(testTime.getTime() + dayMs);
    const parts = { store, datasets, data: "sample", clock: () => now, program: "1.0.0" } as const;
    const day = testTime.toISOString().slice(0, 10);
    for await (const manifest of writeDays(dataset, { from: day }, { ...parts, database: database.kysely })) {
      expect(manifest.day).toBe(day);
      expect(await brokenFiles(store, manifest, "sample")).toEqual([]);
    }
    expect(await archivedDays(store, dataset.name, "sample")).toEqual([day]);
    const manifest = await readManifest(store, { dataset: dataset.name, day, data: "sample" });
    expect(await importDay({ dataset, manifest }, { ...parts, database: other.kysely })).toEqual({
      rows: manifest.versions?.rows,
    });
    expect(await store.read("nowhere")).toBeUndefined();

    const folder = mkdtempSync(join(tmpdir(), "ids-many-"));
    writeFileSync(join(folder, "x"), "");
    const empty = await writeLocalFile(join(folder, "empty"), (async function* () {})());
    const names = Array.from({ length: 1_001 }, (_, place) => `many/n=${place} ä+&.txt`);
    for (let start = 0; start < names.length; start += 20)
      await Promise.all(names.slice(start, start + 20).map((name) => store.put(name, empty)));
    expect(new Set(await store.list("many/"))).toEqual(new Set(names));
    rmSync(folder, { recursive: true });

    const stranger = opened(server.place, { ...server.keys, AWS_SECRET_ACCESS_KEY: "another-secret" });
    await expect(stranger.list("")).rejects.toThrow(/returned 403: .*SignatureDoesNotMatch/);
    const anonymous = opened("s3://archive?endpoint=http://127.0.0.1:1", server.keys);
    await expect(anonymous.list("")).rejects.toThrow("http://127.0.0.1:1 cannot be reached");
  },
);
