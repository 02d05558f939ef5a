import { randomBytes } from "node:crypto";
import { createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { beforeAll, expect, test } from "vitest";
import { AccountService } from "../../../gen/es/ids/account/v1/account_pb.ts";
import { hashOf, keyIdOf, newKey } from "../../../src/access/keys/api-key.ts";
import { provideOperatorKey } from "../../../src/access/keys/operator-keys.ts";
import { catalog } from "../../../src/contract/catalog.ts";
import type { Database } from "../../../src/store/database.ts";
import { eventually, startApp, type TestApp, testTime } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";

const prefix = "/api/account/v1/";
const minute = 60_000;

interface Made {
  readonly secret: string;
  readonly key: { readonly id: string; readonly scopes: readonly string[]; readonly expiresAt?: number };
}

/** Returns the REST status of an operation, or the status that its RPC code means. */
type Call = (key: string, operation: "createApiKey" | "rotateApiKey" | "revokeApiKey", body: object) => Promise<string>;

describeEachDatabase("who may handle keys", (openFresh) => {
  let database: Database;
  let app: TestApp;

  beforeAll(async () => {
    database = await openFresh();
    app = await startApp(database);
    return app[Symbol.asyncDispose];
  });

  const post = async <T = Made>(operation: string, body: object, key?: string) => {
    const options = { ...(key ? { key } : {}), method: "POST", body: JSON.stringify(body) };
    const response = await app.get(prefix + operation, options);
    return { status: response.status, body: (await response.json()) as T };
  };
  const open = async (id: string) => {
    await post("create-account", { id, plan: "enterprise" });
    await post("set-scopes", { account: id, scopes: ["company_monitoring:read"] });
    return (await post("create-api-key", { name: "first", account: id })).body;
  };
  const protocols = (): Readonly<Record<string, Call>> => {
    const rest: Call = async (key, operation, body) => {
      const { status } = await post(
        operation.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
        body,
        key,
      );
      return { 403: "permission_denied", 400: "invalid_argument", 409: "failed_precondition" }[status] ?? `${status}`;
    };
    const over =
      (transport: Transport): Call =>
      async (key, operation, body) => {
        const client = createClient(AccountService, transport);
        const call = client[operation] as (body: object, options: object) => Promise<unknown>;
        return call(body, { headers: { "X-Service-Key": key } }).then(
          () => "ok",
          (error: { code: number }) =>
            ({ 7: "permission_denied", 3: "invalid_argument", 9: "failed_precondition" })[error.code] ??
            `${error.code}`,
        );
      };
    const baseUrl = app.url;
    return {
      REST: rest,
      Connect: over(createConnectTransport({ baseUrl, httpVersion: "1.1" })),
      gRPC: over(createGrpcTransport({ baseUrl })),
      "gRPC-Web": over(createGrpcWebTransport({ baseUrl, httpVersion: "1.1" })),
    };
  };

  test("the first key of an account may handle keys, and one it makes may not unless that is asked for", async () => {
    const { secret, key } = await open("rights");
    expect(key.scopes).toEqual(["keys:read", "keys:write"]);
    const plain = (await post("create-api-key", { name: "plain" }, secret)).body;
    expect(plain.key.scopes).toEqual([]);
    expect((await app.get(`${prefix}list-api-keys`, { key: plain.secret })).status).toBe(403);
    const reader = (await post("create-api-key", { name: "reader", scopes: ["keys:read"] }, secret)).body;
    expect((await app.get(`${prefix}list-api-keys`, { key: reader.secret })).status).toBe(200);
  });

  test("over no protocol does a key without rights make, replace or revoke another", async () => {
    const { secret, key } = await open("ruled");
    const plain = (await post("create-api-key", { name: "plain", expiresAt: testTime.getTime() + minute }, secret))
      .body;
    // The scopes of this key do not forbid it, only the missing right to manage keys.
    const twin = (await post("create-api-key", { name: "twin", expiresAt: testTime.getTime() + minute }, secret)).body;
    for (const [protocol, sendRequest] of Object.entries(protocols())) {
      expect(await sendRequest(plain.secret, "createApiKey", { name: "mine" }), protocol).toBe("permission_denied");
      for (const keyId of [key.id, twin.key.id]) {
        expect(await sendRequest(plain.secret, "rotateApiKey", { keyId }), protocol).toBe("permission_denied");
        expect(await sendRequest(plain.secret, "revokeApiKey", { keyId }), protocol).toBe("permission_denied");
      }
    }
    expect((await app.get(`${prefix}get-caller`, { key: secret })).status).toBe(200);
  });

  test("over no protocol does a key give a scope it lacks, by making or by replacing, or outlive its maker", async () => {
    const { secret } = await open("narrow");
    const wide = (
      await post("create-api-key", { name: "wide", account: "narrow", scopes: ["company_monitoring:read"] })
    ).body;
    const end = testTime.getTime() + minute;
    const short = (await post("create-api-key", { name: "short", scopes: ["keys:write"], expiresAt: end }, secret))
      .body;
    for (const [protocol, sendRequest] of Object.entries(protocols())) {
      const scopes = ["company_monitoring:read"];
      expect(await sendRequest(secret, "createApiKey", { name: "x", scopes }), protocol).toBe("permission_denied");
      expect(await sendRequest(short.secret, "createApiKey", { name: "x", scopes: ["keys:read"] }), protocol).toBe(
        "permission_denied",
      );
      expect(await sendRequest(secret, "rotateApiKey", { keyId: wide.key.id }), protocol).toBe("permission_denied");
      const expiresAt = protocol === "REST" ? end + 1 : BigInt(end + 1);
      expect(await sendRequest(short.secret, "createApiKey", { name: "x", expiresAt }), protocol).toBe(
        "invalid_argument",
      );
    }
    const child = (await post("create-api-key", { name: "child" }, short.secret)).body;
    expect(child.key.expiresAt).toBe(end);
  });

  test("over every protocol a key revokes only keys whose scopes and end do not exceed its own", async () => {
    const root = await open("revoking");
    const end = testTime.getTime() + minute;
    const made = async (name: string, scopes: readonly string[], expiresAt?: number) =>
      (await post("create-api-key", { name, scopes, ...(expiresAt && { expiresAt }) }, root.secret)).body;
    const [writer, brief] = [await made("writer", ["keys:write"]), await made("brief", ["keys:write"], end)];
    for (const [protocol, sendRequest] of Object.entries(protocols())) {
      expect(await sendRequest(brief.secret, "revokeApiKey", { keyId: root.key.id }), protocol).toBe(
        "permission_denied",
      );
      expect(await sendRequest(brief.secret, "revokeApiKey", { keyId: writer.key.id }), protocol).toBe(
        "permission_denied",
      );
      expect(await sendRequest(writer.secret, "revokeApiKey", { keyId: root.key.id }), protocol).toBe(
        "permission_denied",
      );
    }
    const wider = await post<{ error: string }>("revoke-api-key", { keyId: root.key.id }, writer.secret);
    expect(wider.body.error).toBe(
      `${root.key.id} has scopes that yours lacks (keys:read): revoke it with itself, or with a key that isn't narrower`,
    );
    const longer = await post<{ error: string }>("revoke-api-key", { keyId: writer.key.id }, brief.secret);
    expect(longer.body.error).toContain("is valid for longer");
    expect((await post("revoke-api-key", { keyId: brief.key.id }, writer.secret)).status).toBe(200);
    expect((await post("revoke-api-key", { keyId: writer.key.id }, root.secret)).status).toBe(200);
    expect((await post("revoke-api-key", { keyId: root.key.id }, root.secret)).status).toBe(200);
  });

  test("any key replaces and revokes itself", async () => {
    const { secret } = await open("itself");
    const plain = (await post("create-api-key", { name: "plain" }, secret)).body;
    const next = await post("rotate-api-key", { keyId: plain.key.id }, plain.secret);
    expect(next.status).toBe(201);
    expect((await post("revoke-api-key", { keyId: next.body.key.id }, next.body.secret)).status).toBe(200);
  });

  test("a key that can only read changes nothing, whatever its scopes, plan, and protocol", async () => {
    const root = await open("reading");
    const scopes = ["keys:read", "keys:write", "company_monitoring:read"];
    const reader = (await post("create-api-key", { name: "reader", account: "reading", scopes, readOnly: true })).body;
    expect(reader.key).toMatchObject({ readOnly: true, scopes });
    for (const { read, access, verb, path } of catalog)
      if (!read && !access.operator && access.scope !== "company_monitoring:write") {
        const response = await app.get(path.replace("{subscriber_id}", "none"), {
          ...{ key: reader.secret, method: verb, ...(verb === "POST" && { body: "{}" }) },
        });
        expect(response.status, path).toBe(403);
        expect(await response.json(), path).toMatchObject({ error: "This key can only read" });
      }
    for (const [protocol, sendRequest] of Object.entries(protocols()))
      for (const operation of ["createApiKey", "rotateApiKey", "revokeApiKey"] as const) {
        const body = operation === "createApiKey" ? { name: "x" } : { keyId: reader.key.id };
        expect(await sendRequest(reader.secret, operation, body), `${protocol} ${operation}`).toBe("permission_denied");
      }
    const listed = await app.get(`${prefix}list-api-keys`, { key: reader.secret });
    expect(await listed.json()).toHaveProperty("keys.length", 2);
    const next = (await post("rotate-api-key", { keyId: reader.key.id })).body;
    expect(next.key).toMatchObject({ readOnly: true });
    expect((await post("create-api-key", { name: "x" }, next.secret)).status).toBe(403);
    expect((await app.get(`${prefix}get-caller`, { key: next.secret })).status).toBe(200);
    expect((await post("create-api-key", { name: "x" }, root.secret)).body.key).toMatchObject({ readOnly: false });
  });

  test("over no protocol is an operator's key made or replaced: a key that leaks has no children", async () => {
    const configured = newKey(randomBytes);
    await provideOperatorKey(database.kysely, configured, testTime);
    const status = async () => (await app.get(`${prefix}list-accounts`, { key: configured })).status;
    await eventually(status, (seen) => seen === 200);
    for (const [protocol, sendRequest] of Object.entries(protocols())) {
      expect(await sendRequest(configured, "createApiKey", { name: "mine" }), protocol).toBe("permission_denied");
      expect(await sendRequest(configured, "createApiKey", { name: "mine", account: "operator" }), protocol).toBe(
        "permission_denied",
      );
      const keyId = keyIdOf(hashOf(configured));
      expect(await sendRequest(configured, "rotateApiKey", { keyId }), protocol).toBe("failed_precondition");
    }
    const plan = await post("create-account", { id: "second-operator", plan: "operator" }, configured);
    expect(plan).toMatchObject({ status: 400, body: { violations: [{ field: "plan" }] } });
  });

  test("an operator's key that is taken out of the setting opens nothing, nor do operator keys once made from it", async () => {
    const [configured, child, own] = [newKey(randomBytes), newKey(randomBytes), newKey(randomBytes)];
    await provideOperatorKey(database.kysely, configured, testTime);
    // As programs before this rule stored what an operator's key made.
    const insert = (key: string, madeBy: string | null) =>
      database.kysely
        .insertInto("api_key")
        .values({
          ...{ id: keyIdOf(hashOf(key)), hash: hashOf(key), account: "operator", name: "made", expires_at: null },
          ...{ last_used_at: null, revoked_at: null, made_by: madeBy },
        })
        .execute();
    await insert(child, null);
    await insert(own, "store");
    const statuses = async () =>
      Promise.all(
        [configured, child, own].map(async (key) => (await app.get(`${prefix}list-accounts`, { key })).status),
      );
    await eventually(statuses, (seen) => seen.join() === "200,200,200");
    await provideOperatorKey(database.kysely, undefined, testTime);
    await eventually(statuses, (seen) => seen.join() === "401,401,200");
  });
});
