import { connect as connectHttp2 } from "node:http2";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { queryFrom } from "../../../src/http/rest/post-as-get.ts";
import type { Database } from "../../../src/store/database.ts";
import { eventually, startApp, type TestApp } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";
import { processorMs } from "../../support/processor-time.ts";
import { accessService } from "../../support/servers/access-service.ts";
import { openRaw } from "../raw-connection.ts";

const plain = "/api/test/v1/get-plain";
const outages = "/api/infrastructure/v1/list-internet-outages";
const json = { "Content-Type": "application/json" };

let database: Database;
let app: TestApp;
beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database, { services: [accessService] });
  await app.refresh("internet-outages");
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

async function post(path: string, body: string | Buffer<ArrayBuffer>, headers: Record<string, string> = json) {
  const response = await app.get(path, { method: "POST", body, headers });
  return [response.status, await response.json()] as const;
}
const rejected = (error: string, more: object = {}) => [400, { error, ...more }];
const sent = (note: string, notes: string[] = [], count = 0) => [200, { word: "plain", note, notes, count }];

test("a POST to a read is its GET, with the same answer, entity tag and caching", async () => {
  const requested = await app.get(`${outages}?country=US`);
  const posted = await app.get(outages, { method: "POST", body: '{"country":"US"}' });
  expect([posted.status, await posted.json()]).toEqual([200, await requested.json()]);
  for (const name of ["etag", "cache-control", "vary"])
    expect(posted.headers.get(name)).toBe(requested.headers.get(name));
});

test("scalars take the place of the URL's values, and lists add to them", async () => {
  expect(await post(`${plain}?note=old&count=1`, '{"note":"new","count":7}')).toEqual(sent("new", [], 7));
  expect(await post(`${plain}?notes=a&note=kept`, '{"notes":["b",1,true]}')).toEqual(
    sent("kept", ["a", "b", "1", "true"]),
  );
  expect(await post(`${plain}?notes=a`, '{"notes":[]}')).toEqual(sent("", ["a"]));
  expect(await post(plain, '{"note":"a","note":"b"}')).toEqual(sent("b"));
  expect(await post(plain, '{"note":true}')).toEqual(sent("true"));
  expect(await post(`${plain}?note=x`, '{"jmespath":"note"}')).toEqual([200, "x"]);
});

test("different values for what takes one are refused by its name where strict handling is preferred", async () => {
  const strictly = async (query: string) => {
    const response = await app.get(`${outages}?${query}`, { headers: { Prefer: "handling=strict" } });
    return [response.status, ((await response.json()) as { violations?: unknown }).violations];
  };
  const rejected = (field: string) => [400, [{ field, description: "value must be one: several were sent" }]];
  expect(await strictly("country=UA&country=SD")).toEqual(rejected("country"));
  expect(await strictly("page_size=1&pageSize=2")).toEqual(rejected("page_size"));
  expect(await strictly("format=csv&format=ndjson")).toEqual(rejected("format"));
  expect(await strictly("as_of=2026-11-01&asOf=2026-11-02")).toEqual(rejected("as_of"));
  expect((await strictly("country=UA&country=UA&country="))[0]).toBe(200);
  const leniently = await app.get(`${outages}?updated_after=2000-01-01&updatedAfter=2001-01-01&asOF=1`);
  expect(leniently.headers.get("X-Ignored-Parameters")).toBe("asOF, updated_after");
});

test("an empty or blank body, and members that name no parameter, leave the GET as it is", async () => {
  for (const body of ["", " \n\t", "{}", '{"__proto__":"x","constructor":"y","unknown":1}'])
    expect(await post(`${plain}?note=kept`, body), body).toEqual(sent("kept"));
});

test("what cannot be converted is refused by name, and nothing of it is converted", async () => {
  for (const body of ["[", "{", "note=1", '{"note":}'])
    expect(await post(outages, body), body).toEqual(rejected("Invalid JSON body for POST compatibility"));
  for (const body of ["[]", "null", '"x"', "1", "true"])
    expect(await post(outages, body), body).toEqual(rejected("Unsupported POST compatibility body"));
  const unsupported = (parameter: string) =>
    rejected("Unsupported value for POST compatibility parameter", { parameter });
  expect(await post(outages, '{"country":"US","page_size":null}')).toEqual(unsupported("page_size"));
  expect(await post(outages, '{"country":{"is":"US"}}')).toEqual(unsupported("country"));
  expect(await post(plain, '{"notes":["a",["b"]]}')).toEqual(unsupported("notes"));
  expect(await post(plain, '{"notes":["a",null]}')).toEqual(unsupported("notes"));
  expect(await post(plain, '{"__proto__":{"note":"x"}}')).toEqual(unsupported("__proto__"));
});

test("a body of another type that isn't JSON is rejected with the accepted type", async () => {
  for (const type of ["application/xml", "application/x-www-form-urlencoded", "text/plain"])
    expect(await post(outages, "<country>US</country>", { "Content-Type": `${type}; charset=utf-8` }), type).toEqual(
      rejected("Invalid JSON body for POST compatibility", {
        hint: `The body is read as JSON, although its Content-Type is ${type}`,
      }),
    );
  for (const type of ["application/json;charset=utf-8", "application/geo+json", ""])
    expect(await post(outages, "{", { "Content-Type": type }), type).toEqual(
      rejected("Invalid JSON body for POST compatibility"),
    );
  expect((await post(outages, '{"country":"US"}', { "Content-Type": "application/xml" }))[0]).toBe(200);
});

test("a body that is not UTF-8 is not JSON", async () => {
  for (const bytes of ["ff", "c3", "eda080", "c0af"])
    expect(await post(plain, Buffer.from(`7b226e6f7465223a22${bytes}227d`, "hex")), bytes).toEqual(
      rejected("Invalid JSON body for POST compatibility"),
    );
  expect(await post(plain, Buffer.from('{"note":"é\ufffd"}'))).toEqual(sent("é\ufffd"));
});

test("200 values of a list pass, 201 do not", async () => {
  const notes = (length: number) => JSON.stringify({ notes: Array.from({ length }, String) });
  expect((await post(plain, notes(200)))[0]).toBe(200);
  expect(await post(plain, notes(201))).toEqual(
    rejected("Too many values for POST compatibility parameter", { parameter: "notes", maxValues: 200 }),
  );
});

test("a body of 1 MiB is malformed, declared or not, with a limit that it names, and a byte less is read", async () => {
  const padded = (bytes: number) => `${" ".repeat(bytes - 2)}{}`;
  expect((await post(plain, padded(1_048_575)))[0]).toBe(200);
  const tooLong = rejected("malformed_request", { maxBytes: 1_048_575 });
  expect(await post(plain, padded(1_048_576))).toEqual(tooLong);
  const chunked = await fetch(`${app.url}${plain}`, {
    method: "POST",
    headers: { "X-Service-Key": await app.key("free") },
    body: new Blob([padded(1_048_576)]).stream(),
    duplex: "half",
  } as RequestInit);
  expect([chunked.status, await chunked.json()]).toEqual(tooLong);
  expect(chunked.headers.get("link")).toBe('</docs/errors#body-too-large>; rel="help"');
});

test("a body of very many names takes no longer than its length explains", () => {
  const names = Array.from({ length: 7_500 }, (_, index) => [`n${index}`, index % 10]);
  const body = JSON.stringify(Object.fromEntries(names));
  const read = () => expect(new URLSearchParams(queryFrom("n1=old&kept=yes", body)).size).toBe(7_501);
  // Ten times what it takes; looking through all names for each would take longer still.
  expect(processorMs(read)).toBeLessThan(500);
});

test("a caller that goes away before its body is whole makes no fault, in HTTP/1.1 and HTTP/2", async () => {
  const counted = async () => {
    const lines = (await (await app.get("/metrics")).text()).split("\n");
    const reported = lines.filter((line) => /^ids_request_duration_seconds_count{operation="GetAliased"/.test(line));
    return reported.map((line) => line.replace(/^.*status="(.*)"} /, "$1: "));
  };
  const [path, key] = ["/api/test/v1/get-aliased", await app.key("enterprise")];
  using peer = await openRaw(app.url);
  peer.send(`POST ${path} HTTP/1.1\r\nHost: x\r\nX-Service-Key: ${key}\r\nContent-Length: 9\r\n\r\n{}`);
  const session = connectHttp2(app.url);
  const stream = session.request({ ":method": "POST", ":path": path, "x-service-key": key });
  stream.on("error", () => undefined);
  stream.write("{}");
  await eventually(
    async () => {
      await app.settled();
      return (await app.get("/api/account/v1/get-usage", { key })).text();
    },
    (usage) => usage.includes('"operation":"GetAliased","calls":2'),
  );
  peer.socket.destroy();
  session.destroy();
  expect(
    await eventually(counted, (responded) => responded.some((line) => !line.endsWith(": 1")) || responded.length > 1),
  ).toEqual(["4xx: 2"]);
});

test("the key, the quota and the operation's own rules count as for a GET", async () => {
  expect((await app.get(outages, { key: null, method: "POST", body: "[" })).status).toBe(401);
  const key = await app.key("free");
  const before = (await app.get(plain, { key })).headers.get("X-RateLimit-Remaining");
  const failed = await app.get(plain, { key, method: "POST", body: "[" });
  expect(Number(failed.headers.get("X-RateLimit-Remaining"))).toBe(Number(before) - 1);
  expect(await post(outages, '{"country":"ZZ"}')).toMatchObject([400, { violations: [{ field: "country" }] }]);
  const invalid = await app.get("/api/conflict/v1/list-conflict-events", { key: null, method: "POST", body: "[]" });
  expect([invalid.status, await invalid.json()]).toEqual([400, { message: "Unsupported POST compatibility body" }]);
});

test("other verbs on a read are 405 and name what is allowed, an unknown operation is 404", async () => {
  for (const method of ["PUT", "PATCH", "DELETE"]) {
    const response = await app.get(outages, { method });
    expect([response.status, response.headers.get("Allow")]).toEqual([405, "GET, HEAD, POST, OPTIONS"]);
  }
  expect((await app.get("/api/infrastructure/v1/nothing", { method: "POST", body: "{}" })).status).toBe(404);
  expect((await app.get("/api/infrastructure/v1/nothing", { method: "POST", body: "{}", key: null })).status).toBe(404);
  const change = await app.get("/api/test/v1/run-change");
  expect([change.status, change.headers.get("Allow")]).toEqual([405, "POST, OPTIONS"]);
});

test("whatever JSON comes, it becomes parameters as a whole or is refused", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.webQueryParameters(), (body, query) => {
      const before = new URLSearchParams(query).toString();
      let converted: URLSearchParams;
      try {
        converted = new URLSearchParams(queryFrom(query, JSON.stringify(body)));
      } catch {
        return;
      }
      for (const [name, value] of Object.entries(body))
        if (!Array.isArray(value))
          expect(converted.getAll(name)).toEqual([new URLSearchParams([[name, String(value)]]).get(name)]);
      if (Object.keys(body).length === 0) expect(converted.toString()).toBe(before);
    }),
  );
});
