import { randomBytes } from "node:crypto";
import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { newKey } from "../../src/access/keys/api-key.ts";
import { openDatabase } from "../../src/store/database.ts";
import { migrate } from "../../src/store/migrate.ts";
import { eventually, startApp, testTime } from "../support/app.ts";
import { hasPostgres, startPostgres } from "../support/servers/postgres-server.ts";

const tenders = "/api/economic/v1/list-global-tenders";
const explanation = "/api/intelligence/v1/get-risk-score-explanation";
const keyed = "/api/infrastructure/v1/get-ip-geo";

test.skipIf(!hasPostgres)(
  "while Postgres is stopped, known keys work for a minute and unknown ones get 503, until Postgres is back",
  { timeout: 60_000 },
  async () => {
    await using server = await startPostgres();
    const database = await openDatabase({ url: server.url, directory: "/nowhere", name: "test", log: () => undefined });
    try {
      await migrate(database, () => testTime);
      let logged = "";
      const log = new Writable({
        write(chunk: Buffer, _encoding, done) {
          logged += chunk;
          done();
        },
      });
      await using app = await startApp(database, {
        environment: { IDS_METRICS_PORT: "0", IDS_LOG_LEVEL: "warn" },
        log,
      });
      const [known, fresh] = [await app.key("pro_monthly"), await app.key("pro_monthly")];
      expect((await app.get(keyed, { key: known })).status).toBe(200);

      await app.refresh("global-tenders");
      expect(await (await app.get(tenders, { key: known })).json()).toMatchObject({ availability: "available" });

      for (const name of ["conflict-events", "risk-scores"] as const) await app.refresh(name);
      const explained = async (query: string) => {
        const response = await app.get(`${explanation}?country=UA${query}`, { key: known });
        return [response.status, /"sourceDigest":"[0-9a-f]{64}"/.test(await response.text())];
      };
      expect(await explained("")).toEqual([200, true]);

      await server.stop();
      // A score in memory is still explained, without the digests, which are in the store.
      expect(await explained("&jmespath=@")).toEqual([200, false]);
      // Asked otherwise, so that no kept answer helps.
      const cut = await app.get(`${tenders}?query=software`, { key: known });
      expect([cut.status, cut.headers.get("cache-control")]).toEqual([200, "no-store"]);
      expect(await cut.json()).toMatchObject({
        ...{ tenders: [], dataAvailable: false, availability: "unavailable", countryCoverage: "unknown" },
        appliedFilters: ["query"],
      });
      expect((await app.get(keyed, { key: known })).status).toBe(200);
      for (const key of [fresh, newKey(randomBytes)]) {
        const unknown = await app.get(keyed, { key });
        expect(await unknown.json()).toEqual({ error: "Service temporarily unavailable" });
        expect([unknown.status, unknown.headers.get("X-Validation-Mode"), unknown.headers.get("Retry-After")]).toEqual([
          ...[503, "degraded", "5"],
        ]);
      }
      expect((await app.get(keyed, { key: "garbage" })).status).toBe(401);
      const metrics = await (await fetch(`http://127.0.0.1:${app.metricsPort}/metrics`)).text();
      expect(metrics).toMatch(/^ids_store_reachable 0$/m);
      // Values that cannot be read are absent, and not 0.
      expect(metrics).not.toMatch(/^ids_(dataset_state|jobs_waiting|webhook_deliveries_waiting|source_budget_used)/m);
      expect(metrics).toMatch(
        /^ids_request_failures_total\{operation="GetIpGeo",protocol="rest",cause="service"\} 2$/m,
      );
      expect(metrics).toMatch(
        /^ids_request_failures_total\{operation="ListGlobalTenders",protocol="rest",cause="flagged"\} 1$/m,
      );
      app.setTime(new Date(testTime.getTime() + 59_999));
      expect((await app.get(keyed, { key: known })).status).toBe(200);
      app.setTime(new Date(testTime.getTime() + 60_000));
      expect((await app.get(keyed, { key: known })).status).toBe(503);
      expect(logged).toContain('"level":40');
      expect(logged).not.toMatch(/"level":50|"stack"/);

      await server.start();
      const back = performance.now();
      await eventually(
        async () => (await app.get(keyed, { key: known })).status,
        (status) => status === 200,
      );
      // Within 5 s; ten times that on a busy machine.
      expect(performance.now() - back).toBeLessThan(50_000);
      console.info(`answered ${Math.round(performance.now() - back)} ms after Postgres was back`);
      expect((await app.get(keyed, { key: fresh })).status).toBe(200);
      expect((await app.get(keyed, { key: newKey(randomBytes) })).status).toBe(401);
    } finally {
      await database.close();
    }
  },
);
