import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createPageGate, type PageGate } from "../../src/console/page-gate.ts";
import { Overloaded } from "../../src/errors.ts";

/** Work that goes on when it is told to. */
function heldWork<Name>({ inTurn }: PageGate) {
  const begun: Name[] = [];
  const endings = new Map<Name, () => void>();
  const make = (name: Name) =>
    inTurn(async () => {
      begun.push(name);
      await new Promise<void>((end) => endings.set(name, end));
      return name;
    });
  return { begun, endings, make };
}

test("so many pages are made side by side, the next wait in their order, and who comes when the line is full is refused", async () => {
  const gate = createPageGate({ places: 2, maxWaiting: 3, restShare: 1 });
  const { inTurn, requireRoom } = gate;
  const { begun, endings, make } = heldWork<number>(gate);
  const pages = [0, 1, 2, 3, 4].map(make);
  await turn();
  expect(begun).toEqual([0, 1]);
  await expect(make(5)).rejects.toBeInstanceOf(Overloaded);
  expect(requireRoom).toThrow(Overloaded);
  endings.get(1)?.();
  expect(await pages[1]).toBe(1);
  while (begun.length < 3) await turn();
  expect(begun).toEqual([0, 1, 2]);
  const failing = inTurn(async () => {
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
  expect(await inTurn(async () => "later")).toBe("later");
});

test("who takes longer than a while gives its place to the next, and no second one when it ends", async () => {
  const gate = createPageGate({ places: 1, maxWaiting: 3, restShare: 0, patienceMs: 1 });
  const { begun, endings, make: read } = heldWork<string>(gate);
  const slow = read("slow");
  const quick = gate.inTurn(async () => begun.push("quick"));
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
