import { expect, test } from "vitest";
import { UpstreamError } from "../../src/egress/upstream-error.ts";
import { virtualHosts } from "./virtual-hosts.ts";

const url = "https://data.example/a";
const other = "https://data.example/b";
const rejected = (error: unknown) => error as UpstreamError;

test("requests to one host are spaced, whatever their sender, and those to another are not", async () => {
  const { client, sent, run } = virtualHosts(() => ({}));
  const [one, two] = [client(), client()];
  await run(Promise.all([one.text({ url }), two.text({ url: other }), one.text({ url: "https://else.example/" })]));
  await run(two.text({ url }));
  expect(sent.map(({ host, at }) => [host, at])).toEqual([
    ["data.example", 0],
    ["else.example", 0],
    ["data.example", 0.25],
    ["data.example", 0.5],
  ]);
});

test("a host without recent requests is called at once", async () => {
  const { client, sent, run, later } = virtualHosts(() => ({}));
  await run(client().text({ url }));
  later(10);
  await run(client().text({ url }));
  expect(sent.map(({ at }) => at)).toEqual([0, 10]);
});

test("spacings are longer at random, by a tenth at most", async () => {
  const { client, sent, run } = virtualHosts(() => ({}), { random: () => 1 });
  await run(Promise.all([client().text({ url }), client().text({ url })]));
  expect(sent.map(({ at }) => at)).toEqual([0, 0.275]);
});

test("the larger spacing that a source declares holds for all who ask its host", async () => {
  const { client, sent, run } = virtualHosts(() => ({}));
  const slow = client({ pace: { spacingMs: 3_000 } });
  await run(Promise.all([slow.text({ url }), client().text({ url }), slow.text({ url })]));
  expect(sent.map(({ at }) => at)).toEqual([0, 3, 6]);
});

test("where one thing is asked at a time the spacing begins with the answer", async () => {
  const { client, sent, run } = virtualHosts(() => ({ after: 7 }));
  const pace = { spacingMs: 5_000, oneAtATime: true } as const;
  await run(Promise.all([client({ pace }).text({ url }), client({ pace }).text({ url })]));
  expect(sent.map(({ at }) => at)).toEqual([0, 12]);
});

test("what a caller waits for is asked before everything that refreshes ask", async () => {
  const requested: string[] = [];
  const { client, run } = virtualHosts(({ pathname }) => {
    requested.push(pathname);
    return {};
  });
  const refresh = client({ pace: { spacingMs: 3_000 } });
  const pages = ["1", "2", "3"].map((page) => refresh.text({ url: `https://data.example/${page}` }));
  const lookup = client().text({ url, callerWaits: true, timeoutMs: 8_000 });
  await run(Promise.all([...pages, lookup]));
  expect(requested).toEqual(["/1", "/a", "/2", "/3"]);
});

test("what a caller waits for fails at once where its turn would come too late", async () => {
  const { client, sent, run } = virtualHosts(() => ({}));
  const source = client({ pace: { spacingMs: 3_000 } });
  const requested = [1, 2, 3, 4].map(() => source.text({ url, callerWaits: true, timeoutMs: 8_000 }));
  const ended = await run(Promise.allSettled(requested));
  expect(ended.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled", "rejected"]);
  await expect(requested[3]).rejects.toMatchObject({
    message: "data.example has too many requests waiting",
    ...{ kind: "over quota", unsent: true },
  });
  expect(sent.map(({ at }) => at)).toEqual([0, 3, 6]);
});

test("a host that keeps rejecting is paused for longer each time, six hours at most, until it responds", async () => {
  let status = 403;
  const { client, sent, run, later } = virtualHosts(() => ({ status }));
  const fail = () => run(client().text({ url }).catch(rejected)) as Promise<UpstreamError>;
  for (const minutes of [1, 5, 30, 120, 360, 360]) {
    const before = sent.length;
    expect(await fail()).toMatchObject({ status: 403, retryAfterSeconds: minutes * 60, unsent: false });
    later(minutes * 60 - 10);
    expect(await fail()).toMatchObject({ status: 403, retryAfterSeconds: 10, unsent: true, kind: "refused" });
    expect(sent).toHaveLength(before + 1);
    later(10);
  }
  status = 200;
  await run(client().text({ url }));
  status = 403;
  expect(await fail()).toMatchObject({ retryAfterSeconds: 60 });
});

test("a rejection says until when the host is paused, and so does every request that is not sent", async () => {
  const { client, run } = virtualHosts(() => ({ status: 403 }));
  const words = () =>
    run(
      client()
        .text({ url })
        .catch((error: UpstreamError) => error.message),
    );
  expect(await words()).toBe("data.example answered 403; it is paused until 2026-11-18T12:01:00Z");
  expect(await words()).toBe("data.example is paused until 2026-11-18T12:01:00Z: it answered 403");
});

test("another host receives requests in the meantime", async () => {
  const { client, run } = virtualHosts(({ host }) => ({ status: host === "data.example" ? 403 : 200 }));
  await run(client().text({ url }).catch(rejected));
  expect(await run(client().text({ url: "https://else.example/" }))).toBe("{}");
});

test.each([
  ["90", 90],
  ["0", 1],
  ["Wed, 18 Nov 2026 13:00:00 GMT", 3_600],
  ["999999", 6 * 3_600],
])("with a Retry-After of %s it is paused for %i seconds", async (value, seconds) => {
  const { client, run } = virtualHosts(() => ({ status: 403, headers: { "Retry-After": value } }));
  expect(await run(client().text({ url }).catch(rejected))).toMatchObject({ retryAfterSeconds: seconds });
});

test("what a caller waits for is not taken away for longer than five minutes, and is never waited for", async () => {
  const { client, sent, run } = virtualHosts(() => ({ status: 429, headers: { "Retry-After": "7200" } }));
  const lookup = () => run(client().text({ url, callerWaits: true, tries: 1 }).catch(rejected));
  expect(await lookup()).toMatchObject({ status: 429, retryAfterSeconds: 300 });
  expect(await lookup()).toMatchObject({ status: 429, unsent: true, kind: "over quota" });
  expect(sent).toHaveLength(1);
});

test("a refresh with too many requests waits a minute and retries, with all later requests behind it", async () => {
  const { client, sent, run } = virtualHosts((_url, number) => ({ status: number === 1 ? 429 : 200 }));
  await run(Promise.all([client().text({ url }), client().text({ url: other })]));
  expect(sent.map(({ at }) => at)).toEqual([0, 60, 60.25]);
});

test("the second rejection in a row fails it, and the host receives no requests in the meantime", async () => {
  const { client, sent, run } = virtualHosts(() => ({ status: 429 }));
  const [first, second] = await run(
    Promise.all([client().text({ url }).catch(rejected), client().text({ url: other }).catch(rejected)]),
  );
  expect(first).toMatchObject({ status: 429, retryAfterSeconds: 300, unsent: false });
  expect(second).toMatchObject({ status: 429, unsent: true, kind: "over quota" });
  expect(sent.map(({ at }) => at)).toEqual([0, 60]);
});

test("a 403 that a source takes for being asked too often is waited for, and any other is not", async () => {
  const response = (_url: URL, number: number) => ({ status: number === 1 ? 403 : 200 });
  const burst = virtualHosts(response);
  await burst.run(burst.client({ pace: { spacingMs: 3_000, tooOften: [403] } }).text({ url }));
  expect(burst.sent.map(({ at }) => at)).toEqual([0, 60]);
  const forbidden = virtualHosts(response);
  await expect(forbidden.run(forbidden.client().text({ url }))).rejects.toMatchObject({ status: 403 });
  expect(forbidden.sent).toHaveLength(1);
});

test("a sentence that says so in a success is a 429", async () => {
  const { client, sent, run } = virtualHosts((_url, number) => ({
    body: number === 1 ? "Please limit requests to one every 5 seconds." : "[]",
  }));
  expect(await run(client().text({ url, tooOften: /limit requests/ }))).toBe("[]");
  expect(sent.map(({ at }) => at)).toEqual([0, 60]);
});

test("a missing resource is not a rejection, so the next one counts as the first again", async () => {
  const statuses = [403, 404, 403];
  const { client, run, later } = virtualHosts((_url, number) => ({ status: statuses[number - 1] ?? 200 }));
  const rests: unknown[] = [];
  for (const _ of statuses) {
    rests.push(((await run(client().text({ url }).catch(rejected))) as UpstreamError).retryAfterSeconds);
    later(61);
  }
  expect(rests).toEqual([60, undefined, 60]);
});

test("every try takes one of the day's requests, a 304 as well; without one nothing is sent and nothing is tried again", async () => {
  let left = 3;
  const responses = [{ status: 503 }, { headers: { ETag: '"1"' } }, { status: 304 }];
  const { client, sent, run } = virtualHosts((_url, number) => responses[number - 1] ?? {});
  const upstream = client({
    async takeRequest() {
      if (left-- === 0) throw new UpstreamError("spent", { kind: "over quota", unsent: true });
    },
  });
  await run(upstream.text({ url }));
  await run(upstream.text({ url }));
  await expect(run(upstream.text({ url }))).rejects.toMatchObject({ message: "spent", unsent: true });
  expect(sent).toHaveLength(3);
  expect(await run(client().text({ url }))).toBe("{}");
});
