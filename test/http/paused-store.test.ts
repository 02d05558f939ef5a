import { expect, test } from "vitest";
import { openDatabase } from "../../src/store/database.ts";
import { migrate } from "../../src/store/migrate.ts";
import { servingLimits } from "../../src/store/pool.ts";
import { eventually, startApp } from "../support/app.ts";
import { hasPostgres, startPostgres } from "../support/servers/postgres-server.ts";

/** A caller receives a response within this time, whatever the store does. */
const promisedMs = 10_000;

test.skipIf(!hasPostgres)(
  "on a store that stands still, or takes no writes, every route says in time what is true",
  { timeout: 90_000 },
  async () => {
    await using server = await startPostgres();
    const database = await openDatabase({
      url: server.url,
      directory: "/nowhere",
      name: "test",
      limits: servingLimits,
    });
    await using stack = new AsyncDisposableStack();
    stack.defer(database.close);
    await migrate(database, () => new Date());
    const app = stack.use(await startApp(database));
    await app.refresh("internet-outages");
    await app.refresh("conflict-events");
    const [known, unseen] = [await app.key("enterprise"), await app.key("enterprise")];
    const write = (name: string) => ({ method: "POST", body: JSON.stringify({ name }) });
    const create = "/api/account/v1/create-api-key";
    const routes: readonly (readonly [string, Parameters<typeof app.get>[1], number])[] = [
      ["/livez", { key: null }, 200],
      ["/api/health", { key: null }, 503],
      ["/api/catalog/v1/list-datasets", { key: null }, 503],
      ["/docs", { key: null }, 200],
      ["/docs/list-global-tenders", { key: null }, 200],
      ["/api/infrastructure/v1/list-internet-outages", { key: known }, 200],
      ["/api/infrastructure/v1/list-internet-outages", { key: unseen }, 503],
      ["/api/account/v1/get-caller", { key: known }, 503],
      ["/api/account/v1/list-audit-events", { key: known }, 503],
      ["/api/economic/v1/list-global-tenders", { key: known }, 200],
      [create, { key: known, ...write("paused") }, 503],
      [create, { key: known, headers: { "Idempotency-Key": "paused" }, ...write("paused") }, 503],
      ["/api/v2/shipping/webhooks", { key: known }, 503],
    ];
    expect((await app.get("/api/account/v1/get-caller", { key: known })).status).toBe(200);
    expect((await app.get("/api/account/v1/list-accounts")).status).toBe(200);
    const sendRequest = () =>
      Promise.all(
        routes.map(async ([path, options, status]) => {
          const begun = performance.now();
          const response = await app.get(path, options);
          await response.text();
          return { path, status: response.status, expected: status, inTime: performance.now() - begun < promisedMs };
        }),
      );
    server.pause();
    for (const { path, status, expected, inTime } of await sendRequest())
      expect({ path, status, inTime }).toEqual({ path, status: expected, inTime: true });
    server.resume();
    await eventually(
      async () => (await app.get("/api/account/v1/get-caller", { key: known })).status,
      (seen) => seen === 200,
    );

    await database.query("alter system set default_transaction_read_only = on");
    await database.query("select pg_reload_conf()");
    let tries = 0;
    const rejected = await eventually(
      () => app.get("/api/account/v1/create-account", { method: "POST", body: `{"id":"late-${tries++}"}` }),
      ({ status }) => status !== 201,
    );
    expect([rejected.status, await rejected.json(), rejected.headers.get("Retry-After")]).toEqual([
      503,
      { message: "The database accepts no writes now" },
      "5",
    ]);
    // Limited operations fail without a count, and reads of the data still work.
    expect((await app.get("/api/account/v1/get-caller", { key: known })).headers.get("X-RateLimit-Mode")).toBe(
      "degraded",
    );
    expect((await app.get("/api/infrastructure/v1/list-internet-outages", { key: known })).status).toBe(200);
  },
);
