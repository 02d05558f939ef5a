import { beforeEach, expect, test } from "vitest";
import { createClient } from "../../sdk/typescript/src/client.ts";
import { createPlainClient, UnauthorizedError, ValidationError } from "../../sdk/typescript/src/plain.ts";
import { hashOf } from "../../src/access/keys/api-key.ts";
import { revokeKey } from "../../src/access/keys/keys.ts";
import type { Database } from "../../src/store/database.ts";
import { outage, outageBed } from "../changes/listed-changes.ts";
import { startApp, type TestApp, testTime } from "../support/app.ts";
import { describeOnce } from "../support/databases.ts";

describeOnce("the client that follows changes", (openFresh) => {
  let database: Database;
  let app: TestApp;
  let key: string;
  beforeEach(async () => {
    database = await openFresh();
    app = await start();
    key = await app.key("pro_monthly");
    return () => app[Symbol.asyncDispose]();
  });
  const start = () => startApp(database, { environment: { IDS_DATA: "live" } });
  /** Wherever the service is now. */
  const options = () => ({
    baseUrl: app.url,
    apiKey: key,
    fetch: (input: string | URL | Request, init?: RequestInit) =>
      fetch(new URL(new URL(String(input)).pathname + new URL(String(input)).search, app.url), init),
  });
  const atOnce = { sleep: async () => {} };

  test.each([
    ["Connect", () => createClient(options(), atOnce).changes],
    ["plain JSON", () => createPlainClient(options(), atOnce).changes],
  ])("continues automatically where it was if the service restarts (%s)", async (_, make) => {
    const bed = outageBed(database);
    await bed.refresh([outage("a")]);
    await bed.refresh([outage("a"), outage("b")]);
    const positions: number[] = [];
    const seen: string[] = [];
    const onPosition = (position: number) => positions.push(position);
    for await (const { kind, subject, position } of make()({ country: "UA", after: 0 }, { onPosition })) {
      seen.push(`${kind} ${subject} ${position}`);
      if (seen.length === 1) {
        await app[Symbol.asyncDispose]();
        await bed.refresh([outage("a"), outage("b"), outage("c"), outage("f", { country: "FR" })]);
        app = await start();
      }
      if (seen.length === 2) await bed.refresh([outage("a"), outage("b"), outage("c"), outage("d")]);
      if (seen.length === 3) break;
    }
    expect(seen).toEqual(["appeared b 2", "appeared c 3", "appeared d 5"]);
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
  });

  test("ends if reconnecting does not help: a bad query, and a key that is revoked in the meantime", async () => {
    const { changes } = createPlainClient(options(), atOnce);
    await expect(changes({ country: "Atlantis" }).next()).rejects.toThrow(ValidationError);
    const bed = outageBed(database);
    await bed.refresh([outage("a")]);
    const stream = changes({ after: 0 });
    expect((await stream.next()).value).toMatchObject({ kind: "replaced" });
    await revokeKey(database.kysely, hashOf(key), testTime);
    await expect(stream.next()).rejects.toThrow(UnauthorizedError);
  });

  test("ends with its signal", async () => {
    const gone = new AbortController();
    const stream = createPlainClient(options(), atOnce).changes({}, { signal: gone.signal });
    const next = stream.next();
    gone.abort(new Error("enough"));
    await expect(next).rejects.toThrow("enough");
  });
});
