import { describe, expect, test } from "vitest";
import { FairQueue, type FairQueueLimits } from "../../../src/http/load/fair-queue.ts";
import type { Lane, Task } from "../../../src/http/load/task.ts";

interface Requested {
  readonly caller: string;
  readonly lane?: Lane;
  readonly isKeyed?: boolean;
  readonly waitsOutside?: boolean;
  readonly isGone?: () => boolean;
  readonly isBackedUp?: () => boolean;
}

const no = () => false;

function taskOf({
  caller,
  lane = "api",
  isKeyed = true,
  waitsOutside = false,
  isGone = no,
  isBackedUp = no,
}: Requested): Task {
  return { caller, lane, isKeyed, waitsOutside, client: { isGone, isBackedUp } };
}

/** A queue with jobs that the test ends, and the names of the started ones. */
function queueOf(limits: Partial<FairQueueLimits> = {}) {
  const queue = new FairQueue(limits);
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const request = async (requested: Requested, name = requested.caller): Promise<string> => {
    const job = () => {
      started.push(name);
      return new Promise<string>((resolve) => ends.push(() => resolve(name)));
    };
    const response = async () => queue.run(taskOf(requested), job);
    return response().catch((error: Error) => error.name);
  };
  const endOne = async () => {
    ends.shift()?.();
    await ticks();
  };
  return { queue, started, request, endOne };
}

/** Waits for enough ticks of the event loop that everything that may start has started. */
async function ticks(): Promise<void> {
  for (let each = 0; each < 30; each++) await new Promise((resolve) => setImmediate(resolve));
}

function busy(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

describe("The concurrency", () => {
  test("is limited in total, per account, and per address", async () => {
    const limits = { concurrency: 6, keylessConcurrency: 3, concurrencyPerAccount: 4, concurrencyPerAddress: 2 };
    const { queue, started, request } = queueOf(limits);
    for (let each = 0; each < 10; each++) void request({ caller: "account" });
    for (let each = 0; each < 10; each++) void request({ caller: " 192.0.2.1", isKeyed: false });
    await ticks();
    const count = (caller: string) => started.filter((each) => each === caller).length;
    expect([count("account"), count(" 192.0.2.1")]).toEqual([4, 2]);
    expect(queue.counts()).toMatchObject({ running: 6, waiting: 14 });
  });

  test("of addresses leaves room for accounts", async () => {
    const { started, request } = queueOf({ concurrency: 4, keylessConcurrency: 2, concurrencyPerAddress: 2 });
    for (let each = 0; each < 20; each++) void request({ caller: ` 192.0.2.${each}`, isKeyed: false });
    await ticks();
    expect(started).toHaveLength(2);
    for (const caller of ["a", "b"]) void request({ caller });
    await ticks();
    expect(started.slice(2)).toEqual(["a", "b"]);
  });

  test("of all ignores tasks that may wait for other servers, but that of their caller does not", async () => {
    const { started, request } = queueOf({ concurrency: 2, concurrencyPerAccount: 2 });
    for (const name of ["1", "2", "3"]) void request({ caller: "slow", waitsOutside: true }, name);
    for (const caller of ["a", "b", "c"]) void request({ caller });
    await ticks();
    expect(new Set(started)).toEqual(new Set(["1", "2", "a", "b"]));
  });

  test("of pages is separate from that of programs", async () => {
    const { started, request } = queueOf({ concurrency: 1, pages: 1 });
    for (const lane of ["api", "page"] as const)
      for (const caller of ["a", "b"]) void request({ caller, lane }, `${lane} ${caller}`);
    await ticks();
    expect(started).toEqual(["api a", "page a"]);
  });
});

describe("The order", () => {
  test("alternates between callers, however many requests one of them sends", async () => {
    const { started, request, endOne } = queueOf({ concurrency: 1, concurrencyPerAccount: 1 });
    for (let each = 1; each <= 5; each++) void request({ caller: "burst" }, `burst ${each}`);
    for (const caller of ["one", "two"]) void request({ caller });
    await ticks();
    for (let each = 0; each < 6; each++) await endOne();
    expect(started.slice(1, 4)).toEqual(expect.arrayContaining(["one", "two"]));
    expect(started.filter((name) => name.startsWith("burst"))).toEqual([1, 2, 3, 4, 5].map((each) => `burst ${each}`));
  });

  test("counts the time of tasks instead of their number", async () => {
    const { queue } = queueOf();
    const order: string[] = [];
    const run = (caller: string, milliseconds: number) =>
      queue.run(taskOf({ caller }), () => {
        order.push(caller);
        busy(milliseconds);
      });
    const all = Array.from({ length: 5 }, () => run("expensive", 20));
    for (let each = 0; each < 20; each++) all.push(run("cheap", 0.2));
    await Promise.all(all);
    expect(order.indexOf("cheap")).toBeLessThanOrEqual(2);
    // The cheap tasks take 4 ms in all.
    expect(
      order.slice(0, order.lastIndexOf("cheap")).filter((name) => name === "expensive").length,
    ).toBeLessThanOrEqual(3);
  });

  // Other programs of the machine may interrupt a task, whose time is then measured as longer.
  test("gives programs two thirds of the time while pages wait too", { retry: 3 }, async () => {
    const { queue } = queueOf();
    const order: Lane[] = [];
    const run = (lane: Lane, caller: number) =>
      queue.run(taskOf({ caller: `${caller}`, lane }), () => {
        order.push(lane);
        busy(3);
      });
    await Promise.all(
      (["page", "api"] as const).flatMap((lane) => Array.from({ length: 20 }, (_, each) => run(lane, each))),
    );
    const first = order.slice(0, 24).filter((lane) => lane === "api").length;
    expect(first).toBeGreaterThanOrEqual(13);
    expect(first).toBeLessThanOrEqual(19);
  });
});

describe("A task of a disconnected client", () => {
  test("never starts, and leaves the queue", async () => {
    const { queue, started, request, endOne } = queueOf({ concurrency: 1 });
    let hasLeft = false;
    const first = request({ caller: "a" }, "first");
    const left = [1, 2, 3].map((each) => request({ caller: "a", isGone: () => hasLeft }, `left ${each}`));
    hasLeft = true;
    const next = request({ caller: "a" }, "next");
    await ticks();
    await endOne();
    await endOne();
    expect(await Promise.all([first, next, ...left])).toEqual(["first", "next", ...left.map(() => "RequestAborted")]);
    expect(started).toEqual(["first", "next"]);
    expect(queue.counts()).toMatchObject({ running: 0, waiting: 0, abandoned: 3, shed: { keyed: 0, keyless: 0 } });
  });

  test("costs less than a millisecond", async () => {
    const { queue, request } = queueOf({ concurrency: 1, maxQueuedPerCaller: 100_000, maxQueued: 100_000 });
    void request({ caller: "a" });
    let hasLeft = false;
    const left = Array.from({ length: 5_000 }, () => request({ caller: "a", isGone: () => hasLeft }));
    hasLeft = true;
    const before = process.cpuUsage();
    await Promise.all(left);
    const { user, system } = process.cpuUsage(before);
    expect(queue.counts().abandoned).toBe(5_000);
    expect((user + system) / 1_000 / 5_000).toBeLessThan(1);
  });
});

describe("Under overload", () => {
  test("a rejection looks at no queued task", async () => {
    const { request } = queueOf({ concurrency: 1, maxQueuedPerCaller: 1_000 });
    let looks = 0;
    const isGone = () => {
      looks += 1;
      return false;
    };
    for (let each = 0; each <= 1_000; each++) void request({ caller: "a", isGone });
    const before = looks;
    const rejected = Array.from({ length: 1_000 }, () => request({ caller: "a", isGone }));
    expect(looks).toBe(before);
    expect(new Set(await Promise.all(rejected))).toEqual(new Set(["Overloaded"]));
  });

  test("only the caller with too many queued tasks is rejected, immediately", async () => {
    const { queue, started, request } = queueOf({ concurrency: 2, concurrencyPerAccount: 1, maxQueuedPerCaller: 2 });
    const burst = Array.from({ length: 5 }, () => request({ caller: "burst" }));
    void request({ caller: "other" });
    expect(await Promise.all(burst.slice(3))).toEqual(["Overloaded", "Overloaded"]);
    await ticks();
    expect(started).toEqual(["burst", "other"]);
    expect(queue.counts().shed).toEqual({ keyed: 2, keyless: 0 });
  });

  test("the caller with the longest queue loses its newest task to another caller", async () => {
    const { request } = queueOf({ concurrency: 1, maxQueued: 4 });
    void request({ caller: "running" });
    const burst = Array.from({ length: 4 }, () => request({ caller: "burst", isKeyed: false }));
    void request({ caller: "other" });
    expect(await burst[3]).toBe("Overloaded");
  });

  test("a task is rejected at its deadline", async () => {
    const { queue, request } = queueOf({ concurrency: 1, deadlineMs: 100 });
    void request({ caller: "a" });
    expect(await request({ caller: "b" })).toBe("Overloaded");
    expect(queue.counts().waiting).toBe(0);
  });

  test("a task is rejected before its deadline if its queue is too slow", async () => {
    const { queue, request } = queueOf({ concurrency: 1, deadlineMs: 3_000 });
    void request({ caller: "a" });
    const queued = Array.from({ length: 50 }, () => request({ caller: "a" }));
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(() => queue.requireRoom(taskOf({ caller: "a" }))).toThrow("Too many requests are waiting");
    expect(queue.counts().waiting).toBe(queued.length);
  });

  test("a connection with unread responses gets no further one, and delays no other", async () => {
    const { started, request } = queueOf();
    let isBackedUp = true;
    const waiting = request({ caller: "a", isBackedUp: () => isBackedUp }, "slow reader");
    void request({ caller: "a" }, "other connection");
    await ticks();
    expect(started).toEqual(["other connection"]);
    isBackedUp = false;
    await Promise.race([waiting, new Promise((resolve) => setTimeout(resolve, 200))]);
    expect(started).toEqual(["other connection", "slow reader"]);
  });
});

test.each(["the task", "the code after the task"])(
  "if %s takes long, input is handled before the next task",
  async (what) => {
    const queue = new FairQueue();
    const order: string[] = [];
    const work = () => {
      busy(2);
      order.push("work");
    };
    const jobs = Array.from({ length: 5 }, async () => {
      await queue.run(taskOf({ caller: "a" }), async () => {
        if (what === "the task") work();
      });
      if (what !== "the task") work();
    });
    const other = new Promise((resolve) => setImmediate(resolve)).then(() => order.push("other"));
    await Promise.all([...jobs, other]);
    expect(order.slice(0, 3)).toContain("other");
  },
);
