import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createPageGate } from "../../src/console/page-gate.ts";
import { Overloaded } from "../../src/errors.ts";

test("so many pages are made side by side, the next wait in their order, and who comes when the line is full is refused", async () => {
  const { inTurn: gate, requireRoom } = createPageGate({ places: 2, maxWaiting: 3, restShare: 1 });
  const begun: number[] = [];
  const endings = new Map<number, () => void>();
  const make = (page: number) =>
    gate(async () => {
      begun.push(page);
      await new Promise<void>((end) => endings.set(page, end));
      return page;
    });
  const pages = [0, 1, 2, 3, 4].map(make);
  await turn();
  expect(begun).toEqual([0, 1]);
  await expect(make(5)).rejects.toBeInstanceOf(Overloaded);
  expect(requireRoom).toThrow(Overloaded);
  endings.get(1)?.();
  expect(await pages[1]).toBe(1);
  while (begun.length < 3) await turn();
  expect(begun).toEqual([0, 1, 2]);
  const failing = gate(async () => {
    throw new TypeError("not made");
  });
  const failure = expect(failing).rejects.toThrow("not made");
  for (let page = 0; page < 5; page += 1) {
    while (!endings.has(page)) await turn();
    endings.get(page)?.();
  }
  await failure;
  expect(await Promise.all(pages)).toEqual([0, 1, 2, 3, 4]);
  expect(requireRoom).not.toThrow();
  expect(await gate(async () => "later")).toBe("later");
});

test("who takes longer than a while gives its place to the next, and no second one when it ends", async () => {
  const { inTurn } = createPageGate({ places: 1, maxWaiting: 3, restShare: 0, patienceMs: 1 });
  const begun: string[] = [];
  const endings = new Map<string, () => void>();
  const read = (name: string) =>
    inTurn(async () => {
      begun.push(name);
      await new Promise<void>((end) => endings.set(name, end));
    });
  const slow = read("slow");
  const quick = inTurn(async () => begun.push("quick"));
  await quick;
  expect(begun).toEqual(["slow", "quick"]);
  const next = read("next");
  endings.get("slow")?.();
  await slow;
  while (!endings.has("next")) await turn();
  endings.get("next")?.();
  await next;
  expect(begun).toEqual(["slow", "quick", "next"]);
});
