import fc from "fast-check";
import { expect, test } from "vitest";
import { UpstreamError } from "../../src/egress/upstream-error.ts";
import { type ReadThroughOptions, readThrough } from "../../src/upstream/read-through.ts";

const start = Date.UTC(2026, 10, 1);

/** A cache over a recording upstream, whose time passes only on demand. */
function cache(options: Partial<ReadThroughOptions<string, string | undefined>> = {}) {
  const requested: string[] = [];
  const time = { now: start };
  const through = readThrough<string, string | undefined>({
    key: (subject) => subject,
    ttlMs: () => 1_000,
    maxEntries: 100,
    maxConcurrency: 100,
    clock: () => new Date(time.now),
    ...options,
    call: (subject) => {
      requested.push(subject);
      return options.call ? options.call(subject) : Promise.resolve(`answer ${requested.length}`);
    },
  });
  return { ...through, requested, time };
}

test("an answer is kept for as long as it says, to the millisecond", async () => {
  const { read, requested, time } = cache();
  expect(await read("a")).toBe("answer 1");
  time.now = start + 1_000;
  expect(await read("a")).toBe("answer 1");
  time.now = start + 1_001;
  expect(await read("a")).toBe("answer 2");
  expect(requested).toEqual(["a", "a"]);
});

test("that there is nothing is an answer and is kept", async () => {
  const { read, requested } = cache({ call: async () => undefined });
  expect([await read("a"), await read("a")]).toEqual([undefined, undefined]);
  expect(requested).toHaveLength(1);
});

test("how long an answer is kept may depend on it", async () => {
  const { read, requested, time } = cache({
    call: async (subject) => (subject === "none" ? undefined : subject),
    ttlMs: (response) => (response === undefined ? 10 : 1_000),
  });
  for (const subject of ["none", "some"]) await read(subject);
  time.now = start + 500;
  for (const subject of ["none", "some"]) await read(subject);
  expect(requested).toEqual(["none", "some", "none"]);
});

test("fifty who ask for the same at once share one request, and one failure", async () => {
  const { read, requested } = cache();
  const responses = await Promise.all(Array.from({ length: 50 }, () => read("a")));
  expect(new Set(responses)).toEqual(new Set(["answer 1"]));
  expect(requested).toHaveLength(1);
  const broken = cache({ call: () => Promise.reject(new UpstreamError("down")) });
  const results = await Promise.allSettled(Array.from({ length: 50 }, () => broken.read("a")));
  expect(results.every(({ status }) => status === "rejected")).toBe(true);
  expect(broken.requested).toHaveLength(1);
});

test("a failure is never kept: the next one asks again", async () => {
  let tries = 0;
  const { read, requested } = cache({
    call: async () => {
      if (++tries === 1) throw new UpstreamError("down");
      return "up";
    },
  });
  await expect(read("a")).rejects.toThrow("down");
  expect(await read("a")).toBe("up");
  expect(requested).toHaveLength(2);
});

test("what was forgotten is asked for again", async () => {
  const { read, forget, requested } = cache();
  await read("a");
  forget("a");
  expect(await read("a")).toBe("answer 2");
  expect(requested).toHaveLength(2);
});

test("subjects with the same key are the same, and only those", async () => {
  const { read, requested } = cache({ key: (subject) => subject.toLowerCase() });
  await Promise.all(["A", "a", "b"].map(read));
  expect(requested).toEqual(["A", "b"]);
});

test("who would be one too many is turned away at once, and not those who wait for a request under way", async () => {
  const going = new Map<string, (response: string) => void>();
  const { read, requested } = cache({
    maxConcurrency: 2,
    call: (subject) => new Promise((resolve) => going.set(subject, resolve)),
  });
  const [a, b, again] = [read("a"), read("b"), read("a")];
  await expect(read("c")).rejects.toThrow(UpstreamError);
  for (const [subject, resolve] of going) resolve(subject);
  expect(await Promise.all([a, b, again])).toEqual(["a", "b", "a"]);
  const later = read("c");
  going.get("c")?.("c");
  expect(await later).toBe("c");
  expect(requested).toEqual(["a", "b", "c"]);
});

test("a waiting caller receives a response even if it is evicted in the meantime, and the cache stays bounded", async () => {
  const { read, requested } = cache({ maxEntries: 2, call: async (subject) => subject });
  const subjects = ["a", "b", "c", "d"];
  expect(await Promise.all(subjects.map(read))).toEqual(subjects);
  requested.length = 0;
  for (const subject of ["d", "c", "b", "a"]) await read(subject);
  expect(requested.length).toBeGreaterThanOrEqual(2);
});

test("whatever is asked in whatever order, every answer is the subject's own and no older than it may be", async () => {
  const step = fc.record({ subject: fc.constantFrom("a", "b", "c"), later: fc.integer({ min: 0, max: 700 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const time = { now: start };
      const { read } = readThrough<string, readonly [string, number]>({
        ...{ key: (subject) => subject, ttlMs: () => 1_000, maxEntries: 2, maxConcurrency: 5 },
        call: async (subject) => [subject, time.now],
        clock: () => new Date(time.now),
      });
      for (const { subject, later } of steps) {
        time.now += later;
        const [own, at] = await read(subject);
        expect(own).toBe(subject);
        expect(time.now - at).toBeLessThanOrEqual(1_000);
      }
    }),
  );
});

test.each([
  ["as long as it says", 7, 7_000],
  ["30 seconds where it does not say", undefined, 30_000],
  ["five minutes at most", 86_400, 300_000],
])(
  "an upstream that was called too often is paused %s, for any caller and subject",
  async (_, retryAfterSeconds, ms) => {
    const busy = new UpstreamError("busy", { status: 429, ...(retryAfterSeconds && { retryAfterSeconds }) });
    const rejections = [busy];
    const { read, requested, time } = cache({
      call: async (subject) => {
        const rejection = rejections.pop();
        if (rejection) throw rejection;
        return subject;
      },
    });
    await expect(read("a")).rejects.toBe(busy);
    time.now = start + ms - 1;
    await expect(read("a")).rejects.toBe(busy);
    await expect(read("b")).rejects.toBe(busy);
    expect(requested).toEqual(["a"]);
    time.now = start + ms;
    expect([await read("a"), await read("b")]).toEqual(["a", "b"]);
  },
);

test("after any other failure the upstream is asked again at once", async () => {
  const errors = [new UpstreamError("down"), new UpstreamError("broken", { status: 500 })];
  const { read } = cache({ call: async (subject) => Promise.reject(errors.pop() ?? new Error(subject)) });
  await expect(read("a")).rejects.toThrow("broken");
  await expect(read("a")).rejects.toThrow("down");
  await expect(read("a")).rejects.toThrow("a");
});
