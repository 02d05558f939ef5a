import { expect, test } from "vitest";
import { describeEachDatabase } from "../support/databases.ts";
import { type InventedDataset, inventedDataset, inventedRows, inventedSource } from "./invented-dataset.ts";
import { refreshBed, start } from "./refresh-bed.ts";

describeEachDatabase("A refresh that is disturbed", (openFresh) => {
  const bed = refreshBed(openFresh);

  test("a source that fails delays no other, and its last good rows stay with theirs", async () => {
    const [a, b] = [inventedSource("a"), inventedSource("b")];
    const dataset = inventedDataset([a, b]);
    a.answer = inventedRows("a", 1);
    b.answer = inventedRows("b", 1);
    await bed.run(dataset);
    const { promise: silence, reject: fail } = Promise.withResolvers<never>();
    a.answer = () => silence;
    b.answer = async () => {
      // The second is asked although the first has not answered.
      fail(new Error("the first broke off"));
      return inventedRows("b", 1, 2);
    };
    const { sources, generation } = await bed.run(dataset);
    expect(sources).toMatchObject([{ state: "failed", detail: "the first broke off" }, { state: "ok" }]);
    expect(generation).toBe(2);
    expect(await bed.visible()).toEqual(["a-1", "b-2"]);
    expect(await bed.stateOf(dataset)).toMatchObject({
      state: "degraded",
      sources: [
        { state: "failed", words: "the first broke off", runs: 2, failures: 1 },
        { state: "ok", failures: 0 },
      ],
    });
  });

  test("when every source fails nothing moves, and why is recorded", async () => {
    const source = inventedSource("a");
    source.answer = inventedRows("a", 1);
    await bed.run(inventedDataset([source]));
    const before = await bed.stored();
    bed.now = new Date(start.getTime() + 60_000);
    source.answer = new Error(`broke off\0 \ud800 ${"x".repeat(2000)}`);
    expect(await bed.run(inventedDataset([source]))).not.toHaveProperty("generation");
    expect(await bed.stored()).toEqual(before);
    expect(await bed.stateOf(inventedDataset([source]))).toMatchObject({
      sources: [{ state: "failed", words: expect.stringMatching(/^broke off/), lastGoodAgeSeconds: 60 }],
    });
  });

  test("what is also made from the store is written even when every source fails, with its last good rows", async () => {
    const source = inventedSource("a");
    const dataset: InventedDataset = { ...inventedDataset([source]), tables: [{ name: "table" }] };
    source.answer = new Error("never reached");
    expect(await bed.run(dataset)).toMatchObject({ generation: 1, rows: 0, sources: [{ state: "failed" }] });
    source.answer = inventedRows("a", 2);
    expect(await bed.run(dataset)).toMatchObject({ generation: 2, rows: 2 });
    bed.now = new Date(start.getTime() + 60_000);
    source.answer = new Error("broke off");
    expect(await bed.run(dataset)).toMatchObject({ generation: 3, rows: 2, sources: [{ state: "failed" }] });
    expect(await bed.stateOf(dataset)).toMatchObject({
      ...{ state: "degraded", generation: 3, storedAt: bed.now.toISOString() },
      sources: [{ state: "failed", words: "broke off", runs: 3, failures: 2, lastGoodAgeSeconds: 60 }],
    });
  });

  test("a write that throws leaves everything as it was, and the rows do not pass for good ones", async () => {
    const source = inventedSource("a");
    source.answer = inventedRows("a", 1);
    const dataset = inventedDataset([source]);
    await bed.run(dataset);
    const before = await bed.stored();
    source.answer = inventedRows("b", 1);
    const broken = inventedDataset([source], {
      async write(transaction, wanted) {
        await dataset.write(transaction, wanted);
        throw new Error("the disk is full");
      },
    });
    await expect(bed.run(broken)).rejects.toThrow("the disk is full");
    expect(await bed.stored()).toEqual(before);
    expect(await bed.stateOf(dataset)).toMatchObject({
      state: "degraded",
      sources: [{ state: "failed", words: expect.stringContaining("the disk is full"), runs: 2, failures: 1 }],
    });
    expect(await bed.run(dataset)).toMatchObject({ generation: 2 });
    expect(await bed.visible()).toEqual(["b-1"]);
  });

  test("that is called off stores nothing any more", async () => {
    const source = inventedSource("a");
    const off = new AbortController();
    source.answer = async () => {
      off.abort(new Error("the process closes"));
      return inventedRows("a", 1);
    };
    await expect(bed.run(inventedDataset([source]), { signal: off.signal })).rejects.toThrow("the process closes");
    expect(await bed.stored()).toEqual({ generation: [], snapshot: [], dataset: [], good: [] });
  });

  test("is compared with the rows that a concurrent refresh of the same dataset has stored", async () => {
    const [slow, quick] = [inventedSource("a"), inventedSource("a")];
    const [broken, whole] = [inventedSource("b"), inventedSource("b")];
    slow.answer = async () => {
      await bed.run(inventedDataset([quick, whole]));
      return inventedRows("slow", 1);
    };
    quick.answer = inventedRows("quick", 1);
    whole.answer = inventedRows("b", 1);
    broken.answer = new Error("broke off");
    expect(await bed.run(inventedDataset([slow, broken]))).toMatchObject({ generation: 2 });
    expect(await bed.visible()).toEqual(["slow-1", "b-1"]);
  });

  test("several at the same time give as many whole generations", async () => {
    const sources = Array.from({ length: 6 }, (_, index) => {
      const source = inventedSource("a", { remember: { key: ({ id = "" }) => id, retains: () => true } });
      source.answer = inventedRows(`run${index}`, 1);
      return source;
    });
    const outcomes = await Promise.all(sources.map((source) => bed.run(inventedDataset([source]))));
    expect(new Set(outcomes.map(({ generation }) => generation))).toEqual(new Set([1, 2, 3, 4, 5, 6]));
    // No run lost what another one had stored before it.
    expect(new Set(await bed.visible())).toEqual(new Set(sources.map((_, index) => `run${index}-1`)));
  });
});
