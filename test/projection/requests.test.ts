import { once } from "node:events";
import { connect } from "node:http2";
import { gunzipSync } from "node:zlib";
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { catalog } from "../../src/contract/catalog.ts";
import { createLog } from "../../src/log/log.ts";
import { createApp } from "../../src/runtime/app.ts";
import type { Database } from "../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../support/app.ts";
import { openOnce } from "../support/databases.ts";
import { openLoaded } from "../support/loaded.ts";
import { neededQuery, needsOwn } from "../support/needed-query.ts";

const outages = "/api/infrastructure/v1/list-internet-outages";
const conflict = "/api/conflict/v1/list-conflict-events";
const place = "/api/infrastructure/v1/reverse-geocode?lat=33.89&lon=35.5";
const ipGeo = "/api/infrastructure/v1/get-ip-geo";

let database: Database;
let app: TestApp;
let key: string;
beforeAll(async () => {
  database = await openLoaded();
  app = await startApp(database);
  key = await app.key("operator");
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

/** The path with an expression. */
function projected(path: string, expression: string): string {
  return `${path}${path.includes("?") ? "&" : "?"}jmespath=${encodeURIComponent(expression)}`;
}

async function answer(path: string, options?: Parameters<TestApp["get"]>[1]) {
  const response = await app.get(path, options);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: text === "" ? undefined : JSON.parse(text) };
}

test("every read takes an expression, with a key or without one", async () => {
  for (const operation of catalog) {
    const { name, verb, access } = operation;
    if (verb !== "GET" || needsOwn(operation)) continue;
    const whole = neededQuery(operation);
    const options = access.anonymous ? { key: null } : {};
    const { body } = await answer(whole, options);
    const found = await answer(projected(whole, "keys(@)"), options);
    expect([found.status, found.body], name).toEqual([200, Object.keys(body)]);
    // As the contract writes it: where there are several of JSON, generated clients compare it whole.
    expect(found.headers.get("content-type")).toBe("application/json");
  }
});

test("the other parameters choose what is projected", async () => {
  const { outages: rows } = await app.json<{ outages: { id: string }[] }>(`${outages}?country=US`);
  expect((await answer(projected(`${outages}?country=us`, "outages[*].id"))).body).toEqual(rows.map(({ id }) => id));
});

test("an empty expression is none, and of several the first one counts", async () => {
  const { text } = await answer(outages);
  for (const query of ["jmespath=", "jmespath=&jmespath=a", "jmespath"])
    expect((await answer(`${outages}?${query}`)).text).toBe(text);
  expect((await answer(`${outages}?jmespath=length(outages)&jmespath=a`)).body).toBeTypeOf("number");
});

test.each(["nope", "outages.nope", "outages[0].id[0]", "pagination[0]", "outages[9999]", "`null`", "nope[*].id"])(
  "%s matches nothing, which is null with 200",
  async (expression) => {
    const { status, text } = await answer(projected(outages, expression));
    expect([status, text]).toEqual([200, "null"]);
  },
);

/** Members that say from when rows are held. */
const heldKeys = ["heldFrom", "isPartial", "unavailableReason"];
const exploding = `outages${"|map(&[@, @, @], @)[]".repeat(20)}`;

test.each([
  ["a[[[", "a[[[", "invalid_expression: Expected Star, got: Lbracket"],
  ["a blank", " ", 'invalid_expression: Invalid token (EOF): ""'],
  ["more blanks", "\n\t ", 'invalid_expression: Invalid token (EOF): ""'],
  ["an unknown function", "nope(@)", "invalid_expression: Unknown function: nope()"],
  ["a missing argument", "abs()", "invalid_expression: ArgumentError: abs() takes 1 argument but received 0"],
  [
    "an argument of the wrong type",
    "abs('x')",
    "invalid_expression: TypeError: abs() expected argument 1 to be type number but received type string",
  ],
  [
    "a list of the wrong type",
    "sum(outages)",
    "invalid_expression: TypeError: sum() expected argument 1 to be type array of numbers but received type array",
  ],
  [
    "an order of what has none",
    "sort_by(outages, &location)",
    "invalid_expression: TypeError: sort_by() expected its expression to return numbers or strings, received object",
  ],
  ["what does too much", exploding, "projection_too_expensive: more than 300000 steps"],
  ["1025 bytes", "x".repeat(1025), "expression_too_long: 1025 > 1024"],
])("%s is a 400 that says why, and what there was to project", async (_, expression, reason) => {
  const { status, headers, body } = await answer(projected(outages, expression), {
    headers: { Origin: "https://example.org" },
  });
  expect([status, Object.keys(body)]).toEqual([400, ["_jmespath_error", "original_keys"]]);
  expect(body._jmespath_error).toBe(reason);
  expect(body.original_keys).toEqual(["outages", "pagination", ...heldKeys]);
  expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("access-control-allow-origin")).toBe("*");
});

test("an anonymous operation refuses an expression with the same body", async () => {
  const { status, body } = await answer(projected(conflict, "a[[["), { key: null });
  expect([status, body]).toEqual([
    400,
    {
      _jmespath_error: "invalid_expression: Expected Star, got: Lbracket",
      original_keys: ["events", "pagination", "nextAfter", "refreshedAt", ...heldKeys, "heldTo"],
    },
  ]);
});

test("what is wrong with the request itself comes first", async () => {
  expect((await answer(projected(`${outages}?country=1`, "a[[["))).body).toEqual({ violations: [expect.anything()] });
  expect((await answer(projected(outages, "a[[["), { key: null })).status).toBe(401);
  expect((await answer(projected("/api/infrastructure/v1/nothing", "a[[["))).status).toBe(404);
  expect((await answer(projected(outages, "a[[["), { method: "DELETE" })).status).toBe(405);
});

test("an operation that has no data says so, whatever the expression", async () => {
  const empty = await openOnce();
  onTestFinished(empty.close);
  await using fresh = await startApp(empty);
  for (const expression of ["outages", "a[[["]) {
    const response = await fresh.get(projected(outages, expression));
    expect([response.status, await response.json()]).toEqual([503, { message: expect.any(String) }]);
  }
});

test("a projection has a tag of its own, is revalidated with it, and is sent without a body on HEAD", async () => {
  const path = projected(outages, "outages[*].country");
  const { headers, text } = await answer(path);
  const tag = headers.get("etag") ?? "";
  expect(tag).not.toBe((await answer(outages)).headers.get("etag"));
  expect((await answer(path, { headers: { "If-None-Match": tag } })).status).toBe(304);
  expect((await answer(projected(outages, "outages[].country"))).headers.get("etag")).toBe(tag);
  const head = await answer(path, { method: "HEAD", headers: { "Accept-Encoding": "identity" } });
  expect([head.status, head.text, head.headers.get("etag")]).toEqual([200, "", tag]);
  expect(head.headers.get("content-length")).toBe(String(Buffer.byteLength(text)));
  expect((await answer(projected(outages, "a[[["), { method: "HEAD" })).status).toBe(400);
});

test("what is said of the whole answer is said of its projection", async () => {
  for (const path of [outages, conflict, place, ipGeo])
    for (const name of ["cache-control", "cdn-cache-control", "vary", "x-data-origin"]) {
      const whole = (await answer(path)).headers.get(name);
      for (let time = 0; time < 3; time++)
        expect((await answer(projected(path, "keys(@)"))).headers.get(name), `${path} ${name}`).toBe(whole);
    }
  expect((await answer(projected(ipGeo, "keys(@)"))).headers.get("cache-control")).toBe("no-store");
});

test("the projection of a response without confirmed data is not cached", async () => {
  const environment = { IDS_GEOCODER_URL: "http://127.0.0.1:1", IDS_OPERATOR_CONTACT: "test@example.org" };
  const failing = await createApp({
    config: readConfig({ PORT: "0", IDS_LOG_LEVEL: "silent", ...environment }),
    ...{
      database,
      clock: () => testTime,
      random: () => 0.5,
      secrets: [Buffer.alloc(32, 7)],
      log: createLog("silent", process.stderr),
    },
  });
  onTestFinished(failing.close);
  for (let time = 0; time < 3; time++) {
    const response = await fetch(failing.url + projected(place, "country"), { headers: { "X-Service-Key": key } });
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
  }
});

test("a projection is the same from a fresh answer, from a kept one and when it is kept itself", async () => {
  const path = `${outages}?country=SY`;
  const expression = "outages[?country == 'SY'].{id: id, title: title, at: detectedAt, where: location}";
  const first = await answer(projected(path, expression));
  for (let time = 0; time < 3; time++) await answer(path);
  for (const twin of ["country=SY&x=1", "country=sy&x=2"])
    for (let time = 0; time < 3; time++) {
      const { text, headers } = await answer(projected(`${outages}?${twin}`, expression));
      expect([text, headers.get("etag")]).toEqual([first.text, first.headers.get("etag")]);
    }
});

test("a refresh is visible in projections at once, kept or not", async () => {
  const path = projected(outages, "outages[0].detectedAt");
  for (let time = 0; time < 3; time++) await answer(path);
  const before = (await answer(path)).body;
  app.setTime(new Date(testTime.getTime() + 7 * 86_400_000));
  await app.refresh("internet-outages");
  expect((await answer(path)).body).toBe(before + 7 * 86_400_000);
  app.setTime(testTime);
  await app.refresh("internet-outages");
});

test("a large projection is compressed if the client accepts that", async () => {
  const path = projected(conflict, "events[:200]");
  const plain = await answer(path, { headers: { "Accept-Encoding": "identity" } });
  const response = await request(app.url + path, { headers: { "Accept-Encoding": "gzip" } });
  expect(response.headers["content-encoding"]).toBe("gzip");
  expect(gunzipSync(await response.body.arrayBuffer()).toString()).toBe(plain.text);
});

test("Connect and gRPC know no expressions", async () => {
  const path = "/ids.infrastructure.v1.InfrastructureService/ListInternetOutages";
  const message = encodeURIComponent("{}");
  const get = await answer(`${path}?connect=v1&encoding=json&message=${message}&jmespath=a[[[`);
  expect([get.status, Object.keys(get.body)]).toEqual([200, ["outages", "pagination", ...heldKeys]]);
});

test("over HTTP/2 an expression gives the same", async () => {
  const session = connect(app.url);
  onTestFinished(() => session.close());
  const stream = session.request({ ":path": projected(outages, "length(outages)"), "x-service-key": key });
  let body = "";
  stream.setEncoding("utf8").on("data", (part) => (body += part));
  await once(stream, "end");
  expect(body).toBe((await answer(projected(outages, "length(outages)"))).text);
});

describe("limits", () => {
  test.each([
    ["one byte characters", "a"],
    ["two byte characters", "é"],
    ["four byte characters", "\u{1f600}"],
  ])("an expression of 1024 bytes of %s is taken, one of 1025 is not", async (_, unit) => {
    const size = Buffer.byteLength(unit);
    const padding = (1024 - Buffer.byteLength("''")) % size;
    const expression = `'${"b".repeat(padding)}${unit.repeat((1024 - 2 - padding) / size)}'`;
    expect(Buffer.byteLength(expression)).toBe(1024);
    expect(await answer(projected(outages, expression))).toMatchObject({ status: 200, body: expression.slice(1, -1) });
    const { status, body } = await answer(projected(outages, `${expression} `));
    expect([status, body._jmespath_error]).toEqual([400, "expression_too_long: 1025 > 1024"]);
  });

  test("a projection of 262144 bytes is sent, one of 262145 is not", async () => {
    const { events } = await app.json<{ events: object[] }>(conflict);
    // As many events, over and over, as leave room for a text that fills up what is missing.
    const sizes = events.map((event) => Buffer.byteLength(JSON.stringify(event)) + 1);
    const all = Buffer.byteLength(JSON.stringify(events)) + 1;
    const copies = Math.floor(262_000 / all);
    let size = copies * all + Buffer.byteLength('[[],""]') - 1;
    let count = 0;
    while (size + sizes[count]! <= 262_144) size += sizes[count++]!;
    const lists = `${"events, ".repeat(copies)}events[:${count}]`;
    for (const [unit, width] of [
      ["a", 1],
      ["é", 2],
      ["\u0001", 6],
    ] as const)
      for (const total of [262_144, 262_145]) {
        const missing = total - size;
        const text = unit.repeat(Math.floor(missing / width)) + "x".repeat(missing % width);
        const literal = unit === "\u0001" ? `\`${JSON.stringify(text)}\`` : `'${text}'`;
        const found = await app.get(projected(conflict, `[${lists}, ${literal}]`));
        const sent = await found.text();
        if (total === 262_144) expect([found.status, Buffer.byteLength(sent)], unit).toEqual([200, 262_144]);
        else
          expect([found.status, JSON.parse(sent)._jmespath_error]).toEqual([
            400,
            "projection_too_large: 262145 > 262144",
          ]);
      }
  });
});
