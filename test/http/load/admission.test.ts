import { describe, expect, test } from "vitest";
import { outside } from "../../../src/egress/outside.ts";
import { type Admission, type AdmissionLimits, createAdmission } from "../../../src/http/load/admission.ts";
import type { Work } from "../../../src/http/load/waiting-line.ts";

interface Requesting {
  readonly caller: string;
  readonly keyed?: boolean;
  readonly operation?: string;
  readonly gone?: () => boolean;
  readonly backedUp?: () => boolean;
}

/** Jobs that end on demand, and the result of each. */
function admissionOf(limits: Partial<AdmissionLimits> = {}) {
  const admission = createAdmission(limits);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const sendRequest = (
    { caller, keyed = true, operation = "Read", gone, backedUp }: Requesting,
    name = caller,
  ): Promise<string> => {
    const connection = { isGone: gone ?? (() => false), isBackedUp: backedUp ?? (() => false) };
    const work: Work = { operation, caller, keyed, connection };
    const response = async () =>
      admission.run(work, () => {
        begun.push(name);
        return new Promise<string>((resolve) => ends.push(() => resolve(name)));
      });
    return response().catch((error: Error) => error.name);
  };
  /** Ends the oldest job, and gives what may begin then its turn. */
  const endOne = async () => {
    ends.shift()?.();
    await turn();
  };
  return { admission, begun, call: sendRequest, endOne };
}

/** One job may begin in each of these turns of the event loop. */
async function turn(): Promise<void> {
  for (let each = 0; each < 30; each++) await new Promise((resolve) => setImmediate(resolve));
}

describe("Work that waits for something", () => {
  test("takes no more places than there are, of one account and of one address", async () => {
    const {
      admission,
      begun,
      call: sendRequest,
    } = admissionOf({
      places: 6,
      keylessPlaces: 3,
      placesOfAccount: 4,
      placesOfAddress: 2,
    });
    for (let each = 0; each < 10; each++) void sendRequest({ caller: "account" });
    for (let each = 0; each < 10; each++) void sendRequest({ caller: " 192.0.2.1", keyed: false });
    await turn();
    const count = (caller: string) => begun.filter((each) => each === caller).length;
    expect([count("account"), count(" 192.0.2.1")]).toEqual([4, 2]);
    expect(admission.counts()).toMatchObject({ running: 6, waiting: 14 });
  });

  test("is begun in turn by caller, however many requests one of them has", async () => {
    const { begun, call: sendRequest, endOne } = admissionOf({ places: 1, placesOfAccount: 1 });
    for (let each = 1; each <= 5; each++) void sendRequest({ caller: "burst" }, `burst ${each}`);
    for (const caller of ["one", "two"]) void sendRequest({ caller });
    await turn();
    for (let each = 0; each < 6; each++) await endOne();
    expect(begun).toEqual(["burst 1", "burst 2", "one", "two", "burst 3", "burst 4", "burst 5"]);
  });

  test("of addresses leaves places to accounts", async () => {
    const { begun, call: sendRequest } = admissionOf({ places: 4, keylessPlaces: 2, placesOfAddress: 2 });
    for (let each = 0; each < 20; each++) void sendRequest({ caller: ` 192.0.2.${each}`, keyed: false });
    await turn();
    expect(begun).toHaveLength(2);
    for (const caller of ["a", "b"]) void sendRequest({ caller });
    await turn();
    expect(begun.slice(2)).toEqual(["a", "b"]);
  });

  test("leaves its place to others while it waits for the outside world, but not its own caller's", async () => {
    const { admission, begun, call: sendRequest } = admissionOf({ places: 2, placesOfAccount: 2 });
    const slow = Promise.withResolvers<void>();
    const connection = { isGone: () => false, isBackedUp: () => false };
    const work = { operation: "Look", caller: "slow", keyed: true, connection };
    const looks = Array.from({ length: 2 }, () => admission.run(work, () => outside(() => slow.promise)));
    void sendRequest({ caller: "slow" }, "third of the slow one");
    for (const caller of ["a", "b", "c"]) void sendRequest({ caller });
    await turn();
    expect(begun).toEqual(["a", "b"]);
    slow.resolve();
    await Promise.all(looks);
    await turn();
    // Jobs that are back inside hold a place again, so no further job begins.
    expect([begun, admission.counts().running]).toEqual([["a", "b"], 2]);
  });

  test("holds up nothing that is done at once", async () => {
    const { admission, call: sendRequest } = admissionOf({ places: 1, placesOfAccount: 1 });
    const work = (caller: string): Work => ({
      ...{ operation: "AtOnce", caller, keyed: true },
      connection: { isGone: () => false, isBackedUp: () => false },
    });
    // Seen once, it is known to need no place.
    expect(await admission.run(work("a"), async () => 1)).toBe(1);
    void sendRequest({ caller: "slow" });
    void sendRequest({ caller: "slow" });
    await turn();
    expect(await admission.run(work("slow"), async () => 2)).toBe(2);
    expect(await admission.run(work("b"), async () => 3)).toBe(3);
  });
});

describe("work in pieces", () => {
  const unbounded = { pauseMs: 2 ** 31 - 1 };
  const pausing = ({ pause }: Admission) => {
    let isOver = false;
    void pause().then(() => {
      isOver = true;
    });
    return () => isOver;
  };

  test("continues at once while no other work runs", async () => {
    const { admission } = admissionOf(unbounded);
    const isOver = pausing(admission);
    expect(isOver()).toBe(false);
    await turn();
    expect(isOver()).toBe(true);
  });

  test("lets all requests go first, those that wait for their turn included", async () => {
    const { admission, call: sendRequest, endOne } = admissionOf({ ...unbounded, places: 1, placesOfAccount: 1 });
    for (const caller of ["a", "b"]) void sendRequest({ caller });
    const pieces = [pausing(admission), pausing(admission)];
    const seen: boolean[][] = [];
    await turn();
    for (let ended = 0; ended < 2; ended++) {
      await endOne();
      seen.push(pieces.map((isOver) => isOver()));
    }
    expect(seen).toEqual([
      [false, false],
      [true, true],
    ]);
  });

  test("does not wait for work that waits for the outside world", async () => {
    const { admission } = admissionOf(unbounded);
    const connection = { isGone: () => false, isBackedUp: () => false };
    const never = new Promise<void>(() => undefined);
    void admission.run({ operation: "Look", caller: "a", keyed: true, connection }, () => outside(() => never));
    const isOver = pausing(admission);
    await turn();
    expect(isOver()).toBe(true);
  });

  test("continues after a short delay while other work is always pending", async () => {
    const { admission, begun, call: sendRequest } = admissionOf({ pauseMs: 1 });
    void sendRequest({ caller: "for ever" });
    await turn();
    await admission.pause();
    expect([begun, admission.counts().running]).toEqual([["for ever"], 1]);
  });
});

describe("A request whose caller has gone", () => {
  test("is never begun, and gives up its place in the line", async () => {
    const { admission, begun, call: sendRequest, endOne } = admissionOf({ places: 1, waitingOfCaller: 3 });
    let gone = false;
    const held = sendRequest({ caller: "a" }, "held");
    const left = [1, 2, 3].map((each) => sendRequest({ caller: "a", gone: () => gone }, `left ${each}`));
    gone = true;
    const next = sendRequest({ caller: "a" }, "next");
    await turn();
    await endOne();
    await endOne();
    expect(await Promise.all([held, next, ...left])).toEqual(["held", "next", ...left.map(() => "RequestAborted")]);
    expect(begun).toEqual(["held", "next"]);
    expect(admission.counts()).toMatchObject({ running: 0, waiting: 0, abandoned: 3, shed: { keyed: 0, keyless: 0 } });
  });

  test("costs next to nothing", async () => {
    const { admission, call: sendRequest } = admissionOf({ places: 1, waitingOfCaller: 100_000, waiting: 100_000 });
    void sendRequest({ caller: "a" });
    let gone = false;
    const left = Array.from({ length: 5_000 }, () => sendRequest({ caller: "a", gone: () => gone }));
    gone = true;
    const before = process.cpuUsage();
    await Promise.all(left);
    const { user, system } = process.cpuUsage(before);
    expect(admission.counts().abandoned).toBe(5_000);
    // At most 1 ms each is asked for; it is a hundredth of that.
    expect((user + system) / 1_000 / 5_000).toBeLessThan(1);
  });
});

describe("a request that cannot be served in time", () => {
  test("costs no look through all that wait", async () => {
    const { call: sendRequest } = admissionOf({ places: 1, waitingOfCaller: 1_000 });
    let looks = 0;
    const gone = () => {
      looks += 1;
      return false;
    };
    for (let each = 0; each <= 1_000; each++) void sendRequest({ caller: "a", gone });
    const [before, begun] = [looks, performance.now()];
    const rejected = Array.from({ length: 1_000 }, () => sendRequest({ caller: "a", gone }));
    // One look through the line every 10 ms.
    expect(looks - before).toBeLessThanOrEqual(1_000 * (1 + (performance.now() - begun) / 10));
    expect(new Set(await Promise.all(rejected))).toEqual(new Set(["Overloaded"]));
  });

  test("is rejected at once if its caller has too many waiting, and no other caller is", async () => {
    const { admission, begun, call: sendRequest } = admissionOf({ places: 2, placesOfAccount: 1, waitingOfCaller: 2 });
    const burst = Array.from({ length: 5 }, () => sendRequest({ caller: "burst" }));
    void sendRequest({ caller: "other" });
    expect(await Promise.all(burst.slice(3))).toEqual(["Overloaded", "Overloaded"]);
    await turn();
    expect(begun).toEqual(["burst", "other"]);
    expect(admission.counts().shed).toEqual({ keyed: 2, keyless: 0 });
  });

  test("is dropped from the end of the longest queue if all callers have too many waiting", async () => {
    const { call: sendRequest } = admissionOf({ places: 1, waiting: 4 });
    void sendRequest({ caller: "held" });
    const burst = Array.from({ length: 4 }, () => sendRequest({ caller: "burst", keyed: false }));
    void sendRequest({ caller: "other" });
    expect(await burst[3]).toBe("Overloaded");
  });

  test("is refused when its time is over", async () => {
    const { admission, call: sendRequest } = admissionOf({ places: 1, deadlineMs: 100 });
    void sendRequest({ caller: "a" });
    expect(await sendRequest({ caller: "b" })).toBe("Overloaded");
    expect(admission.counts().waiting).toBe(0);
  });

  test("is refused before that where the line is as slow as that", async () => {
    const { admission, call: sendRequest } = admissionOf({ places: 1, deadlineMs: 3_000 });
    void sendRequest({ caller: "a" });
    const line = Array.from({ length: 200 }, () => sendRequest({ caller: "a" }));
    expect(await line[199]).toBe("Overloaded");
    // None was begun in a second: two may be in the next two.
    expect(admission.counts().waiting).toBeGreaterThan(0);
  });

  test("a connection whose answers wait for their reader has no further one worked out for it", async () => {
    const { begun, call: sendRequest } = admissionOf();
    let backedUp = true;
    const waiting = sendRequest({ caller: "a", backedUp: () => backedUp }, "slow reader");
    void sendRequest({ caller: "a" }, "other connection");
    await turn();
    expect(begun).toEqual(["other connection"]);
    backedUp = false;
    await Promise.race([waiting, new Promise((resolve) => setTimeout(resolve, 200))]);
    expect(begun).toEqual(["other connection", "slow reader"]);
  });
});

test.each(["itself", "what follows it"])(
  "work of which %s takes the thread lets others have their turn before the next",
  async (what) => {
    const admission = createAdmission();
    const order: string[] = [];
    const connection = { isGone: () => false, isBackedUp: () => false };
    const heavy = () => {
      const until = performance.now() + 2;
      while (performance.now() < until);
      order.push("work");
    };
    const jobs = Array.from({ length: 5 }, async () => {
      const work = { operation: "Heavy", caller: "a", keyed: true, connection };
      await admission.run(work, async () => {
        if (what === "itself") heavy();
      });
      if (what !== "itself") heavy();
    });
    const other = new Promise((resolve) => setImmediate(resolve)).then(() => order.push("other"));
    await Promise.all([...jobs, other]);
    expect(order.slice(0, 3)).toContain("other");
  },
);
