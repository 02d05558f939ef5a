import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openDatabase } from "../../../../src/store/database.ts";
import { migrate } from "../../../../src/store/migrate.ts";
import { type RecordedExchange, writeRecording } from "../../../../src/upstream/sample/recording.ts";
import { testTime } from "../../../support/app.ts";
import { freshFolder, ids } from "../../terminal.ts";
import { environment, places, recorded, replay } from "../recordings.ts";

describe("ids sources check", () => {
  const radar = places.find(({ name }) => name === "cloudflare-radar") ?? places[0]!;
  const change = (folder: string, edit: (text: string) => string) => {
    for (const file of readdirSync(join(folder, radar.name)).filter((name) => name !== "sample.json")) {
      const path = join(folder, radar.name, file);
      writeFileSync(path, edit(readFileSync(path, "utf8")));
    }
  };

  test("a missing field that the program reads is named, and sets the exit status", async () => {
    const folder = freshFolder();
    await recorded(folder, radar);
    change(folder, (text) => text.replaceAll('"outageType"', '"outageKind"'));
    const { report, status, err } = await replay(folder, radar.name);
    expect(report.checks[0]).toMatchObject({
      state: "changed",
      unfound: ["result.annotations[].outage.outageType"],
      drift: expect.arrayContaining([
        expect.objectContaining({ kind: "new field", field: "result.annotations[].outage.outageKind" }),
      ]),
    });
    expect(status).toBe(1);
    expect(err).toContain(`Not as expected: ${radar.name}`);
  });

  test("rows that are left out are counted by their reasons, with one of them", async () => {
    const folder = freshFolder();
    await recorded(folder, radar);
    change(folder, (text) => text.replace(/"id":"\d+"/, '"id":{}'));
    const { report } = await replay(folder, radar.name);
    expect(report.checks[0]?.reasons).toEqual([
      { reason: "id: Invalid input", count: 1, row: "#0" },
      { reason: "names no country", count: 1, row: expect.stringMatching(/^\d+$/) },
    ]);
    const { out } = await ids(environment, "sources", "check", radar.name, "--replay", folder);
    expect(out).toMatch(/cloudflare-radar: 1 rejected: .+ \(\w+\)/);
    expect(out).toMatch(/^source +state +HTTP +time +size +rows +rejected +of last +license\n/);
  });

  test("a source whose requests of the day are spent is not asked", async () => {
    const IDS_DATA_DIR = freshFolder();
    const database = await openDatabase({
      url: undefined,
      directory: IDS_DATA_DIR,
      name: "ids test",
      log: () => undefined,
    });
    await migrate(database, () => new Date());
    const requests = 25;
    for (const before of [0, 1]) {
      const day = new Date(Date.now() + before * 86_400_000).toISOString().slice(0, 10);
      await database.kysely.insertInto("source_request").values({ source: "bls", day, requests }).execute();
    }
    await database.close();
    const { out, status } = await ids({ IDS_DATA_DIR }, "sources", "check", "bls");
    expect(out).toContain("bls: the 25 requests of bls for the day are spent");
    expect(status).toBe(1);
  });

  test("a check while a service uses the store counts toward its budgets, without a warning", async () => {
    const IDS_DATA_DIR = freshFolder();
    const database = await openDatabase({ directory: IDS_DATA_DIR, name: "test" });
    await migrate(database, () => new Date());
    const settings = { IDS_DATA_DIR, HTTPS_PROXY: "http://127.0.0.1:1" };
    const { out, err } = await ids(settings, "sources", "check", "bls");
    const { rows } = await database.query("select source, requests from source_request");
    await database.close();
    expect(out).toMatch(/^bls +failed /m);
    expect(err).toBe("bls: failed\nids: Not as expected: bls\n");
    expect(rows).toEqual([{ source: "bls", requests: expect.any(Number) }]);
  });

  test("a request that failed is played as it failed", async () => {
    const folder = freshFolder();
    await recorded(folder, radar);
    const index = join(folder, radar.name, "sample.json");
    const said = JSON.parse(readFileSync(index, "utf8"));
    said.responses[0].status = 403;
    writeFileSync(index, JSON.stringify(said));
    const { report, status } = await replay(folder, radar.name);
    expect(report.checks[0]).toMatchObject({
      state: "failed",
      failure: { kind: "refused", status: 403 },
      statuses: "403",
    });
    expect(status).toBe(1);
  });

  test("a recording holds no key: the source's own becomes its sample's, every other secret is masked", async () => {
    const folder = freshFolder();
    const exchange: RecordedExchange = {
      request: { url: "https://example.org/read?key=own%2Fkey-1234&x=1", form: { token: "own/key-1234" } },
      text: '{"echo":"own/key-1234","other":"another-secret"}',
    };
    writeRecording(folder, "some", [exchange], {
      at: testTime,
      rows: 0,
      keys: [{ value: "own/key-1234", shown: "sample-key" }],
      mask: (text) => text.replaceAll("another-secret", "***"),
    });
    const files = readdirSync(join(folder, "some")).map((file) => readFileSync(join(folder, "some", file), "utf8"));
    expect(files.join()).not.toMatch(/own.{1,3}key-1234|another-secret/);
    expect(files.join()).toContain("sample-key");
  });

  test("sources without their variables are listed with them and not asked", async () => {
    const { out, err, status } = await ids(environment, "sources", "check", "cloudflare-radar", "--json");
    expect(JSON.parse(out)).toEqual({
      checks: [],
      unset: [{ source: "cloudflare-radar", missing: ["CLOUDFLARE_API_TOKEN"] }],
    });
    expect(status).toBe(1);
    expect(err).toBe(
      `${environment.IDS_DATA_DIR} contains no store, so responses are compared with the samples, and requests do not count toward daily budgets.\n` +
        "ids: cloudflare-radar was not checked: set CLOUDFLARE_API_TOKEN\n",
    );
    expect(readdirSync(environment.IDS_DATA_DIR)).toEqual([]);
  });

  test.each([
    [["nobody"], /Unknown source nobody. Known sources: /, 2],
    [["--record", "a", "--replay", "b"], /exclude each other/, 2],
    [["--replay", "/nowhere"], /\/nowhere contains no recording of a source/, 1],
    [["agsi", "bls", "--replay", "/nowhere"], /\/nowhere contains no recording of agsi, bls/, 1],
  ])("%j is refused in words", async (args, words, expected) => {
    const { err, status } = await ids(environment, "sources", "check", ...args);
    expect(err).toMatch(words);
    expect(status).toBe(expected);
  });

  test("one of two named sources without a recording is named", async () => {
    const folder = freshFolder();
    await recorded(folder, radar);
    const { err, status } = await ids(environment, "sources", "check", radar.name, "bls", "--replay", folder);
    expect(err).toBe(`ids: ${folder} contains no recording of bls\n`);
    expect(status).toBe(1);
  });

  test("a field that the program reads and that is of another type throughout makes it a changed answer", async () => {
    const folder = freshFolder();
    await recorded(folder, radar);
    change(folder, (text) => text.replace(/"id":"\d+"/g, '"id":{}'));
    const { report } = await replay(folder, radar.name);
    expect(report.checks[0]).toMatchObject({ state: "changed", retyped: ["result.annotations[].id"] });
  });

  test("an answer of which every row is left out is refused, as a refresh refuses it", async () => {
    const folder = freshFolder();
    await recorded(folder, radar);
    change(folder, (text) => text.replace(/"id":"\d+"/g, '"id":""'));
    const { report, status } = await replay(folder, radar.name);
    expect(report.checks[0]).toMatchObject({
      state: "refused",
      rejection: expect.stringMatching(/^all of its \d+ rows/),
    });
    expect(status).toBe(1);
  });

  test("an index that is none is named", async () => {
    const folder = freshFolder();
    mkdirSync(join(folder, radar.name));
    writeFileSync(join(folder, radar.name, "sample.json"), "{}");
    const { err, status } = await ids(environment, "sources", "check", "--replay", folder);
    expect(err).toContain("sample.json is not an index of a recording");
    expect(status).toBe(1);
  });
});
