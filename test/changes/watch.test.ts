import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { beforeEach, expect, test } from "vitest";
import { ChangesService } from "../../gen/es/ids/changes/v1/changes_pb.ts";
import { hashOf } from "../../src/access/keys/api-key.ts";
import { revokeKey, storeKey } from "../../src/access/keys/keys.ts";
import type { Database } from "../../src/store/database.ts";
import { eventually, startApp, type TestApp, testTime } from "../support/app.ts";
import { describeEachDatabase } from "../support/databases.ts";
import { openEvents } from "./event-stream.ts";
import { type ChangePage, changesOf, listPath, outage, outageBed, watchPath } from "./listed-changes.ts";

describeEachDatabase("streams of changes", (openFresh) => {
  let database: Database;
  let app: TestApp;
  let key: string;
  let bed: ReturnType<typeof outageBed>;
  beforeEach(async () => {
    database = await openFresh();
    app = await startApp(database, { environment: { IDS_DATA: "live" }, streamTimes: { beatMs: 50, lookMs: 10 } });
    key = await app.key("pro_monthly");
    bed = outageBed(database);
    return app[Symbol.asyncDispose];
  });
  const limitsOf = async (presented: string) => {
    const body = (await (await app.get("/api/account/v1/get-limits", { key: presented })).json()) as {
      limits: { name: string; limit?: number; remaining?: number }[];
    };
    return body.limits.find(({ name }) => name === "open_streams");
  };

  test("changes are events as they become visible, and a client that reconnects with the last id receives each once", async () => {
    await using stream = await openEvents(app, "", { key });
    expect(stream.response.status).toBe(200);
    expect(Object.fromEntries(stream.response.headers)).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    });
    await bed.refresh([outage("a")]);
    expect(await stream.next()).toMatchObject({ id: "1", event: "replaced", data: { dataset: "internet-outages" } });
    expect(stream.aside[0]).toMatch(/^retry: \d{4}\nid: 0$/);
    await bed.refresh([outage("a"), outage("b")]);
    expect(await stream.next()).toMatchObject({ id: "2", event: "appeared", data: { subject: "b", country: "UA" } });
    await stream[Symbol.asyncDispose]();

    await bed.refresh([outage("b"), outage("c")]);
    await using resumed = await openEvents(app, "after=1", { key, headers: { "Last-Event-ID": "2" } });
    const { changes } = await changesOf(app, "after=2");
    expect(changes).toHaveLength(2);
    for (const change of changes)
      expect(await resumed.next()).toEqual({ id: String(change.position), event: change.kind, data: change });
    await bed.refresh([outage("b"), outage("d")]);
    expect((await resumed.next())?.id).toBe("5");
  });

  test("another process on the same store also reports them", async () => {
    await using other = await startApp(database, { environment: { IDS_DATA: "live" } });
    await using stream = await openEvents(other, "", { key });
    const begun = performance.now();
    await bed.refresh([outage("a")]);
    expect((await stream.next())?.id).toBe("1");
    expect(performance.now() - begun).toBeLessThan(10_000);
  });

  test("only what is asked for comes: datasets, countries and kinds, over time and from the log", async () => {
    await bed.refresh([outage("a")]);
    const requested = "countries=ua,FR&kinds=changed,appeared&datasets=internet-outages";
    await using live = await openEvents(app, requested, { key });
    const inCountry = (id: string, country: string) => outage(id, { country });
    await bed.refresh([outage("a"), inCountry("c", "DE"), inCountry("d", "FR"), inCountry("e", "UA")]);
    await using late = await openEvents(app, `after=0&${requested}`, { key });
    for (const stream of [live, late])
      expect([(await stream.next())?.data, (await stream.next())?.data]).toMatchObject([
        { subject: "d" },
        { subject: "e" },
      ]);
    const { changes, nextPosition } = await changesOf(app, requested);
    expect(changes.map(({ subject }) => subject)).toEqual(["d", "e"]);
    expect(nextPosition).toBe(4);
    expect((await changesOf(app, "datasets=risk-scores")).changes).toEqual([]);
  });

  test("one country is named as on other reads, by `country`", async () => {
    await bed.refresh([outage("a")]);
    await bed.refresh([outage("a"), outage("here"), outage("abroad", { country: "DE" })]);
    for (const country of ["ukr", "Ukraine", "804"]) {
      const listed = await app.get(`${listPath}?country=${country}`, { key });
      expect(listed.headers.get("X-Ignored-Parameters")).toBeNull();
      expect(((await listed.json()) as ChangePage).changes.map(({ subject }) => subject)).toEqual(["here"]);
    }
    for (const query of ["country=XX", "country=UA&countries=DE"])
      for (const path of [listPath, watchPath]) {
        const rejected = await app.get(`${path}?${query}`, { key });
        expect([rejected.status, await rejected.json()]).toMatchObject([400, { violations: [{ field: "country" }] }]);
      }
  });

  test("the list continues where it ended", async () => {
    await bed.refresh([outage("a")]);
    await bed.refresh(["a", "b", "c", "d"].map((id) => outage(id)));
    const seen: number[] = [];
    for (let after = 0, more = true; more; ) {
      const page = await app.json<{ changes: { position: number }[]; nextPosition: number; more: boolean }>(
        `${listPath}?limit=3&after=${after}`,
      );
      seen.push(...page.changes.map(({ position }) => position));
      ({ nextPosition: after, more } = page);
    }
    expect(seen).toEqual([1, 2, 3, 4]);
  });

  test("a bad request is refused by field and rule before anything is streamed", async () => {
    await bed.refresh([outage("a")]);
    const wrong = [
      ["after=-1", "after"],
      ["after=x", "after"],
      ["datasets=nonesuch", "datasets[0]"],
      ["countries=ZZ", "countries[0]"],
      ["kinds=went", "kinds[0]"],
    ];
    for (const path of [listPath, watchPath])
      for (const [query, field] of wrong) expect(await app.rejected(`${path}?${query}`), query).toEqual([field]);
    for (const path of [listPath, watchPath])
      expect(await app.rejected(`${path}?as_of=2026-11-01`), path).toEqual(["as_of"]);
    const response = await app.get(watchPath, { headers: { "Last-Event-ID": "last" } });
    expect(await response.json()).toMatchObject({ violations: [{ field: "Last-Event-ID" }] });
    expect((await app.get(watchPath, { key: null })).status).toBe(401);
    const strict = await app.get(`${watchPath}?since=1`, { headers: { Prefer: "handling=strict" } });
    expect(await strict.json()).toMatchObject({ violations: [{ field: "since" }] });
    expect((await app.get(watchPath, { method: "DELETE" })).status).toBe(405);
  });

  test("a position whose changes are no longer kept, or never were, is a 410 that says where to begin", async () => {
    await bed.refresh([outage("a")]);
    await bed.refresh(["a", "b", "c"].map((id) => outage(id)));
    // A client with position 1 continues from it.
    await app.settled();
    await database.query("delete from change where position <= 2");
    for (const path of [listPath, watchPath])
      for (const [after, begin] of [
        [1, 2],
        [4, 3],
      ]) {
        const response = await app.get(`${path}?after=${after}`);
        expect(response.status, path).toBe(410);
        expect(((await response.json()) as { message: string }).message).toContain(`start with after=${begin}`);
      }
    expect((await changesOf(app, "after=2")).changes).toHaveLength(1);
    expect((await changesOf(app)).changes).toHaveLength(1);
    await using stream = await openEvents(app, "after=0", { key });
    expect((await stream.next())?.id).toBe("3");
  });

  test("a silent stream sends a heartbeat, and the position up to which it is complete", async () => {
    await bed.refresh([outage("a", { country: "FR" })]);
    await using stream = await openEvents(app, "countries=UA", { key });
    await stream.nextAside();
    await bed.refresh([outage("b", { country: "FR" })]);
    await eventually(
      async () => {
        await stream.nextAside();
        return stream.aside.at(-1) ?? "";
      },
      (said) => said === ": still here\nid: 3",
    );
  });

  test("a revoked key ends its streams, and no others", async () => {
    const other = await app.key("pro_monthly");
    await using stream = await openEvents(app, "", { key });
    await using stays = await openEvents(app, "", { key: other });
    await revokeKey(database.kysely, hashOf(key), testTime);
    const begun = performance.now();
    expect(await stream.next()).toMatchObject({ event: "end", data: { reason: "access", position: 0 } });
    expect(await stream.next()).toBeUndefined();
    expect(performance.now() - begun).toBeLessThan(2_000);
    await bed.refresh([outage("a")]);
    expect((await stays.next())?.id).toBe("1");
  });

  test("a plan limits its streams, with one more a 429, and a lower plan ends them", async () => {
    const free = await app.key("free");
    expect(await limitsOf(free)).toMatchObject({ limit: 1, remaining: 1 });
    await using first = await openEvents(app, "", { key: free });
    expect(await limitsOf(free)).toMatchObject({ limit: 1, remaining: 0 });
    const rejected = await app.get(watchPath, { key: free });
    expect(rejected.status).toBe(429);
    expect(await rejected.json()).toMatchObject({ message: "The plan allows 1 open stream at a time" });
    await first[Symbol.asyncDispose]();
    await eventually(
      () => limitsOf(free),
      (limit) => limit?.remaining === 1,
    );

    const streams = [];
    for (const _ of [1, 2, 3]) streams.push(await openEvents(app, "", { key }));
    const { account } = await database.kysely
      .selectFrom("api_key")
      .select("account")
      .where("hash", "=", hashOf(key))
      .executeTakeFirstOrThrow();
    await storeKey(database.kysely, key, { account, plan: "free", name: "test" }, testTime);
    // Each may have received data that the lower plan does not include.
    for (const stream of streams) expect((await stream.next())?.event).toBe("end");
    for (const stream of streams) await stream[Symbol.asyncDispose]();
    await using again = await openEvents(app, "", { key });
    await bed.refresh([outage("a")]);
    expect((await again.next())?.id).toBe("1");
    expect(await limitsOf(await app.key("operator"))).not.toHaveProperty("limit");
  });

  test("a service that stops ends its streams with where to resume", async () => {
    const stopping = await startApp(database, { environment: { IDS_DATA: "live" } });
    await using stream = await openEvents(stopping, "", { key });
    await bed.refresh([outage("a")]);
    expect((await stream.next())?.id).toBe("1");
    const begun = performance.now();
    await stopping[Symbol.asyncDispose]();
    expect(performance.now() - begun).toBeLessThan(3_000);
    expect(await stream.next()).toMatchObject({ id: "1", event: "end", data: { reason: "shutdown", position: 1 } });
    expect(await stream.next()).toBeUndefined();
  });

  test("Connect, gRPC and gRPC-Web have the same stream, validated and refused alike, with the position in the trailer", async () => {
    const headers = { "X-Service-Key": key };
    const options = { baseUrl: app.url, useBinaryFormat: true };
    await bed.refresh([outage("a")]);
    await bed.refresh([outage("a"), outage("b")]);
    for (const transport of [
      createConnectTransport({ ...options, httpVersion: "1.1" }),
      createConnectTransport({ ...options, httpVersion: "1.1", useBinaryFormat: false }),
      createGrpcTransport(options),
      createGrpcWebTransport({ ...options, httpVersion: "1.1" }),
    ]) {
      const client = createClient(ChangesService, transport);
      const gone = new AbortController();
      const seen: unknown[] = [];
      const reading = (async () => {
        for await (const { change, position } of client.watchChanges(
          { after: 1n, countries: ["UA"] },
          { headers, signal: gone.signal },
        )) {
          if (!change) continue;
          seen.push([change.kind, change.subject, Number(position), change.after?.id]);
          gone.abort();
        }
      })();
      await expect(reading).rejects.toThrow(/abort|cancel/i);
      expect(seen).toEqual([["appeared", "b", 2, "b"]]);
      const first = (request: object, key: Readonly<Record<string, string>> = headers) =>
        client.watchChanges(request, { headers: key })[Symbol.asyncIterator]().next();
      await expect(first({ countries: ["X"] })).rejects.toThrow("[invalid_argument]");
      await expect(first({}, { ...headers, "X-As-Of": "2026-11-01" })).rejects.toThrow("[invalid_argument] as_of");
      await expect(first({ after: 99n })).rejects.toThrow("[out_of_range]");
      await expect(first({}, { "X-Service-Key": "none" })).rejects.toThrow("[unauthenticated]");
    }
    await eventually(
      () => limitsOf(key),
      (limit) => limit?.remaining === 5,
    );
  });

  test("over gRPC a stream ends with its position when the service stops", async () => {
    const stopping = await startApp(database, { environment: { IDS_DATA: "live" } });
    await bed.refresh([outage("a")]);
    const client = createClient(ChangesService, createGrpcTransport({ baseUrl: stopping.url }));
    const stream = client.watchChanges({ after: 0n }, { headers: { "X-Service-Key": key } });
    const reader = stream[Symbol.asyncIterator]();
    expect((await reader.next()).value).toMatchObject({ position: 1n });
    const end = reader.next().catch((error: unknown) => ConnectError.from(error));
    await stopping[Symbol.asyncDispose]();
    const error = await end;
    expect(error).toMatchObject({ code: Code.Unavailable });
    expect(error instanceof ConnectError && error.metadata.get("x-resume-position")).toBe("1");
  });
});
