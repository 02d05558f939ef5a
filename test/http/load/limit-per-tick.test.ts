import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { limitPerTick } from "../../../src/http/load/limit-per-tick.ts";

test("a hundred concurrent calls continue in order, a few in each turn of the event loop, before later calls", async () => {
  const inOwnTurn = limitPerTick(8);
  const gone: number[] = [];
  const enter = (name: number) => inOwnTurn().then(() => gone.push(name));
  const all = Array.from({ length: 100 }, (_, name) => enter(name));
  const perTurn: number[] = [];
  while (gone.length < 101) {
    const before = gone.length;
    await turn();
    perTurn.push(gone.length - before);
    if (perTurn.length === 3) all.push(enter(100));
  }
  await Promise.all(all);
  expect(gone).toEqual(Array.from({ length: 101 }, (_, name) => name));
  expect(Math.max(...perTurn)).toBe(8);
  await inOwnTurn();
});
