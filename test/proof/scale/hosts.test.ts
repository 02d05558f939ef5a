import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPlainClient } from "../../../sdk/typescript/src/plain.ts";
import { atRate } from "../../support/at-rate.ts";
import { type Bed, openBed } from "../../support/hosts/bed.ts";
import { type Host, networkLack } from "../../support/hosts/network.ts";
import { readsPerPage, readsPerSecond } from "../../support/hosts/reads.ts";
import { startTraffic, type TrafficReport } from "../../support/hosts/traffic.ts";
import { startWrites } from "../../support/hosts/writes.ts";
import { hasPostgres } from "../../support/servers/postgres-server.ts";

const lack = hasPostgres ? networkLack() : "no Postgres on this machine";
if (lack !== undefined) console.warn(`TESTS OF SEVERAL HOSTS ARE SKIPPED: ${lack}`);

describe.skipIf(lack !== undefined)("On hosts of their own", { timeout: 240_000 }, () => {
  let bed: Bed;
  beforeAll(async () => {
    bed = await openBed();
  }, 240_000);
  afterAll(() => bed[Symbol.asyncDispose](), 60_000);

  /** What callers saw while this was done; a second of peace stands before it. */
  const during = async (work: (well: () => void) => Promise<void>): Promise<TrafficReport> => {
    const traffic = await startTraffic(bed);
    await wait(1_000);
    // Whatever fails, its rule is not left behind.
    const worked = await Promise.allSettled([work(traffic.well).then(() => wait(3_000))]);
    const report = await traffic.end();
    if (worked[0].status === "rejected") throw worked[0].reason;
    const { reads, writes } = report;
    console.log(
      `${reads.requested} reads at ${Math.round(reads.perSecond)}/s, ${reads.failed.length} failed, the slowest ${Math.round(reads.slowestMs)} ms; ` +
        `${reads.pages} pages of ${reads.generations} generations, ${reads.mixed.length} mixed; ` +
        `${writes.acknowledged.length} writes acknowledged, ${writes.rejected.length} refused (${[...new Set(writes.rejected)].join(", ")}), ${report.lost.length} lost, none for ${Math.round(writes.gapMs)} ms, ${Math.round(writes.resumedMs)} ms after all was whole again, of one caller for ${Math.round(writes.slowestMs)} ms; ` +
        `${report.published} changes through ${report.streams} streams and a rule, all reported ${Math.round(report.reportedMs)} ms after the last, ` +
        `${report.unheard.length} unheard, ${report.unreported.length} unreported, ${report.ambiguous.length} under two ids`,
    );
    return report;
  };
  const expectWhole = ({ reads, lost, unheard, repeated, unreported, ambiguous }: TrafficReport) => {
    const { failed, mixed } = reads;
    const none = { failed: [], mixed: [], lost: [], unheard: [], repeated: [], unreported: [], ambiguous: [] };
    expect({ failed, mixed, lost, unheard, repeated, unreported, ambiguous }).toEqual(none);
    expect(reads.pages).toBeGreaterThan((0.9 * reads.requested) / readsPerPage);
    expect(reads.generations).toBeGreaterThan(3);
  };

  /** Writes continue after the fault. */
  const expectResumed = (report: TrafficReport) => {
    expectWhole(report);
    expect(report.writes.resumedMs).toBeLessThan(2_000);
  };

  test("a replica that is killed and comes back is missed by no caller", async () => {
    const report = await during(async () => {
      await bed.replicas[0]?.host.kill();
      await wait(5_000);
      await bed.replicas[0]?.start();
    });
    expectWhole(report);
  });

  test("a roll through the replicas, stopped in order or killed, is missed by no caller", async () => {
    const report = await during(async () => {
      for (const replica of bed.replicas) {
        await replica.stop();
        await replica.start();
      }
      for (const replica of bed.replicas.slice(1)) {
        await replica.host.kill();
        await replica.start();
      }
    });
    expectWhole(report);
  });

  test("a primary that is killed leaves all that was acknowledged to its standby, which is written to within seconds", async () => {
    const report = await during(async () => {
      await bed.primary.host.kill();
      await bed.standby.promote();
      await wait(5_000);
    });
    await bed.failBack();
    expectWhole(report);
    expect(report.writes.gapMs).toBeLessThan(2_000);
  });

  /** Acknowledged writes that a promoted standby lacks whose cable was out just before the primary was killed. */
  const lostWrites = async (isSynchronous: boolean) => {
    await bed.primary.synchronize(isSynchronous);
    const writes = startWrites(bed.url, bed.operatorKey);
    await wait(1_000);
    bed.standby.host.pull();
    await wait(1_500);
    await bed.primary.host.kill();
    bed.standby.host.plug();
    await bed.standby.promote();
    await wait(3_000);
    const { acknowledged } = await writes.end();
    const stored = new Set((await bed.standby.query<{ id: string }>("select id from account")).map(({ id }) => id));
    await bed.failBack();
    const lost = acknowledged.filter((id) => !stored.has(id));
    console.log(
      `${isSynchronous ? "Synchronous" : "Asynchronous"}: ${lost.length} of ${acknowledged.length} acknowledged writes lost`,
    );
    return lost.length;
  };

  test("only where commits wait for the standby is nothing lost that it has not heard of", async () => {
    expect(await lostWrites(true)).toBe(0);
    expect(await lostWrites(false)).toBeGreaterThan(0);
  });

  /** The cable is out for three seconds. */
  const unplugged = async ({ host }: { readonly host: Host }, well: () => void) => {
    host.pull();
    await wait(3_000);
    host.plug();
    well();
    await wait(5_000);
  };

  /** A server is killed, comes back after a while and has some time after it. */
  const gone = async (server: typeof bed.primary, forMs: number, afterMs: number, well: () => void) => {
    await server.host.kill();
    await wait(forMs);
    await server.start();
    well();
    await wait(afterMs);
  };

  test("a replica whose cable is pulled for three seconds is missed by no caller", async () => {
    expectWhole(await during((well) => unplugged(bed.replicas[0]!, well)));
  });

  test("a replica that hangs for eight seconds fails no read", async () => {
    const report = await during(async () => {
      bed.replicas[0]?.hang();
      await wait(8_000);
      bed.replicas[0]?.resume();
    });
    expectWhole(report);
    // What waited for it goes to another one after 5 s.
    expect(report.reads.slowestMs).toBeLessThan(6_500);
  });

  test("reads continue while the primary is unreachable for fifteen seconds", async () => {
    expectResumed(await during((well) => gone(bed.primary, 15_000, 5_000, well)));
  });

  test("reads continue and writes wait while the cable of the primary is pulled for three seconds", async () => {
    expectResumed(await during((well) => unplugged(bed.primary, well)));
  });

  test("a fifth of the packets of a replica, then of the primary, may be lost", async () => {
    const report = await during(async () => {
      for (const { host } of [bed.replicas[0]!, bed.primary]) {
        host.lose(0.2);
        await wait(8_000);
        host.lose(0);
      }
    });
    expectWhole(report);
  });

  test("reads continue while the disk of the primary is full, and no lost write is acknowledged", async () => {
    const report = await during(async (well) => {
      bed.primary.fillDisk();
      // Until there is none for its log.
      const next = () => bed.primary.query("select pg_switch_wal() from pg_logical_emit_message(true, '', '')");
      const isFull = () =>
        next().then(
          () => false,
          () => true,
        );
      for (let segments = 0; segments < 40 && !(await isFull()); ) segments += 1;
      await wait(5_000);
      console.log(`The server ${bed.primary.isRunning() ? "still runs" : "has ended"} on a full disk`);
      bed.primary.clearDisk();
      if (!bed.primary.isRunning()) await bed.primary.start();
      well();
      await wait(5_000);
    });
    expectResumed(report);
    expect(report.writes.rejected.length).toBeGreaterThan(0);
  });

  test("while the standby is gone reads go to the primary", async () => {
    expectResumed(await during((well) => gone(bed.standby, 3_000, 3_000, well)));
  });

  test("one of two HAProxy may be killed without an error for a client that retries", async () => {
    const client = createPlainClient({ baseUrl: bed.url, apiKey: bed.callerKey() });
    const failed: unknown[] = [];
    const read = () =>
      client
        .get("/api/infrastructure/v1/list-internet-outages", { country: "SY" })
        .catch((error) => failed.push(error));
    let requested = { begun: 0, perSecond: 0 };
    const report = await during(async () => {
      const reading = atRate(readsPerSecond, read);
      for (let times = 4; times > 0; times -= 1) {
        bed.balancer.kill();
        await wait(1_500);
      }
      requested = await reading.end();
    });
    console.log(
      `${requested.begun} reads at ${Math.round(requested.perSecond)}/s through a client, ${failed.length} failed`,
    );
    expect(failed).toEqual([]);
    // Reads without retries fail if they are running at a kill, which are those of some hundredths of a second.
    expect(report.reads.failed.length).toBeLessThan(Math.max(20, 4 * 0.03 * readsPerSecond));
    expectWhole({ ...report, reads: { ...report.reads, failed: [] } });
    expect(report.writes.gapMs).toBeLessThan(2_000);
  });
});
