import type { RequestListener } from "node:http";
import fc from "fast-check";
import { expect, test } from "vitest";
import { UpstreamError } from "../../src/egress/upstream-error.ts";
import { ConfigurationError } from "../../src/errors.ts";
import { liveUpstream, retryAfterSeconds } from "../../src/upstream/live.ts";
import { startLoopback } from "./loopback.ts";

const url = "https://data.example.org/v1/list?api_key=topsecret";
const request = { url, headers: { authorization: "Bearer topsecret" } };

const status =
  (code: number, headers: Record<string, string> = {}, body = ""): RequestListener =>
  (_request, response) =>
    void response.writeHead(code, headers).end(body);
const json = status(200, {}, '{"n":1}');

test("a request carries our name without an address that is not ours, and the source's own headers", async () => {
  await using outside = await startLoopback([json]);
  expect(await outside.upstream.json(request)).toEqual({ n: 1 });
  expect(outside.requests[0]?.headers).toMatchObject({
    "user-agent": "intelligence-data-service/1.0",
    authorization: "Bearer topsecret",
  });
});

test("the name has the contact of the operator or that of the request, and begins like a browser's if the upstream takes no other", async () => {
  await using outside = await startLoopback([json], { contact: "data@example.org" });
  await outside.upstream.json({ url });
  await outside.upstream.json({ url, contact: "ops@example.org" });
  await outside.upstream.json({ url, likeBrowser: true });
  expect(outside.requests.map(({ headers }) => headers["user-agent"])).toEqual([
    "intelligence-data-service/1.0 (data@example.org)",
    "intelligence-data-service/1.0 (ops@example.org)",
    "Mozilla/5.0 (compatible; intelligence-data-service/1.0 (data@example.org))",
  ]);
});

test("a pause between two requests is a wait like any other", async () => {
  await using outside = await startLoopback([json]);
  await outside.upstream.pause?.(1_000);
  expect(outside.waits).toEqual([1_000]);
});

test("a form is posted as one", async () => {
  await using outside = await startLoopback([json]);
  await outside.upstream.text({ url, form: { a: "1 2", b: "ü" } });
  expect(outside.requests).toMatchObject([{ method: "POST", body: "a=1+2&b=%C3%BC" }]);
  expect(outside.requests[0]?.headers["content-type"]).toMatch(/^application\/x-www-form-urlencoded/);
});

test("a body is posted as JSON, and never taken from an earlier answer", async () => {
  const tagged = status(200, { ETag: '"1"' }, "{}");
  await using outside = await startLoopback([tagged]);
  await outside.upstream.json({ url, body: { query: "ü", page: 1 } });
  await outside.upstream.json({ url, body: { query: "ü", page: 2 } });
  expect(outside.requests).toMatchObject([
    { method: "POST", body: '{"query":"ü","page":1}', headers: { "content-type": "application/json" } },
    { method: "POST", body: '{"query":"ü","page":2}' },
  ]);
  expect(outside.requests[1]?.headers["if-none-match"]).toBeUndefined();
});

test("an answer without content is an empty text", async () => {
  await using outside = await startLoopback([status(204)]);
  expect(await outside.upstream.text(request)).toBe("");
});

test("text that isn't UTF-8 is read as Windows-1252, whatever the upstream calls it", async () => {
  const answer: RequestListener = (_request, response) =>
    void response
      .writeHead(200, { "Content-Type": "application/json; charset=utf-8" })
      .end(Buffer.from([0x22, 0xfc, 0x80, 0x22]));
  await using outside = await startLoopback([answer]);
  expect(await outside.upstream.json(request)).toBe("ü€");
});

test("where a media type is demanded, another one is a changed format and is not asked for again", async () => {
  const html = status(200, { "Content-Type": "Text/HTML; charset=utf-8" }, "<p>");
  await using outside = await startLoopback([html, json]);
  expect(await outside.upstream.text({ ...request, mediaType: "text/html" })).toBe("<p>");
  await expect(outside.upstream.text({ ...request, mediaType: "text/html" })).rejects.toThrow(
    "data.example.org answered no media type instead of text/html",
  );
  expect(outside.requests).toHaveLength(2);
});

test.each([500, 502, 503])("%i is tried again twice, and then the answer counts", async (code) => {
  await using outside = await startLoopback([status(code), status(code), json]);
  expect(await outside.upstream.json(request)).toEqual({ n: 1 });
  expect(outside.waits).toHaveLength(2);
});

test("after three tries the failure counts, with its status", async () => {
  await using outside = await startLoopback([status(503)]);
  await expect(outside.upstream.text(request)).rejects.toMatchObject({
    name: "UpstreamError",
    message: "data.example.org answered 503",
    status: 503,
  });
  expect(outside.requests).toHaveLength(3);
});

test("pauses double, and lie between the half and the whole of their length", async () => {
  const chance = fc.double({ min: 0, max: 1, noNaN: true });
  await fc.assert(
    fc.asyncProperty(chance, async (random) => {
      await using outside = await startLoopback([status(500)], { random: () => random });
      await expect(outside.upstream.text({ ...request, tries: 4 })).rejects.toThrow(UpstreamError);
      expect(outside.waits).toHaveLength(3);
      for (const [index, wait] of outside.waits.entries()) expect(wait).toBeCloseTo(500 * 2 ** index * (1 + random), 6);
    }),
    { numRuns: 10 },
  );
});

test.each([400, 401, 403, 404, 410, 422])("%i is not tried again", async (code) => {
  await using outside = await startLoopback([status(code), json]);
  await expect(outside.upstream.text(request)).rejects.toMatchObject({ status: code });
  expect(outside.requests).toHaveLength(1);
});

test.each([
  ["7", 7_000],
  ["0", 0],
  ["Wed, 18 Nov 2026 12:00:30 GMT", 30_000],
  ["Wed, 18 Nov 2026 11:00:00 GMT", 0],
])("a Retry-After of %s is obeyed", async (value, milliseconds) => {
  await using outside = await startLoopback([status(503, { "Retry-After": value }), json]);
  await outside.upstream.json(request);
  expect(outside.waits).toEqual([milliseconds]);
});

test.each(["91", "3600", "Wed, 18 Nov 2026 12:01:31 GMT"])(
  "a Retry-After of %s is not waited for, but reported",
  async (value) => {
    await using outside = await startLoopback([status(503, { "Retry-After": value }), json]);
    await expect(outside.upstream.text(request)).rejects.toMatchObject({
      retryAfterSeconds: retryAfterSeconds(value, outside.upstream.now),
    });
    expect(outside.waits).toEqual([]);
  },
);

test.each(["-5", "1.5", "soon", "", "2026-11-18", "99999999999"])(
  "a Retry-After of %j says nothing: the usual pause is made",
  async (value) => {
    await using outside = await startLoopback([status(503, { "Retry-After": value }), json]);
    await outside.upstream.json(request);
    expect(outside.waits).toEqual([750]);
  },
);

test("an upstream that stays silent times out after the time in the message", async () => {
  await using outside = await startLoopback([() => undefined]);
  await expect(outside.upstream.text({ url, timeoutMs: 30, tries: 1 })).rejects.toThrow(
    "data.example.org did not answer within 30 ms",
  );
});

test("the time counts for the body as well", async () => {
  const drip: RequestListener = (_request, response) => void response.writeHead(200).write("[1,");
  await using outside = await startLoopback([drip], { maxMs: 50 });
  await expect(outside.upstream.text({ url, timeoutMs: 60_000, tries: 1 })).rejects.toThrow(
    "did not answer within 50 ms",
  );
});

test.each([
  ["declared", status(200, { "Content-Length": "1001" }, "x".repeat(1001))],
  ["streamed", (_request, response) => void ["x".repeat(900), "x".repeat(101)].map((part) => response.write(part))],
] as const satisfies readonly (readonly [string, RequestListener])[])(
  "a body beyond the cap is refused at once when its size is %s",
  async (_how, answer) => {
    await using outside = await startLoopback([answer]);
    const rejected = outside.upstream.text({ url, maxBytes: 1000 });
    await expect(rejected).rejects.toThrow("data.example.org sent more than 1000 bytes");
    expect(outside.requests).toHaveLength(1);
  },
);

test("a body of exactly the cap is taken", async () => {
  await using outside = await startLoopback([status(200, {}, "x".repeat(1000))]);
  expect(await outside.upstream.text({ url, maxBytes: 1000 })).toHaveLength(1000);
});

test.each([301, 302, 303, 307, 308])("a redirect (%i) is refused and not followed", async (code) => {
  await using outside = await startLoopback([status(code, { Location: "https://elsewhere.example/" }), json]);
  await expect(outside.upstream.text(request)).rejects.toThrow(`data.example.org answered ${code}`);
  expect(outside.requests).toHaveLength(1);
});

test("a redirect to the one host that is allowed is followed once, without the request's own headers", async () => {
  const there = status(302, { Location: "https://files.example/list.csv?signature=topsecret" });
  await using outside = await startLoopback([there, status(200, { ETag: '"v1"' }, "a,b"), there, status(304)]);
  const redirecting = { ...request, redirectsTo: "files.example" };
  expect(await outside.upstream.text(redirecting)).toBe("a,b");
  expect(await outside.upstream.text(redirecting)).toBe("a,b");
  expect(outside.requests.map(({ headers }) => headers.authorization)).toEqual([
    "Bearer topsecret",
    undefined,
    "Bearer topsecret",
    undefined,
  ]);
  expect(outside.requests[3]?.headers["if-none-match"]).toBe('"v1"');
});

test.each([
  ["another host", "https://elsewhere.example/"],
  ["plain HTTP", "http://files.example/"],
  ["nowhere", "https://"],
])("a redirect to %s is refused where another one is allowed", async (_what, location) => {
  await using outside = await startLoopback([status(302, { Location: location }), json]);
  await expect(outside.upstream.text({ ...request, redirectsTo: "files.example" })).rejects.toThrow("answered 302");
  expect(outside.requests).toHaveLength(1);
});

test("only the allowed number of redirects is followed, and only to the one host", async () => {
  const moved = (Location: string) => status(302, { Location });
  const first = moved("https://files.example/a");
  const redirecting = { ...request, redirectsTo: "files.example", redirects: 2 };
  await using twice = await startLoopback([first, moved("/b"), status(200, {}, "a,b")]);
  expect(await twice.upstream.text(redirecting)).toBe("a,b");
  expect(twice.requests).toHaveLength(3);
  expect(twice.requests[2]?.headers.authorization).toBeUndefined();
  await using thrice = await startLoopback([first, moved("/b"), moved("/c")]);
  await expect(thrice.upstream.text(redirecting)).rejects.toThrow("answered 302");
  expect(thrice.requests).toHaveLength(3);
  for (const location of ["http://files.example/b", "https://other.example/b", "https://files.example:8443/b"]) {
    await using away = await startLoopback([first, moved(location)]);
    await expect(away.upstream.text(redirecting)).rejects.toThrow("answered 302");
    expect(away.requests).toHaveLength(2);
  }
});

test("a second redirect is refused, and that of a form always", async () => {
  const there = status(307, { Location: "https://files.example/" });
  await using outside = await startLoopback([there]);
  const redirecting = { url, redirectsTo: "files.example" };
  await expect(outside.upstream.text(redirecting)).rejects.toThrow("answered 307");
  expect(outside.requests).toHaveLength(2);
  await expect(outside.upstream.text({ ...redirecting, form: { a: "1" } })).rejects.toThrow("answered 307");
  expect(outside.requests).toHaveLength(3);
});

test.each([
  ["ETag", "If-None-Match", '"v1"'],
  ["Last-Modified", "If-Modified-Since", "Mon, 16 Nov 2026 08:00:00 GMT"],
])("what came with %s is asked for with %s, and a 304 gives it again", async (validator, condition, value) => {
  await using outside = await startLoopback([status(200, { [validator]: value }, '{"n":1}'), status(304)]);
  await outside.upstream.json(request);
  expect(await outside.upstream.json(request)).toEqual({ n: 1 });
  expect(outside.requests.map(({ headers }) => headers[condition.toLowerCase()])).toEqual([undefined, value]);
  // Another page is another body.
  await outside.upstream.text({ url: `${url}&page=2` }).catch(() => undefined);
  expect(outside.requests[2]?.headers[condition.toLowerCase()]).toBeUndefined();
});

test("another form at the same address is another answer", async () => {
  const tagged = status(200, { ETag: '"1"' }, "{}");
  await using outside = await startLoopback([tagged]);
  await outside.upstream.json({ url });
  await outside.upstream.text({ url, accept: "text/csv" });
  await outside.upstream.json({ url });
  expect(outside.requests.map(({ headers }) => headers["if-none-match"])).toEqual([undefined, undefined, '"1"']);
});

test("a redirect is asked for the same form, by the same name", async () => {
  const there = status(302, { Location: "https://files.example/list.csv" });
  await using outside = await startLoopback([there, status(200, {}, "a,b")]);
  await outside.upstream.text({ url, accept: "text/csv", redirectsTo: "files.example", contact: "ops@example.org" });
  const [first, second] = outside.requests.map(({ headers }) => [headers.accept, headers["user-agent"]]);
  expect(second).toEqual(first);
});

test("the answer to a form is never kept", async () => {
  await using outside = await startLoopback([status(200, { ETag: '"v1"' }, "{}")]);
  for (const form of [{ a: "1" }, undefined, { a: "1" }]) await outside.upstream.text({ url, ...(form && { form }) });
  expect(outside.requests.map(({ headers }) => headers["if-none-match"])).toEqual([undefined, undefined, undefined]);
});

test("a 304 that was not asked for is a failure", async () => {
  await using outside = await startLoopback([status(304)]);
  await expect(outside.upstream.text(request)).rejects.toThrow("answered 304");
});

test("HTML where JSON is due says so, and is not asked for again", async () => {
  await using outside = await startLoopback([status(200, {}, "\n<!doctype html><html>Please log in</html>")]);
  await expect(outside.upstream.json(request)).rejects.toThrow(
    "data.example.org answered HTML or XML, which is not JSON",
  );
  expect(outside.requests).toHaveLength(1);
});

test.each([
  ["", "an empty body instead of JSON"],
  [" \n", "an empty body instead of JSON"],
  ['{"n":', "truncated or invalid JSON"],
  ["Too many requests", "something that is not JSON"],
  [Buffer.from('{"n":1}', "utf16le"), "text in UTF-16, which is not JSON"],
  [Buffer.from('\ufeff[{"n":1}]', "utf16le"), "text in UTF-16, which is not JSON"],
  [Buffer.from('{"n":1}', "utf16le").swap16(), "text in UTF-16, which is not JSON"],
])("%j instead of JSON is reported as what it is", async (body, words) => {
  const answer: RequestListener = (_request, response) => void response.writeHead(200).end(body);
  await using outside = await startLoopback([answer]);
  await expect(outside.upstream.json(request)).rejects.toThrow(`data.example.org answered ${words}`);
});

test.each([
  ["https://login.example/in?token=secret", "answered 302 and leads to login.example"],
  ["/other?token=secret", "answered 302 and leads to data.example.org"],
  ["", "answered 302"],
])("a redirect to %j is reported with its host only", async (location, words) => {
  await using outside = await startLoopback([status(302, { Location: location })]);
  const said = await outside.upstream.text(request).catch(String);
  expect(said).toContain(words);
  expect(said).not.toContain("secret");
});

test("a byte order mark before JSON is accepted", async () => {
  await using outside = await startLoopback([status(200, {}, '\ufeff{"n":1}')]);
  expect(await outside.upstream.json(request)).toEqual({ n: 1 });
});

test("half a body is a failure, and is tried again", async () => {
  const half: RequestListener = (_request, response) => {
    response.writeHead(200, { "Content-Length": "100" });
    response.write("[1,2", () => response.destroy());
  };
  await using outside = await startLoopback([half, json]);
  expect(await outside.upstream.json(request)).toEqual({ n: 1 });
  await using lost = await startLoopback([half]);
  await expect(lost.upstream.json(request)).rejects.toThrow("data.example.org broke off");
});

test("a variable that is not set is a wrong setting, named", () => {
  const upstream = liveUpstream({
    clock: () => new Date(0),
    random: () => 0,
    wait: async () => undefined,
    variable: (name) => (name === "SET" ? "value" : undefined),
  });
  expect(upstream.variable("SET")).toBe("value");
  expect([upstream.variable("SET", "other"), upstream.variable("UNSET", "")]).toEqual(["value", ""]);
  expect(() => upstream.variable("UNSET")).toThrow(new ConfigurationError("UNSET is not set"));
});

test("no failure contains a query string, a header, or any other secret", async () => {
  const responses: readonly RequestListener[] = [
    status(500),
    status(403),
    status(302, { Location: url }),
    status(200, {}, "no JSON"),
    (request) => void request.destroy(),
    () => undefined,
  ];
  const failures: unknown[] = [];
  for (const response of responses) {
    await using outside = await startLoopback([response], { maxMs: 50 });
    failures.push(await outside.upstream.json({ ...request, tries: 1 }).catch((error: unknown) => error));
  }
  await using outside = await startLoopback([json]);
  const broken = { url, headers: { authorization: "Bearer top\nsecret" } };
  failures.push(await outside.upstream.json(broken).catch((error: unknown) => error));
  const closed = await startLoopback([json]);
  await closed[Symbol.asyncDispose]();
  failures.push(await closed.upstream.json(request).catch((error: unknown) => error));
  for (const failure of failures) {
    expect(failure).toBeInstanceOf(UpstreamError);
    const reported = failure instanceof Error ? `${failure.stack} ${JSON.stringify(failure)} ${failure.cause}` : "";
    expect(reported).toContain("data.example.org");
    expect(reported).not.toMatch(/secret|api_key/);
  }
});
