import { Response } from "undici";
import { expect, test } from "vitest";
import type { Database } from "../../../../src/store/database.ts";
import type { Transport } from "../../../../src/upstream/network.ts";
import { sampleUpstream } from "../../../../src/upstream/sample/sample.ts";
import { startApp, testTime } from "../../../support/app.ts";
import { describeEachDatabase } from "../../../support/databases.ts";

const minuteMs = 60_000;

interface Status {
  readonly chokepoint_id: string;
  readonly score: number;
  readonly status: string;
  readonly warnings: number;
  readonly anomaly: boolean;
  readonly flow_ratio: number | null;
  readonly upstream_unavailable: boolean;
  readonly version: string;
  readonly updated_at: Date;
}

async function statuses({ query }: Database): Promise<ReadonlyMap<string, Status>> {
  const { rows } = await query("select * from chokepoint_status");
  return new Map((rows as Status[]).map((row) => [row.chokepoint_id, row]));
}

/** The two upstreams, playing their samples; each host that was asked, and those that are down. */
function outside() {
  const down = new Set<string>();
  const requested: string[] = [];
  const upstreams = ["portwatch", "nga-warnings"].map((source) => sampleUpstream(source, () => testTime));
  const transport: Transport = async (url) => {
    const { host } = new URL(url);
    requested.push(host);
    if (down.has(host)) return new Response("", { status: 404 });
    for (const upstream of upstreams) {
      const text = await upstream.text({ url }).catch(() => undefined);
      if (text !== undefined) return new Response(text);
    }
    return new Response("", { status: 404 });
  };
  return {
    down,
    requested,
    options: { outside: { transport, wait: async () => undefined } },
  };
}
const nga = "msi.nga.mil";
const arcgis = "services9.arcgis.com";

describeEachDatabase("The status of the chokepoints", (openFresh) => {
  test("the sample's history leaves every chokepoint with a score, and those that changed with a higher version", async () => {
    const database = await openFresh();
    await using app = await startApp(database);
    await app.refresh("chokepoint-status");
    const all = await statuses(database);
    expect(all.size).toBe(13);
    expect(all.get("bab_el_mandeb")).toMatchObject({
      score: 50,
      status: "red",
      warnings: 2,
      upstream_unavailable: false,
    });
    expect(all.get("kerch_strait")).toMatchObject({ score: 90, status: "red", anomaly: true });
    expect(all.get("lombok_strait")).toMatchObject({ score: 0, status: "green", flow_ratio: null, version: "1" });
    expect(Number(all.get("bab_el_mandeb")?.version)).toBeGreaterThan(2);
    const covered = [...all.values()].filter(({ flow_ratio }) => flow_ratio !== null);
    expect(covered).toHaveLength(7);
    for (const { flow_ratio } of covered) expect(flow_ratio).toBeLessThanOrEqual(1.5);
  });

  test("a refresh that changes nothing raises no version; one more warning raises one", async () => {
    const database = await openFresh();
    await using app = await startApp(database);
    await app.refresh("chokepoint-status");
    const before = await statuses(database);
    app.setTime(new Date(testTime.getTime() + 5 * minuteMs));
    await app.refresh("chokepoint-status");
    expect(await statuses(database)).toEqual(before);
    await database.query("update chokepoint_status set warnings = 0, score = 40 where chokepoint_id = 'bab_el_mandeb'");
    await app.refresh("chokepoint-status");
    const after = await statuses(database);
    expect(after.get("bab_el_mandeb")?.version).toBe(String(Number(before.get("bab_el_mandeb")?.version) + 1));
    expect(after.get("suez")).toEqual(before.get("suez"));
  });

  test("live, warnings are asked for hourly and transits every six hours, whatever the schedule", async () => {
    const { requested, options } = outside();
    await using app = await startApp(await openFresh(), options);
    const requestedAfter = async (minutes: number) => {
      app.setTime(new Date(testTime.getTime() + minutes * minuteMs));
      requested.length = 0;
      await app.refresh("chokepoint-status");
      return [requested.filter((host) => host === nga).length, requested.filter((host) => host === arcgis).length];
    };
    expect(await requestedAfter(0)).toEqual([1, 13]);
    expect(await requestedAfter(5)).toEqual([0, 0]);
    expect(await requestedAfter(60)).toEqual([1, 0]);
    expect(await requestedAfter(360)).toEqual([1, 13]);
  });

  test("without its inputs a chokepoint rests at its threat and is marked, and with them it is not", async () => {
    const { down, options } = outside();
    const database = await openFresh();
    await using app = await startApp(database, options);
    down.add(nga).add(arcgis);
    await app.refresh("chokepoint-status");
    const resting = await statuses(database);
    expect([...resting.values()].every((row) => row.upstream_unavailable)).toBe(true);
    const ids = ["hormuz_strait", "kerch_strait", "bab_el_mandeb", "suez", "taiwan_strait", "bosphorus", "panama"];
    expect(ids.map((id) => resting.get(id)?.score)).toEqual([70, 70, 40, 30, 15, 15, 0]);
    expect(ids.map((id) => resting.get(id)?.status)).toEqual([
      "red",
      "red",
      "yellow",
      "yellow",
      "green",
      "green",
      "green",
    ]);
    down.clear();
    app.setTime(new Date(testTime.getTime() + 360 * minuteMs));
    await app.refresh("chokepoint-status");
    expect([...(await statuses(database)).values()].some((row) => row.upstream_unavailable)).toBe(false);
  });

  test("inputs that have not been read for hours stay in the score, and are reported as unreachable", async () => {
    const { down, options } = outside();
    const database = await openFresh();
    await using app = await startApp(database, options);
    await app.refresh("chokepoint-status");
    const before = await statuses(database);
    down.add(nga);
    app.setTime(new Date(testTime.getTime() + 181 * minuteMs));
    await app.refresh("chokepoint-status");
    const after = (await statuses(database)).get("bab_el_mandeb");
    expect(after).toMatchObject({ score: before.get("bab_el_mandeb")?.score, upstream_unavailable: true });
  });

  test("transits that end three weeks ago say nothing about today", async () => {
    const { options } = outside();
    const database = await openFresh();
    const later = new Date(testTime.getTime() + 16 * 24 * 60 * minuteMs);
    await using app = await startApp(database, { ...options, now: later });
    await app.refresh("chokepoint-status");
    const kerch = (await statuses(database)).get("kerch_strait");
    expect(kerch).toMatchObject({ score: 80, anomaly: false });
    expect((await statuses(database)).get("suez")?.flow_ratio).toBeNull();
  });
});
