import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect as connectHttp2 } from "node:http2";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { createFileRegistry, fromBinary } from "@bufbuild/protobuf";
import { type FileDescriptorProto, FileDescriptorProtoSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { unpackTar } from "modern-tar";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "../../../gen/es/google/rpc/error_details_pb.ts";
import { Health, HealthCheckResponse_ServingStatus as Status } from "../../../gen/es/grpc/health/v1/health_pb.ts";
import { ServerReflection } from "../../../gen/es/grpc/reflection/v1/reflection_pb.ts";
import { ServerReflection as ServerReflectionAlpha } from "../../../gen/es/grpc/reflection/v1alpha/reflection_pb.ts";
import { InfrastructureService } from "../../../gen/es/ids/infrastructure/v1/infrastructure_pb.ts";
import { services } from "../../../gen/es/services.ts";
import { catalog } from "../../../src/contract/catalog.ts";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";

let database: Database;
let app: TestApp;
beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

const grpc = () => createGrpcTransport({ baseUrl: app.url });
type Requested = Parameters<ReturnType<typeof createClient<typeof ServerReflection>>["serverReflectionInfo"]>[0];

async function reflected(...requested: object[]) {
  const requests = (async function* () {
    for (const messageRequest of requested) yield { messageRequest };
  })();
  const reported = [];
  for await (const { messageResponse } of createClient(ServerReflection, grpc()).serverReflectionInfo(
    requests as Requested,
  ))
    reported.push(messageResponse);
  return reported;
}

function filesIn(reported: Awaited<ReturnType<typeof reflected>>): FileDescriptorProto[] {
  return reported.flatMap(({ case: kind, value }) =>
    kind === "fileDescriptorResponse"
      ? value.fileDescriptorProto.map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes))
      : [],
  );
}

test("reflection lists every service, with all that a client needs to call it", async () => {
  const [listed] = await reflected({ case: "listServices", value: "" });
  const names = listed?.case === "listServicesResponse" ? listed.value.service.map(({ name }) => name) : [];
  expect(new Set(names)).toEqual(
    new Set([
      ...Object.values(services).map(({ typeName }) => typeName),
      "grpc.health.v1.Health",
      "grpc.reflection.v1.ServerReflection",
      "grpc.reflection.v1alpha.ServerReflection",
    ]),
  );
  const reported = await reflected(...names.map((value) => ({ case: "fileContainingSymbol", value })));
  const registry = createFileRegistry({ $typeName: "google.protobuf.FileDescriptorSet", file: filesIn(reported) });
  for (const { method } of catalog)
    expect(registry.getService(method.parent.typeName)?.method[method.localName]?.input.typeName).toBe(
      method.input.typeName,
    );
});

test("reflection answers older clients, which ask for v1alpha, the same", async () => {
  const requested = { messageRequest: { case: "fileByFilename", value: "ids/conflict/v1/conflict.proto" } } as const;
  const requests = (async function* () {
    yield requested;
  })();
  for await (const { messageResponse, originalRequest } of createClient(
    ServerReflectionAlpha,
    grpc(),
  ).serverReflectionInfo(requests)) {
    const [reported] = await reflected(requested.messageRequest);
    expect(originalRequest?.messageRequest).toEqual(requested.messageRequest);
    expect(messageResponse.case).toBe("fileDescriptorResponse");
    expect(messageResponse.value).toMatchObject({
      fileDescriptorProto: reported?.case === "fileDescriptorResponse" ? reported.value.fileDescriptorProto : [],
    });
  }
  expect.assertions(3);
});

test("reflection finds files by name, methods, fields, values, and extensions, and reports unknown names in the stream", async () => {
  const reported = await reflected(
    { case: "fileByFilename", value: "ids/market/v1/market.proto" },
    { case: "fileContainingSymbol", value: "google.rpc.BadRequest" },
    { case: "fileContainingSymbol", value: "ids.conflict.v1.ConflictService.ListConflictEvents" },
    { case: "fileContainingSymbol", value: "ids.infrastructure.v1.OUTAGE_SEVERITY_TOTAL" },
    {
      case: "fileContainingExtension",
      value: { containingType: "google.protobuf.MethodOptions", extensionNumber: 50100 },
    },
    { case: "allExtensionNumbersOfType", value: "google.protobuf.MethodOptions" },
    { case: "fileByFilename", value: "nothing.proto" },
    { case: "fileContainingSymbol", value: "no.such.Symbol" },
    { case: undefined },
  );
  const last = reported.map((each) => filesIn([each]).at(-1)?.name);
  expect(last.slice(0, 5)).toEqual([
    "ids/market/v1/market.proto",
    "google/rpc/error_details.proto",
    expect.stringContaining("ids/conflict/v1/"),
    expect.stringContaining("ids/infrastructure/v1/"),
    "ids/options/v1/options.proto",
  ]);
  expect(reported[5]).toMatchObject({ value: { extensionNumber: expect.arrayContaining([50100, 50101]) } });
  expect(reported.slice(6).map(({ value }) => (value as { errorCode: number }).errorCode)).toEqual([
    Code.NotFound,
    Code.NotFound,
    Code.InvalidArgument,
  ]);
});

test("health is SERVING for the whole and each service, NOT_FOUND for others, and is not watched", async () => {
  const client = createClient(Health, grpc());
  for (const service of ["", InfrastructureService.typeName])
    expect(await client.check({ service })).toMatchObject({ status: Status.SERVING });
  const unknown = await client.check({ service: "no.such.Service" }).catch(ConnectError.from);
  expect(unknown).toMatchObject({ code: Code.NotFound });
  const watched = (async () => {
    for await (const _ of client.watch({})) expect.unreachable();
  })();
  await expect(watched).rejects.toMatchObject({ code: Code.Unimplemented });
});

test.each([
  ["application/grpc", "/no.such.Service/Method"],
  ["application/grpc+proto", "/ids.infrastructure.v1.InfrastructureService/NoSuchMethod"],
  ["application/grpc-web+proto", "/no.such.Service/Method"],
])("a call by %s of %s is UNIMPLEMENTED", async (type, path) => {
  const response = await app.get(path, {
    key: null,
    method: "POST",
    headers: { "Content-Type": type },
    body: "\0\0\0\0\0",
  });
  expect([response.status, response.headers.get("grpc-status"), response.headers.get("content-type")]).toEqual([
    200,
    "12",
    type,
  ]);
});

test("a gRPC call over HTTP/2 of an unknown method is UNIMPLEMENTED in trailers, and by gRPC-Web in the body", async () => {
  const session = connectHttp2(app.url);
  try {
    const stream = session.request({
      ...{ ":method": "POST", ":path": "/no.such.Service/Method", "content-type": "application/grpc", te: "trailers" },
    });
    stream.end(Buffer.alloc(5));
    const [head] = (await once(stream, "response")) as [Record<string, unknown>];
    const reported = once(stream, "trailers") as Promise<[Record<string, unknown>]>;
    stream.resume();
    expect([head[":status"], (await reported)[0]["grpc-status"]]).toEqual([200, "12"]);
    const web = session.request({
      ...{ ":method": "POST", ":path": "/no.such.Service/Method", "content-type": "application/grpc-web+proto" },
    });
    let hasTrailers = false;
    web.on("trailers", () => {
      hasTrailers = true;
    });
    web.end(Buffer.alloc(5));
    const [webHead] = (await once(web, "response")) as [Record<string, unknown>];
    web.resume();
    await once(web, "close");
    expect([webHead[":status"], webHead["grpc-status"], hasTrailers]).toEqual([200, "12", false]);
  } finally {
    session.close();
  }
});

test.each([
  ["gRPC", () => createGrpcTransport({ baseUrl: app.url })],
  ["gRPC-Web", () => createGrpcWebTransport({ baseUrl: app.url, httpVersion: "1.1" })],
  ["Connect", () => createConnectTransport({ baseUrl: app.url, httpVersion: "1.1" })],
])("failures by %s have the standard details", async (_name, transport) => {
  const client = createClient(InfrastructureService, transport());
  const key = await app.key("free");
  const headers = { "X-Service-Key": key };
  const invalid = ConnectError.from(await client.listInternetOutages({ country: "1" }, { headers }).catch((e) => e));
  expect(invalid.code).toBe(Code.InvalidArgument);
  expect(invalid.findDetails(BadRequestSchema)).toMatchObject([{ fieldViolations: [{ field: "country" }] }]);
  expect(invalid.findDetails(ErrorInfoSchema)).toMatchObject([
    { reason: "INVALID_REQUEST", domain: "intelligence-data-service" },
  ]);
  let limited = invalid;
  for (let call = 0; call < 100 && limited.code !== Code.ResourceExhausted; call += 1)
    limited = ConnectError.from(await client.listInternetOutages({ country: "1" }, { headers }).catch((e) => e));
  const [retry] = limited.findDetails(RetryInfoSchema);
  expect(Number(retry?.retryDelay?.seconds)).toBeGreaterThan(0);
  expect(limited.findDetails(ErrorInfoSchema)).toMatchObject([{ reason: "QUOTA_EXCEEDED" }]);
});

test("the whole contract is served as one set of descriptors, and as sources that compile separately", async () => {
  const response = await app.get("/contract.binpb", { key: null });
  const set = fromBinary(FileDescriptorSetSchema, new Uint8Array(await response.arrayBuffer()));
  const registry = createFileRegistry(set);
  for (const { typeName } of Object.values(services)) expect(registry.getService(typeName)?.typeName).toBe(typeName);

  const archive = await app.get("/contract.tar.gz", { key: null });
  const folder = mkdtempSync(join(tmpdir(), "ids-contract-"));
  try {
    for (const { header, data } of await unpackTar(gunzipSync(Buffer.from(await archive.arrayBuffer())))) {
      mkdirSync(dirname(join(folder, header.name)), { recursive: true });
      writeFileSync(join(folder, header.name), data ?? "");
    }
    execFileSync("buf", ["build", join(folder, "contract"), "-o", join(folder, "built.binpb")]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
