import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createPageGate, type PageGate } from "../../src/console/page-queue.ts";
import { Overloaded } from "../../src/errors.ts";

/** Work that continues on demand. */
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

test("a limited number of pages is created concurrently, the next wait in order, and a full queue rejects more", async () => {
  const gate = createPageGate({ places: 2, maxWaiting: 3, restShare: 1 });
  const { inTurn, requireRoom } = gate;
  const { begun, endings, make } = heldWork<number>(gate);
  const pages = [0, 1, 2, 3, 4].map(make);
  await turn();
  expect(begun).toEqual([0, 1]);
  await expect(make(5)).rejects.toBeInstanceOf(Overloaded);
  expect(() => requireRoom()).toThrow(Overloaded);
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
  expect(() => requireRoom()).not.toThrow();
  expect(await inTurn(async () => "later")).toBe("later");
});

describe("a queue of several callers", () => {
  const limits = { places: 1, maxWaiting: 4, restShare: 0 };
  const crowd = () => {
    const gate = createPageGate(limits);
    const begun: string[] = [];
    const end: (() => void)[] = [];
    const sendRequest = (caller: string, name = caller, isGone = () => false) =>
      gate
        .inTurn(
          () =>
            new Promise<string>((resolve) => {
              begun.push(name);
              end.push(() => resolve(name));
            }),
          { caller, isGone },
        )
        .catch(({ name }: Error) => name);
    const endAll = async (count: number) => {
      for (let ended = 0; ended < count; ended += 1) {
        while (ended >= end.length) await turn();
        end[ended]?.();
      }
    };
    return { gate, begun, call: sendRequest, endAll };
  };

  test("gives each caller its turn, however many pages one of them requests", async () => {
    const { begun, call: sendRequest, endAll } = crowd();
    const pages = ["a1", "a2", "a3", "a4"].map((name) => sendRequest("a", name));
    pages.push(sendRequest("b"));
    await endAll(5);
    await Promise.all(pages);
    expect(begun).toEqual(["a1", "a2", "b", "a3", "a4"]);
  });

  test("drops calls of the caller that fills it, and rejects that caller", async () => {
    const { gate, begun, call: sendRequest, endAll } = crowd();
    const pages = ["a1", "a2", "a3", "a4", "a5"].map((name) => sendRequest("a", name));
    await turn();
    expect(() => gate.requireRoom("a")).toThrow(Overloaded);
    expect(() => gate.requireRoom("b")).not.toThrow();
    pages.push(sendRequest("b"), sendRequest("a", "a6"));
    await endAll(5);
    expect(await Promise.all(pages)).toEqual(["a1", "a2", "a3", "a4", "Overloaded", "b", "Overloaded"]);
    expect(begun).toEqual(["a1", "a2", "b", "a3", "a4"]);
  });

  test("creates no page for a disconnected caller, which takes no room", async () => {
    const { gate, begun, call: sendRequest, endAll } = crowd();
    let hasLeft = false;
    const pages = [
      sendRequest("first"),
      ...["b", "b", "c", "c"].map((caller) => sendRequest(caller, caller, () => hasLeft)),
    ];
    await turn();
    expect(() => gate.requireRoom("b")).toThrow(Overloaded);
    hasLeft = true;
    expect(() => gate.requireRoom("b")).not.toThrow();
    pages.push(sendRequest("d"));
    await endAll(2);
    const gone = "RequestAborted";
    expect(await Promise.all(pages)).toEqual(["first", gone, gone, gone, gone, "d"]);
    expect(begun).toEqual(["first", "d"]);
  });

  test("ends if all callers have disconnected", async () => {
    const { gate, begun, call: sendRequest, endAll } = crowd();
    let hasLeft = false;
    const pages = [
      sendRequest("first"),
      ...["b", "c", "c"].map((caller) => sendRequest(caller, caller, () => hasLeft)),
    ];
    await turn();
    hasLeft = true;
    await endAll(1);
    await Promise.all(pages);
    const later = sendRequest("later");
    await endAll(2);
    expect([await later, begun]).toEqual(["later", ["first", "later"]]);
    expect(() => gate.requireRoom("b")).not.toThrow();
  });
});

test("a slow page yields its place to the next, and no second one when it ends", async () => {
  const gate = createPageGate({ places: 1, maxWaiting: 3, restShare: 0, timeoutMs: 1 });
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

test("a place rests after a page only while programs send requests", async () => {
  for (const isRequested of [true, false]) {
    const gate = createPageGate({ places: 1, maxWaiting: 2, restShare: 1_000_000 }, () => isRequested);
    const { begun, endings, make } = heldWork<string>(gate);
    const pages = ["first", "second"].map(make);
    await turn();
    endings.get("first")?.();
    await pages[0];
    for (let turns = 0; turns < 20; turns += 1) await turn();
    expect(begun).toEqual(isRequested ? ["first"] : ["first", "second"]);
  }
});

test("a rejected caller learns in how many seconds all waiting callers will have had their turn", async () => {
  const gate = createPageGate({ places: 1, maxWaiting: 10, restShare: 1_000_000 });
  const { endings, make } = heldWork<number>(gate);
  const pages = Array.from({ length: 11 }, (_, name) => make(name));
  await turn();
  await expect(make(11)).rejects.toMatchObject({ retryAfterSeconds: 1 });
  endings.get(0)?.();
  await pages[0];
  await turn();
  // Its rest of two seconds is a fifth of the mean so far: 10 pages of a little more than 0.4 s.
  await expect(make(12)).rejects.toMatchObject({ retryAfterSeconds: 5 });
});
