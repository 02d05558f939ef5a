import { parse } from "csv-parse/sync";
import { beforeEach, expect, test } from "vitest";
import type { Database } from "../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../support/app.ts";
import { describeEachDatabase } from "../support/databases.ts";
import { changesOf, type ListedChange, listPath, outage, outageBed } from "./listed-changes.ts";

describeEachDatabase("changes of a dataset that is one message", (openFresh) => {
  let database: Database;
  let app: TestApp;
  beforeEach(async () => {
    database = await openFresh();
    app = await startApp(database, { environment: { IDS_DATA: "live" } });
    return app[Symbol.asyncDispose];
  });
  const reported = ({ kind, subject }: ListedChange) => `${kind} ${subject}`;

  test("the first load is one entry, then each row that appears, moves or vanishes is one with what moved", async () => {
    const { refresh } = outageBed(database);
    await refresh([outage("a"), outage("b"), outage("c")]);
    expect((await changesOf(app)).changes).toEqual([
      {
        position: 1,
        at: testTime.getTime(),
        dataset: "internet-outages",
        kind: "replaced",
        rows: "",
        subject: "",
        country: "",
      },
    ]);
    await refresh([outage("a"), outage("b", { severity: 3, endedAt: 1_795_000_900_000n }), outage("d")]);
    const { changes, nextPosition, more } = await changesOf(app, "after=1");
    expect(changes).toMatchObject([
      {
        ...{ position: 2, kind: "changed", rows: "outages", subject: "b", country: "UA" },
        before: { severity: "OUTAGE_SEVERITY_PARTIAL", endedAt: null },
        after: { severity: "OUTAGE_SEVERITY_TOTAL", endedAt: 1_795_000_900_000 },
      },
      { position: 3, kind: "appeared", subject: "d", country: "UA", after: { id: "d", title: "Outage d" } },
      { position: 4, kind: "vanished", subject: "c", before: { id: "c", title: "Outage c", country: "UA" } },
    ]);
    expect(Object.keys(changes[0]?.after ?? {})).toEqual(["severity", "endedAt"]);
    expect(changes[1]).not.toHaveProperty("before");
    expect(changes[2]).not.toHaveProperty("after");
    expect({ nextPosition, more }).toEqual({ nextPosition: 4, more: false });
    const file = async (format: string) => (await app.get(`${listPath}?after=1&format=${format}`)).text();
    const lines = (await file("ndjson")).trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject(
      changes.map(({ before = null, after = null, ...change }) => ({ ...change, before, after })),
    );
    const { headers } = await app.get(`${listPath}?after=1`);
    expect([headers.get("X-Data-Sources"), headers.get("Link")]).toEqual([
      "cloudflare-radar",
      expect.stringContaining('rel="license"'),
    ]);
    expect(JSON.parse(await file("csvw"))).toMatchObject({ "dc:rights": expect.stringMatching(/./) });
    const cells: Record<string, string>[] = parse(await file("csv"), { columns: true });
    expect(
      cells.map(({ position, subject, after }) => [Number(position), subject, after && JSON.parse(after)]),
    ).toEqual(changes.map(({ position, subject, after }) => [position, subject, after ?? ""]));
  });

  test("a refresh that brings the same writes nothing", async () => {
    const { refresh } = outageBed(database);
    for (const _ of [1, 2, 3]) await refresh([outage("a"), outage("b")]);
    expect((await changesOf(app)).changes.map(reported)).toEqual(["replaced "]);
  });

  test("more than 10,000 changes of one refresh are one entry", async () => {
    const { refresh } = outageBed(database);
    const many = (from: number) => Array.from({ length: 10_001 }, (_, index) => outage(`${from + index}`));
    await refresh([outage("a")]);
    await refresh([outage("a"), ...many(0).slice(1)]);
    expect((await changesOf(app, "after=1")).changes).toHaveLength(1_000);
    await refresh([outage("a"), ...many(20_000)]);
    expect((await changesOf(app, "after=10001")).changes.map(reported)).toEqual(["replaced "]);
  });

  test("rows of a restricted source, and single rows that are, never appear; those of other sources do", async () => {
    const license = { kind: "restricted", publisher: "invented", terms: "redistribution is forbidden" } as const;
    const restricted = outageBed(database, { license });
    for (const id of ["a", "b"]) await restricted.refresh([outage(id)]);
    expect((await changesOf(app)).changes.map(reported)).toEqual(["replaced "]);
    const inPart = outageBed(database, { withheldParts: ["secret"] });
    await inPart.refresh([outage("secret", { title: "hidden" }), outage("free")]);
    await inPart.refresh([outage("free", { region: "Kyiv" })]);
    const { changes } = await changesOf(app, "after=1");
    expect(changes.map(reported)).toEqual(["appeared free", "vanished b", "changed free"]);
    expect(JSON.stringify(changes)).not.toContain("hidden");
  });

  test("live mode lists no samples, and the move from samples to live data is not a vanished row", async () => {
    const { refresh } = outageBed(database);
    await refresh([outage("invented")], { origin: "sample" });
    await refresh([outage("invented"), outage("invented 2")], { origin: "sample" });
    expect((await changesOf(app)).changes).toEqual([]);
    await using samples = await startApp(database);
    const response = await samples.get("/api/changes/v1/list-changes");
    expect(response.headers.get("x-data-origin")).toBe("sample");
    const { changes } = (await response.json()) as { changes: ListedChange[] };
    expect(changes.map(reported)).toEqual(["replaced ", "appeared invented 2"]);
    const empty = await samples.get("/api/changes/v1/list-changes?country=TV");
    expect([await empty.json(), empty.headers.get("x-data-origin")]).toMatchObject([{ changes: [] }, "sample"]);
    await refresh([outage("real")]);
    const live = await changesOf(app);
    expect(live.changes.map(reported)).toEqual(["replaced "]);
    expect(live.changes[0]?.position).toBe(live.nextPosition);
  });
});
