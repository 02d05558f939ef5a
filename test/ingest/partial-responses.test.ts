import { expect, test } from "vitest";
import { UpstreamError } from "../../src/egress/upstream-error.ts";
import { readSeries, requestSeries } from "../../src/ingest/series-responses.ts";
import { describeEachDatabase } from "../support/databases.ts";
import { inventedDataset, inventedRows, inventedSource } from "./invented-dataset.ts";
import { refreshBed, start } from "./refresh-bed.ts";

const names = ["x", "y", "z"];
const busy = new UpstreamError("example.org answered 429", { status: 429 });

/** A source of three series of two rows each; those that are named fail. */
function seriesSource(failing: Readonly<Record<string, Error>> = {}, atLeast = 2) {
  const fails = { ...failing };
  const source = inventedSource("a", {
    rows: { atLeast, mayBeEmpty: false },
    partOf: ({ id = "" }) => id.slice(0, 1),
    fetch: () =>
      requestSeries("a", names, async (series) => {
        if (fails[series]) throw fails[series];
        return inventedRows(series, 2);
      }),
    parse: (response) => readSeries("a", response, ({ answer: rows }) => ({ rows: rows as never, rejected: [] })),
  });
  return { source, fails };
}

const allRows = ["x-1", "x-2", "y-1", "y-2", "z-1", "z-2"];

describeEachDatabase("An answer without some of its parts", (openFresh) => {
  const bed = refreshBed(openFresh);
  const later = (minutes: number) => {
    bed.now = new Date(start.getTime() + minutes * 60_000);
  };

  test("brings those that came, keeps the last good rows of the others, and says which and why", async () => {
    const { source, fails } = seriesSource();
    const dataset = inventedDataset([source]);
    expect(await bed.run(dataset)).toMatchObject({ rows: 6, sources: [{ state: "ok" }] });
    later(30);
    fails.y = busy;
    const outcome = await bed.run(dataset);
    expect(outcome).toMatchObject({ generation: 2, rows: 6 });
    expect(outcome.sources[0]).toMatchObject({
      state: "partial",
      detail: "6 rows, 0 rejected, 2 of them retained, without y: example.org answered 429",
    });
    expect(new Set(await bed.visible())).toEqual(new Set(allRows));
    const status = await bed.stateOf(dataset);
    expect(status).toMatchObject({ state: "degraded", readAt: start.toISOString() });
    expect(status?.sources[0]).toMatchObject({
      state: "partial",
      missingParts: [
        {
          part: "y",
          error: "The source's quota is used up (HTTP 429)",
          words: "example.org answered 429",
          lastGoodAt: start.toISOString(),
        },
      ],
    });
  });

  test("is whole again with the part's return", async () => {
    const { source, fails } = seriesSource();
    const dataset = inventedDataset([source]);
    await bed.run(dataset);
    fails.y = busy;
    await bed.run(dataset);
    delete fails.y;
    later(30);
    expect((await bed.run(dataset)).sources[0]).toMatchObject({ state: "ok", detail: "6 rows, 0 rejected" });
    const status = await bed.stateOf(dataset);
    expect(status).toMatchObject({ state: "ok", readAt: bed.now.toISOString() });
    expect(status?.sources[0]).not.toHaveProperty("missingParts");
  });

  test("drops the rows of a part that is missing for longer than they may be served, and never takes them for zero", async () => {
    const { source, fails } = seriesSource();
    const dataset = inventedDataset([source]);
    await bed.run(dataset);
    fails.y = busy;
    later(23 * 60);
    await bed.run(dataset);
    expect(await bed.visible()).toHaveLength(6);
    // Fresh for an hour, and so served for a day.
    later(25 * 60);
    await bed.run(dataset);
    expect(new Set(await bed.visible())).toEqual(new Set(["x-1", "x-2", "z-1", "z-2"]));
    const [status] = (await bed.stateOf(dataset))?.sources ?? [];
    expect(status?.missingParts?.[0]).toEqual({
      part: "y",
      status: 429,
      error: "The source's quota is used up (HTTP 429)",
      words: "example.org answered 429",
    });
    expect(status?.lastGoodAt).toBe(bed.now.toISOString());
  });

  test("is as old as the oldest part that it keeps, each part by its own last reading", async () => {
    const { source, fails } = seriesSource({ y: busy });
    const dataset = inventedDataset([source]);
    await bed.run(dataset);
    later(10);
    delete fails.y;
    fails.x = busy;
    await bed.run(dataset);
    expect((await bed.stateOf(dataset))?.readAt).toBe(start.toISOString());
    later(20);
    delete fails.x;
    fails.z = busy;
    await bed.run(dataset);
    expect((await bed.stateOf(dataset))?.readAt).toBe(new Date(start.getTime() + 10 * 60_000).toISOString());
    expect(new Set(await bed.visible())).toEqual(new Set(allRows));
  });

  test("is refused when too little came for a first answer, and when nothing came it fails by what came first", async () => {
    const { source } = seriesSource({ y: busy, z: busy }, 3);
    expect((await bed.run(inventedDataset([source]))).sources[0]).toMatchObject({
      state: "refused",
      detail: "2 rows, and a good response has at least 3",
    });
    const none = seriesSource({ x: busy, y: new UpstreamError("other", { status: 500 }), z: busy });
    expect((await bed.run(inventedDataset([none.source]))).sources[0]).toMatchObject({
      state: "failed",
      detail: "example.org answered 429",
    });
  });

  test("reports how much the source says it has", async () => {
    const source = inventedSource("a", { parse: (rows) => ({ rows: rows as never, rejected: [], available: 25_000 }) });
    source.answer = inventedRows("a", 3);
    const dataset = inventedDataset([source]);
    expect((await bed.run(dataset)).sources[0]).toMatchObject({ state: "ok", detail: "3 rows of 25000, 0 rejected" });
    expect((await bed.stateOf(dataset))?.sources[0]).toMatchObject({ rowsIn: 3, available: 25_000 });
  });
});

test("after three failures in a row no further part is asked for; a part that is gone is none of them", async () => {
  const requested: string[] = [];
  const collected = await requestSeries("a", ["a", "b", "c", "d", "e", "f"], async (series) => {
    requested.push(series);
    if (series === "a") return 1;
    throw series === "c" ? new UpstreamError("none", { status: 404 }) : busy;
  });
  expect(requested).toEqual(["a", "b", "c", "d", "e"]);
  expect(collected.gone).toEqual(["c"]);
  expect(collected.missing.map(({ part, reason }) => `${part} ${reason}`)).toEqual([
    "b example.org answered 429",
    "d example.org answered 429",
    "e example.org answered 429",
    "f not requested after other requests failed",
  ]);
});

test("a part in another format is the only missing one, and if every part is, that throws", () => {
  const read = (changed: readonly string[]) =>
    readSeries("a", { responses: names.map((series) => ({ series, answer: series })) }, ({ series }) => {
      if (changed.includes(series)) throw new UpstreamError(`${series} has another form`);
      return { rows: [series], rejected: [] };
    });
  expect(read(["y"])).toEqual({
    rows: ["x", "z"],
    rejected: [],
    missing: [{ part: "y", reason: "y has another form" }],
  });
  expect(() => read(names)).toThrow("x has another form");
});
