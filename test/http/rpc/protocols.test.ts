import { connect as connectHttp2 } from "node:http2";
import { text } from "node:stream/consumers";
import { create, equals, fromJson } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ValidationErrorSchema } from "../../../gen/es/ids/common/v1/common_pb.ts";
import {
  InfrastructureService,
  ListInternetOutagesResponseSchema,
  ReverseGeocodeResponseSchema,
} from "../../../gen/es/ids/infrastructure/v1/infrastructure_pb.ts";
import { ListMilitaryBasesResponseSchema, MilitaryService } from "../../../gen/es/ids/military/v1/military_pb.ts";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";
import { openRaw } from "../raw-connection.ts";

const rpcPath = "/ids.infrastructure.v1.InfrastructureService";

let database: Database;
let app: TestApp;
let key: string;
beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database);
  key = await app.key("enterprise");
  await app.refresh("internet-outages");
  await app.refresh("military-bases");
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

const protocols: Record<string, (baseUrl: string) => Transport> = {
  "Connect with JSON": (baseUrl) => createConnectTransport({ baseUrl, httpVersion: "1.1", useBinaryFormat: false }),
  "Connect with GET": (baseUrl) => createConnectTransport({ baseUrl, httpVersion: "1.1", useHttpGet: true }),
  "Connect with protobuf over HTTP/2": (baseUrl) => createConnectTransport({ baseUrl, httpVersion: "2" }),
  "gRPC over cleartext HTTP/2": (baseUrl) => createGrpcTransport({ baseUrl }),
  "gRPC-Web": (baseUrl) => createGrpcWebTransport({ baseUrl, httpVersion: "1.1" }),
};

/** One GET over HTTP/2 begun without an upgrade. */
async function http2Get(path: string, headers: Record<string, string> = {}, method = "GET") {
  const session = connectHttp2(app.url);
  try {
    const stream = session.request({ ":path": path, ":method": method, "x-service-key": key, ...headers });
    const responded = new Promise<Record<string, unknown>>((resolve) => stream.once("response", resolve));
    const body = await text(stream);
    return { headers: await responded, body };
  } finally {
    session.close();
  }
}

/** A unary Connect call as a browser or curl sends it. */
async function call(path: string, body: string, headers: Record<string, string> = {}, method: "GET" | "POST" = "POST") {
  const response = await request(app.url + path, {
    method,
    headers: { "X-Service-Key": key, ...(method === "POST" && { "Content-Type": "application/json" }), ...headers },
    ...(method === "POST" && { body }),
  });
  return { status: response.statusCode, headers: response.headers, body: await response.body.text() };
}

describe.each(Object.entries(protocols))("%s", (name, transport) => {
  const headers = () => ({ "X-Service-Key": key });
  const infrastructure = () => createClient(InfrastructureService, transport(app.url));
  const military = () => createClient(MilitaryService, transport(app.url));

  test("it answers with the same data as plain JSON", async () => {
    const plain = fromJson(
      ListInternetOutagesResponseSchema,
      await app.json("/api/infrastructure/v1/list-internet-outages?country=SY"),
    );
    expect(plain.outages.length).toBeGreaterThan(0);
    const response = await infrastructure().listInternetOutages({ country: "SY" }, { headers: headers() });
    expect(equals(ListInternetOutagesResponseSchema, response, plain)).toBe(true);
  });

  test("parameters are brought into their normal form", async () => {
    const [us, plain] = await Promise.all([
      infrastructure().listInternetOutages({ country: " us", pageSize: -5, cursor: "x" }, { headers: headers() }),
      app
        .json("/api/infrastructure/v1/list-internet-outages?country=US")
        .then((body) => fromJson(ListInternetOutagesResponseSchema, body as never)),
    ]);
    expect(equals(ListInternetOutagesResponseSchema, us, plain)).toBe(true);
    const box = { neLat: 1e6, neLon: 180, swLat: -1e6, swLon: -180, kind: "AIRFIELD" };
    const clamped = await military().listMilitaryBases({ ...box, zoom: 99 }, { headers: headers() });
    const expected = fromJson(
      ListMilitaryBasesResponseSchema,
      await app.json(
        "/api/military/v1/list-military-bases?ne_lat=90&ne_lon=180&sw_lat=-90&sw_lon=-180&kind=airfield&zoom=22",
      ),
    );
    expect(expected.bases.length).toBeGreaterThan(0);
    expect(equals(ListMilitaryBasesResponseSchema, clamped, expected)).toBe(true);
  });

  test("a failure has its code, and a broken rule its list of violations", async () => {
    const rejected = async (response: Promise<unknown>) =>
      response.then(
        () => expect.fail("let through"),
        (error: unknown) => ConnectError.from(error),
      );
    const anonymous = await rejected(infrastructure().getIpGeo({}));
    expect([anonymous.code, anonymous.rawMessage]).toEqual([Code.Unauthenticated, "API key required"]);
    expect(anonymous.metadata.get("Link")).toMatch(/^<\/docs\/errors#[a-z-]+>; rel="help"$/);
    const unknown = await rejected(infrastructure().getIpGeo({}, { headers: { "X-Api-Key": "garbage" } }));
    expect([unknown.code, unknown.rawMessage]).toEqual([Code.Unauthenticated, "Invalid API key"]);
    const broken = await rejected(infrastructure().reverseGeocode({ lat: 91 }, { headers: headers() }));
    expect(broken.code).toBe(Code.InvalidArgument);
    const [detail] = broken.findDetails(ValidationErrorSchema);
    expect(detail?.violations.map(({ field }) => field).sort()).toEqual(["lat", "lon"]);
    const infinite = await rejected(
      infrastructure().reverseGeocode({ lat: Number.NaN, lon: 0 }, { headers: headers() }),
    );
    expect(infinite.findDetails(ValidationErrorSchema)[0]?.violations.map(({ field }) => field)).toEqual(["lat"]);
    const corners = await rejected(military().listMilitaryBases({ neLat: 1 }, { headers: headers() }));
    expect(corners.findDetails(ValidationErrorSchema)[0]?.violations.map(({ field }) => field)).toEqual(
      expect.arrayContaining(["ne_lon", "sw_lat", "sw_lon"]),
    );
  });

  test("it shares the account's quota, and reports the remainder", async () => {
    const free = await app.key("free");
    let seen = new Headers();
    const options = {
      headers: { "X-Service-Key": free, "X-Request-Id": "rpc-1", Origin: "https://app.example" },
      onHeader: (received: Headers) => {
        seen = received;
      },
    };
    await app.get("/api/infrastructure/v1/get-ip-geo", { key: free });
    await infrastructure().listInternetOutages({}, options);
    expect(Object.fromEntries(seen)).toMatchObject({
      "x-ratelimit-limit": "30",
      "x-ratelimit-remaining": "28",
      "x-request-id": "rpc-1",
      "x-data-origin": "sample",
      "access-control-allow-origin": "*",
      "cache-control": "no-store",
    });
    expect(Number(seen.get("X-RateLimit-Reset"))).toBeGreaterThan(testTime.getTime());
    for (let left = 28; left > 0; left--) await infrastructure().getIpGeo({}, options);
    const rejected = await infrastructure()
      .getIpGeo({}, options)
      .catch((error: unknown) => ConnectError.from(error));
    expect(rejected).toMatchObject({ code: Code.ResourceExhausted, rawMessage: "Too many requests" });
    expect(Number((rejected as ConnectError).metadata.get("Retry-After")), name).toBeGreaterThanOrEqual(1);
  });
});

test.each(Object.entries(protocols).filter(([name]) => name !== "Connect with GET"))(
  "%s: a request of 300 KB is refused, and what is left of it does not hold up the end of the service",
  async (_name, transport) => {
    const brief = await startApp(database);
    const client = createClient(InfrastructureService, transport(brief.url));
    const rejected = await client
      .listInternetOutages({ cursor: "x".repeat(300 * 1024) }, { headers: { "X-Service-Key": key } })
      .catch((error: unknown) => ConnectError.from(error));
    expect(rejected).toMatchObject({ code: Code.ResourceExhausted });
    const begun = performance.now();
    await brief[Symbol.asyncDispose]();
    expect(performance.now() - begun).toBeLessThan(4_000);
  },
);

test("plain JSON over HTTP/2 has the bytes and headers it has over HTTP/1.1", async () => {
  for (const path of [
    "/api/infrastructure/v1/list-internet-outages?country=sy",
    "/api/infrastructure/v1/reverse-geocode?lat=-23.5&lon=-46.6",
    "/api/infrastructure/v1/list-internet-outages?country=1",
  ]) {
    const [one, two] = [
      await call(path, "", { "X-Request-Id": "same" }, "GET"),
      await http2Get(path, { "x-request-id": "same" }),
    ];
    expect(two.body, path).toBe(one.body);
    expect(two.headers[":status"]).toBe(one.status);
    const { date: _date, connection: _connection, "keep-alive": _alive, ...rest } = one.headers;
    const left = Number(rest["x-ratelimit-remaining"]);
    const reported = {
      "x-ratelimit-remaining": String(left - 1),
      ratelimit: expect.stringContaining(`r=${left - 1};`),
    };
    expect(two.headers, path).toMatchObject({ ...rest, ...reported, "x-ratelimit-reset": expect.any(String) });
  }
  expect(
    fromJson(
      ReverseGeocodeResponseSchema,
      await app.json("/api/infrastructure/v1/reverse-geocode?lat=-23.5&lon=-46.6"),
    ),
  ).toEqual(create(ReverseGeocodeResponseSchema, { country: "Brazil", code: "BR", displayName: "São Paulo, Brazil" }));
});

test("HEAD and 304 over HTTP/2 have no body", async () => {
  const path = "/api/infrastructure/v1/list-internet-outages";
  const head = await http2Get(path, {}, "HEAD");
  expect([head.headers[":status"], head.body]).toEqual([200, ""]);
  expect(Number(head.headers["content-length"])).toBeGreaterThan(1000);
  const { headers, body } = await http2Get(path, { "if-none-match": String(head.headers.etag) });
  expect([headers[":status"], body]).toEqual([304, ""]);
});

test("a browser may call from anywhere and read the answer, its failures too", async () => {
  for (const [path, body] of [
    [`${rpcPath}/GetIpGeo`, "{}"],
    [`${rpcPath}/ReverseGeocode`, "{}"],
  ] as const) {
    const { headers } = await call(path, body, { Origin: "https://anywhere.example" });
    expect(headers["access-control-allow-origin"], path).toBe("*");
    expect(headers["access-control-expose-headers"], path).toBe("*");
    expect(headers["x-request-id"]).toBeDefined();
    expect(headers["cache-control"]).toBe("no-store");
  }
});

test("a service or method that does not exist is 404", async () => {
  for (const path of [`${rpcPath}/Nothing`, "/ids.infrastructure.v1.Nothing/GetIpGeo", `${rpcPath}`, `${rpcPath}/`])
    expect((await call(path, "{}")).status, path).toBe(404);
});

test("a call that no protocol understands is refused, never a fault of the server", async () => {
  const path = `${rpcPath}/GetIpGeo`;
  const json = { "Content-Type": "application/json" };
  const cases: [string, number, Promise<{ status: number }>][] = [
    ["another content type", 415, call(path, "x", { "Content-Type": "text/plain" })],
    [
      "another verb",
      405,
      request(app.url + path, { method: "DELETE" }).then(({ statusCode }) => ({ status: statusCode })),
    ],
    ["no JSON", 400, call(path, "{", json)],
    ["an array", 400, call(path, "[]", json)],
    ["a wrong type", 400, call(`${rpcPath}/ReverseGeocode`, '{"lat":"x","lon":[]}', json)],
    ["a broken GET", 400, call(`${path}?encoding=json&message=%7B&connect=v1`, "", {}, "GET")],
    ["an unknown encoding", 400, call(`${path}?encoding=xml&message=x&connect=v1`, "", {}, "GET")],
    ["broken gzip", 400, call(path, "{}", { ...json, "Content-Encoding": "gzip" })],
    ["a host that is none", 400, call(path, "{}", { ...json, Host: "a b" })],
    ["a time-out that is none", 400, call(path, "{}", { ...json, "Connect-Timeout-Ms": "soon" })],
  ];
  for (const [what, expected, response] of cases) expect((await response).status, what).toBe(expected);
});

test("a call over HTTP/1.0 without a host is 400", async () => {
  using peer = await openRaw(app.url);
  peer.send(`POST ${rpcPath}/GetIpGeo HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`);
  expect(await peer.ended).toMatch(/^HTTP\/1\.1 400 .*"field":"Host"/s);
});

test("an answer that leaves its request half read says that the connection ends with it", async () => {
  using peer = await openRaw(app.url);
  const head = `POST ${rpcPath}/GetIpGeo HTTP/1.1\r\nHost: ids\r\nX-Service-Key: ${key}\r\n`;
  peer.send(`${head}Content-Type: application/grpc-web+proto\r\nTransfer-Encoding: chunked\r\n\r\n`);
  // This message is compressed without a declared encoding. More of the body could follow, but no server reads it.
  peer.send("6\r\n\x01\0\0\0\x01x\r\n");
  const response = await peer.ended;
  expect(response).toMatch(/^HTTP\/1\.1 200 OK.*^connection: close\r$/ims);
  expect(response).toMatch(/grpc-status: 13/i);
});

test("bytes that are not a message receive a typed error", async () => {
  const path = `${rpcPath}/ReverseGeocode`;
  for (const { body } of [
    await call(path, "\xff\xff\xff", { "Content-Type": "application/proto" }),
    await call(`${path}?encoding=proto&base64=1&message=%21%21%21&connect=v1`, "", {}, "GET"),
  ])
    expect(JSON.parse(body)).toEqual({ code: expect.any(String), message: expect.any(String) });
});

test("an answer is compressed only in the cheapest way", async () => {
  const path = `${rpcPath}/ListInternetOutages`;
  const encodingFor = async (accepted: string) =>
    (await call(path, "{}", { "Accept-Encoding": accepted })).headers["content-encoding"];
  expect(await encodingFor("gzip, deflate, br")).toBe("gzip");
  expect(await encodingFor("br")).toBeUndefined();
});
