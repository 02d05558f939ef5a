import { expect, test } from "vitest";
import { metalPremiums } from "../../src/domains/market/premiums/metal-premiums.ts";
import type { Progress, RefreshParts } from "../../src/ingest/refresh/fetch.ts";
import { refresh } from "../../src/ingest/refresh/refresh.ts";
import { describeEachDatabase } from "../support/databases.ts";
import { inventedDataset, inventedRows, inventedSource } from "./invented-dataset.ts";
import { refreshBed, start } from "./refresh-bed.ts";

describeEachDatabase("A refresh", (openFresh) => {
  const bed = refreshBed(openFresh);

  test("combines the rows of all sources into one new generation, and reports each source's steps", async () => {
    const [a, b] = [inventedSource("a"), inventedSource("b")];
    a.answer = inventedRows("a", 2);
    b.answer = inventedRows("b", 1);
    const steps: Progress[] = [];
    const outcome = await bed.run(inventedDataset([a, b]), { progress: (step) => steps.push(step) });
    expect(outcome).toMatchObject({ generation: 1, rows: 3, sources: [{ state: "ok" }, { state: "ok" }] });
    expect(await bed.visible()).toEqual(["a-1", "a-2", "b-1"]);
    for (const [source, detail] of [["a", "2 rows, 0 rejected"] as const, ["b", "1 rows, 0 rejected"] as const])
      expect(steps.filter((step) => step.source === source)).toEqual([
        { dataset: "invented", source, step: "asking", detail: "live" },
        { dataset: "invented", source, step: "ok", detail },
      ]);
  });

  test("records the origin of the rows: their time and range, the counts in, out, and rejected, and their hash", async () => {
    const source = inventedSource("a", {
      parse: (response) => ({ rows: response as never, rejected: [{ row: "x", reason: "has no id" }] }),
    });
    source.answer = [...inventedRows("a", 3), { id: "a-4", country: "Switzerland" }];
    const { sources } = await bed.run(inventedDataset([source]));
    expect(sources[0]?.rejected).toEqual([
      { row: "x", reason: "has no id" },
      { row: "a-4", reason: expect.stringContaining("country") },
    ]);
    const [row] = await bed.database.selectFrom("source").selectAll().execute();
    expect(row).toMatchObject({
      ...{ dataset: "invented", source: "a", state: "ok", error: null, runs: 1, failures: 0, good_origin: "live" },
      ...{ run_at: start, fetched_at: start, observed_from: new Date(1), observed_to: new Date(3) },
      ...{ rows_in: 5, rows_out: 3, rejected: 2 },
    });
    expect(row?.content_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(await bed.database.selectFrom("dataset").selectAll().execute()).toEqual([
      {
        name: "invented",
        generation: "1",
        origin: "live",
        held_generation: null,
        held_since: null,
        stored_at: start,
        rows: 3,
        stale_since: null,
      },
    ]);
    const before = row?.content_hash;
    await bed.run(inventedDataset([source]));
    const again = await bed.database.selectFrom("source").select(["content_hash", "runs"]).executeTakeFirstOrThrow();
    expect(again).toEqual({ content_hash: before, runs: 2 });
  });

  test.each([
    ["breaks a rule of its message", { id: "", country: "CH" }],
    ["has a number that its type cannot hold", { id: "x", country: "CH", severity: 2 ** 40 }],
    ["has a NUL in a text", { id: "x", country: "CH", title: "a\0b" }],
    ["has half a surrogate pair in a text", { id: "x", country: "CH", title: "a\ud800b" }],
  ])("rejects and counts a row that %s, and keeps the others", async (_what, row) => {
    const source = inventedSource("a");
    source.answer = [{ id: "fine", country: "CH", title: "a \\u0000 spelt out" }, row];
    const { sources, generation } = await bed.run(inventedDataset([source]));
    expect(generation).toBe(1);
    expect(sources[0]?.rejected).toHaveLength(1);
    expect(await bed.visible()).toEqual(["fine"]);
  });

  test("reports for each source's rows whether they are fresh, their coverage, and the time of their reading", async () => {
    const [a, b] = [
      inventedSource("a", {
        covers: { days: 2 },
        parse: (rows) => ({ rows: rows as never, rejected: [], complete: true }),
      }),
      inventedSource("b"),
    ];
    let reported: unknown;
    const plain = inventedDataset([a, b]);
    const dataset = inventedDataset([a, b], {
      write: (transaction, parts) => {
        reported = Object.fromEntries(parts.responses);
        return plain.write(transaction, parts);
      },
    });
    a.answer = inventedRows("a", 1);
    b.answer = inventedRows("b", 1);
    await bed.run(dataset);
    const first = { fetchedAt: start, fresh: true };
    expect(reported).toEqual({
      a: { ...first, covered: [{ from: start.getTime() - 2 * 86_400_000, to: Number.MAX_SAFE_INTEGER }], rejected: [] },
      b: { ...first, covered: [], rejected: [] },
    });
    bed.now = new Date(start.getTime() + 60_000);
    a.answer = new Error("gone");
    await bed.run(dataset);
    const later = { fetchedAt: bed.now, fresh: true, covered: [], rejected: [] };
    expect(reported).toEqual({ a: { fetchedAt: start, fresh: false, covered: [], rejected: [] }, b: later });
  });

  test("asks a source with a small quota no sooner than its pause allows, even after a failure, and keeps its rows", async () => {
    let requested = 0;
    const rare = inventedSource("rare", { minutesApart: 150, variables: ["KEY"] });
    const often = inventedSource("often");
    const dataset = inventedDataset([rare, often]);
    const upstreams = bed.upstreamsOf("live", { KEY: "1" });
    often.answer = inventedRows("often", 1);
    const count = (response: () => Promise<never> | ReturnType<typeof inventedRows>) => async () => {
      requested++;
      return response();
    };
    rare.answer = count(() => inventedRows("rare", 2));
    const after = async (minutes: number, parts: Partial<RefreshParts> = { upstreams }) => {
      bed.now = new Date(bed.now.getTime() + minutes * 60_000);
      return (await bed.run(dataset, parts)).sources[0]?.state;
    };
    // Without its key nothing is sent, so that counts for nothing.
    expect(await after(0, {})).toBe("failed");
    expect(await after(1)).toBe("ok");
    expect(await after(149)).toBe("paced");
    expect(await bed.visible()).toEqual(["rare-1", "rare-2", "often-1"]);
    rare.answer = count(() => Promise.reject(new Error("busy")));
    expect([await after(1), await after(149), requested]).toEqual(["failed", "paced", 2]);
    expect((await bed.stateOf(dataset))?.sources[0]).toMatchObject({ state: "failed", words: "busy", runs: 2 });
    rare.answer = count(() => inventedRows("rare", 3));
    expect([await after(1), requested]).toEqual(["ok", 3]);
  });

  test("keeps no second copy of rows that are in the dataset's own tables, and still knows how many there were", async () => {
    const source = inventedSource("a");
    const dataset = { ...inventedDataset([source]), rowsInTable: true as const };
    source.answer = inventedRows("a", 10);
    await bed.run(dataset);
    const row = await bed.database.selectFrom("source").select(["good_rows", "rows_out"]).executeTakeFirstOrThrow();
    expect(row).toEqual({ good_rows: null, rows_out: 10 });
    source.answer = inventedRows("a", 4);
    expect(await bed.run(dataset)).toMatchObject({ sources: [{ state: "refused" }] });
  });

  test("refuses a first answer below the floor, and an empty one ever; later the last good answer is the measure", async () => {
    const source = inventedSource("a", { rows: { atLeast: 10, mayBeEmpty: false } });
    const rejected = (detail: string) => ({
      sources: [{ source: "a", state: "refused", detail, rejected: [], drift: [] }],
    });
    source.answer = inventedRows("a", 9);
    const parts = { acceptShrunk: true };
    expect(await bed.run(inventedDataset([source]), parts)).toEqual(
      rejected("9 rows, and a good response has at least 10"),
    );
    source.answer = inventedRows("a", 10);
    await bed.run(inventedDataset([source]));
    source.answer = [];
    expect(await bed.run(inventedDataset([source]), parts)).toEqual(rejected("an empty response"));
    source.answer = inventedRows("a", 9);
    await bed.run(inventedDataset([source]));
    expect(await bed.visible()).toHaveLength(9);
  });

  test("refuses an answer of less than half the last good one's rows, unless the operator accepts it", async () => {
    const source = inventedSource("a");
    const dataset = inventedDataset([source]);
    source.answer = inventedRows("a", 20);
    await bed.run(dataset);
    source.answer = inventedRows("a", 9);
    const { sources } = await bed.run(dataset);
    expect(sources[0]).toMatchObject({ state: "refused", detail: "9 rows, and the last good response had 20" });
    expect(await bed.visible()).toHaveLength(20);
    expect(await bed.run(dataset, { acceptShrunk: true })).toMatchObject({ generation: 2, rows: 9 });
    source.answer = inventedRows("a", 5);
    expect(await bed.run(dataset)).toMatchObject({ generation: 3, rows: 5 });
  });

  test("takes an empty response of a source that may be empty as a measured zero", async () => {
    const source = inventedSource("a", { rows: { atLeast: 5, mayBeEmpty: true } });
    source.answer = inventedRows("a", 10);
    await bed.run(inventedDataset([source]));
    source.answer = [];
    expect(await bed.run(inventedDataset([source]))).toMatchObject({ generation: 2, rows: 0 });
    expect(await bed.visible()).toEqual([]);
  });

  test("retains rows that a shorter window no longer includes, while they are to be remembered", async () => {
    const source = inventedSource("a", {
      remember: { key: ({ id = "" }) => id, retains: ({ detectedAt = 0n }) => detectedAt >= 10n },
    });
    const dataset = inventedDataset([source]);
    source.answer = inventedRows("a", 20, 1);
    await bed.run(dataset);
    source.answer = inventedRows("a", 15, 18);
    await bed.run(dataset);
    const ids = inventedRows("a", 23, 10).map(({ id }) => id);
    expect(new Set(await bed.visible())).toEqual(new Set(ids));
    expect(await bed.visible()).toHaveLength(ids.length);
    // Remembered rows do not make a usual response look truncated.
    source.answer = inventedRows("a", 10, 30);
    expect((await bed.run(dataset)).sources[0]).toMatchObject({ state: "ok", detail: "30 rows, 0 rejected" });
  });

  test("plays a sample's history oldest first, each day at its own time and in few statements, and later only the days since", async () => {
    let statements = 0;
    const database = bed.database.withPlugin({
      transformQuery({ node }) {
        statements += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const play = (daysOn: number) => {
      bed.now = new Date(start.getTime() + daysOn * 86_400_000);
      return refresh(metalPremiums, { database, upstreams: bed.upstreamsOf("sample") });
    };
    const prints = async () => {
      const { rows } = await bed.query(`
        select print_date::text as day, to_char(computed_at at time zone 'UTC', 'YYYY-MM-DD') as computed
        from metal_premium where metal = 'gold' order by print_date`);
      return rows as { day: string; computed: string }[];
    };
    const { length: days } = bed.upstreamsOf("sample").earlierDays(metalPremiums.sources);
    expect(days).toBeGreaterThanOrEqual(90);
    expect(await play(0)).toMatchObject({ generation: days + 1, rows: 2 * (days + 1) });
    // A first start waits for each of them.
    expect(statements / (days + 1)).toBeLessThan(14);
    // The sample's print of a day is published on the next one.
    const dayAfter = (day: string) => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
    const first = await prints();
    expect(first.map(({ computed }) => computed)).toEqual(first.map(({ day }) => dayAfter(day)));
    expect(await play(0)).toMatchObject({ generation: days + 2, rows: 2 * (days + 1) });
    expect(await play(3)).toMatchObject({ generation: days + 5, rows: 2 * (days + 4) });
    expect((await prints()).at(-1)).toEqual({ day: "2026-11-20", computed: "2026-11-21" });
  });

  test("never keeps live rows and samples side by side", async () => {
    const [a, b] = [inventedSource("a"), inventedSource("b")];
    const dataset = inventedDataset([a, b]);
    a.answer = inventedRows("a", 100);
    b.answer = inventedRows("b", 100);
    await bed.run(dataset, { upstreams: bed.upstreamsOf("sample") });
    a.answer = inventedRows("live", 1);
    b.answer = new Error("broke off");
    // One row is not a truncated response, because the hundred were samples.
    expect(await bed.run(dataset)).toMatchObject({ generation: 2, rows: 1 });
    expect(await bed.visible()).toEqual(["live-1"]);
    expect((await bed.database.selectFrom("dataset").select("origin").execute())[0]).toEqual({ origin: "live" });
  });

  test("a source without its variable is not asked, and the variable is named", async () => {
    const source = inventedSource("a", { variables: ["A_KEY", "A_USER"] });
    source.answer = inventedRows("a", 1);
    const { sources } = await bed.run(inventedDataset([source]), {
      upstreams: bed.upstreamsOf("live", { A_USER: "u" }),
    });
    expect(sources).toMatchObject([{ state: "failed", detail: "not set: A_KEY" }]);
    expect(await bed.run(inventedDataset([source]), { upstreams: bed.upstreamsOf("sample") })).toMatchObject({
      generation: 1,
    });
  });

  test("a source under restrictive terms is asked only where its own switch is on", async () => {
    const source = inventedSource("our-list", {
      license: { kind: "restricted", publisher: "invented", terms: "invented" },
    });
    source.answer = inventedRows("a", 1);
    for (const [value, state] of [
      ["", "failed"],
      ["off", "failed"],
      ["on", "ok"],
    ] as const) {
      const upstreams = bed.upstreamsOf("live", { IDS_SOURCE_OUR_LIST: value });
      expect((await bed.run(inventedDataset([source]), { upstreams })).sources).toMatchObject([{ state }]);
    }
  });
});
