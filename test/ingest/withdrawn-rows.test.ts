import { readFileSync } from "node:fs";
import type { DescMessage } from "@bufbuild/protobuf";
import { beforeEach, expect, test } from "vitest";
import { maskOf } from "../../src/config/masking.ts";
import { acled } from "../../src/domains/conflict/acled.ts";
import { conflictEvents } from "../../src/domains/conflict/conflict-events.ts";
import { ucdp } from "../../src/domains/conflict/ucdp.ts";
import { globalTenders } from "../../src/domains/economic/tenders/global-tenders.ts";
import { sam } from "../../src/domains/economic/tenders/notices/sam.ts";
import { datasets } from "../../src/domains/index.ts";
import { cloudflareRadar } from "../../src/domains/infrastructure/cloudflare-radar.ts";
import { internetOutages } from "../../src/domains/infrastructure/internet-outages.ts";
import type { Dataset } from "../../src/ingest/dataset.ts";
import { refresh } from "../../src/ingest/refresh/refresh.ts";
import type { Source } from "../../src/ingest/source.ts";
import { createUpstreams } from "../../src/ingest/upstreams.ts";
import type { Database } from "../../src/store/database.ts";
import { sampleUpstream } from "../../src/upstream/sample/sample.ts";
import { changesOf, liveUpstreams } from "../changes/listed-changes.ts";
import { startApp, type TestApp, testTime } from "../support/app.ts";
import { describeEachDatabase } from "../support/databases.ts";

const dayMs = 86_400_000;
const ago = (days: number) => new Date(testTime.getTime() - days * dayMs);
const dayAgo = (days: number) => ago(days).toISOString().slice(0, 10);

/** A source whose response the test chooses. */
function chosen<Row>(source: Source<Row>) {
  const rows = { atLeast: 1, mayBeEmpty: source.rows.mayBeEmpty };
  const of = {
    answer: undefined as unknown,
    source: { ...source, rows, minutesApart: 0, fetch: async () => of.answer },
  };
  return of;
}

interface Event {
  readonly id: string;
  readonly country: string;
  readonly fatalities: number;
}

interface Outage {
  readonly id: string;
  readonly country: string;
  readonly endedAt: number;
}

describeEachDatabase("rows that their source withdraws", (openFresh) => {
  let database: Database;
  let app: TestApp;
  let now = testTime;
  beforeEach(async () => {
    now = testTime;
    database = await openFresh();
    app = await startApp(database, {
      environment: { IDS_DATA: "live", IDS_SOURCE_ACLED: "on", IDS_SOURCE_CLOUDFLARE_RADAR: "on" },
    });
    return app[Symbol.asyncDispose];
  });

  async function run<D extends DescMessage>(
    dataset: Dataset<D>,
    sources: readonly object[],
    upstreams = liveUpstreams(() => now),
  ) {
    const outcome = await refresh({ ...dataset, sources } as Dataset<D>, { database: database.kysely, upstreams });
    app.setTime(now);
    await app.settled();
    expect(outcome.generation, JSON.stringify(outcome.sources)).toBeDefined();
    return outcome;
  }
  const later = () => {
    now = new Date(now.getTime() + 60_000);
  };
  const events = async (query: string) =>
    (await app.json<{ events: Event[] }>(`/api/conflict/v1/list-conflict-events?${query}`)).events;
  const idsIn = async (query: string) => (await events(query)).map(({ id }) => id);
  const outages = async (query = "") =>
    (await app.json<{ outages: Outage[] }>(`/api/infrastructure/v1/list-internet-outages?${query}`)).outages;
  const vanished = async () =>
    (await changesOf(app, "after=1")).changes.filter(({ kind }) => kind === "vanished").map(({ subject }) => subject);

  const vanishing = chosen(acled);
  const page = (rows: readonly object[], isWhole = true) => ({ success: true, data: rows, isWhole });
  const battle = (id: string, metadata: object = {}) => ({
    ...{ event_id_cnty: id, event_date: dayAgo(10), event_type: "Battles", actor1: "A", actor2: "B", iso: "729" },
    ...{
      country: "Sudan",
      admin1: "",
      latitude: "15",
      longitude: "32",
      source: "Agency",
      fatalities: "2",
      ...metadata,
    },
  });

  test("an event that is deleted and one that is renumbered are removed, logged, and still shown as of then", async () => {
    await using samples = await startApp(database);
    app = samples;
    const pages = (await acled.fetch(sampleUpstream("acled", () => now))) as { data: { event_id_cnty: string }[] }[];
    vanishing.answer = pages;
    const monthly = chosen(ucdp);
    monthly.answer = await ucdp.fetch(sampleUpstream("ucdp", () => now));
    const sources = [vanishing.source, monthly.source];
    const upstreams = createUpstreams(
      { data: "sample", variable: () => undefined, mask: maskOf({}) },
      () => now,
      () => 0,
    );
    expect(await run(conflictEvents, sources, upstreams)).toMatchObject({ rows: 1_589 });
    const since = `start=${ago(70).getTime()}&limit=5000`;
    const before = now;

    later();
    const [battles, ...others] = pages;
    const data = battles!.data
      .filter(({ event_id_cnty }) => event_id_cnty !== "MMR90001")
      .map((row) => (row.event_id_cnty === "IRN90001" ? { ...row, event_id_cnty: "MMR99999" } : row));
    vanishing.answer = [{ ...battles, data }, ...others];
    // UCDP has the first of them too, and its report is no longer a duplicate.
    expect(await run(conflictEvents, sources, upstreams)).toMatchObject({ rows: 1_589 - 2 + 1 + 1 });
    expect(await idsIn(`country=MM&${since}`)).not.toContain("acled-MMR90001");
    const all = await idsIn(since);
    expect(all.filter((id) => /^acled-(IRN90001|MMR99999)$/.test(id))).toEqual(["acled-MMR99999"]);
    expect((await vanished()).toSorted()).toEqual(["acled-IRN90001", "acled-MMR90001"]);
    expect(await idsIn(`${since}&as_of=${before.toISOString()}`)).toEqual(
      expect.arrayContaining(["acled-MMR90001", "acled-IRN90001"]),
    );
  });

  test("an event outside the window is retained, and so is one whose latest edition was rejected", async () => {
    vanishing.answer = [page([battle("SDN1"), battle("SDN2"), battle("SDN3", { event_date: dayAgo(59) })])];
    const { source } = vanishing;
    await run(conflictEvents, [source]);
    now = new Date(testTime.getTime() + 3 * dayMs);
    const others = [4, 5].map((number) => battle(`SDN${number}`));
    vanishing.answer = [page([battle("SDN1"), battle("SDN2", { latitude: "north" }), ...others])];
    await run(conflictEvents, [source]);
    const since = `start=${ago(70).getTime()}`;
    expect(await idsIn(since)).toEqual([1, 2, 4, 5, 3].map((number) => `acled-SDN${number}`));
    vanishing.answer = [page([battle("SDN1"), ...others])];
    later();
    await run(conflictEvents, [source]);
    expect(await idsIn(since)).toEqual([1, 4, 5, 3].map((number) => `acled-SDN${number}`));
  });

  test("a response without all of its pages or rows removes nothing", async () => {
    const { source } = vanishing;
    vanishing.answer = [page([battle("SDN1"), battle("SDN2")])];
    await run(conflictEvents, [source]);
    later();
    vanishing.answer = [page([battle("SDN1", { fatalities: "5" })], false)];
    await run(conflictEvents, [source]);
    expect(await events("")).toMatchObject([{ id: "acled-SDN1", fatalities: 5 }, { id: "acled-SDN2" }]);
    expect(await vanished()).toEqual([]);
  });

  test("the count of a country whose only event is withdrawn becomes 0", async () => {
    const { source } = vanishing;
    vanishing.answer = [page([battle("SDN1"), battle("TCD1", { iso: "148", country: "Chad" })])];
    await run(conflictEvents, [source]);
    later();
    vanishing.answer = [page([battle("SDN1")])];
    await run(conflictEvents, [source]);
    const { points } = await app.json<{ points: { value: number }[] }>(
      `/api/history/v1/get-series?series=conflict.events&keys=TD&from=${dayAgo(10)}&to=${dayAgo(10)}`,
    );
    expect(points.map(({ value }) => value)).toEqual([0]);
  });

  test("events of monthly releases vanish where the annual release replaces them, and from a release that drops them", async () => {
    const monthly = chosen(ucdp);
    const { source } = monthly;
    const row = (id: number, date_start: string) => ({
      ...{ id, type_of_violence: 1, side_a: "A", side_b: "B", source_original: "", source_article: "", adm_1: "" },
      ...{ country: "Sudan", country_id: 625, latitude: 15, longitude: 32, best: id, date_start },
    });
    const release = (name: string, ...rows: readonly object[]) => ({
      ...{ TotalCount: rows.length, Result: rows, release: name },
    });
    const october = release("26.0.10", row(100, "2026-10-02"), row(200, "2026-10-03"));
    monthly.answer = [release("25.1", row(1, "2025-12-01")), release("26.0.9", row(4, "2026-09-04")), october];
    await run(conflictEvents, [source]);
    const since = `start=${Date.UTC(2025, 0)}`;
    expect(await idsIn(since)).toEqual(["ucdp-200", "ucdp-100", "ucdp-4", "ucdp-1"]);

    later();
    monthly.answer = [release("25.1", row(1, "2025-12-01")), release("26.0.10", row(100, "2026-10-02"))];
    await run(conflictEvents, [source]);
    // The release of September did not come: nothing is known of its month.
    expect(await idsIn(since)).toEqual(["ucdp-100", "ucdp-4", "ucdp-1"]);

    later();
    const annual = [row(900, "2026-09-01"), row(901, "2026-09-04"), row(902, "2026-12-30")];
    const outOfOrder = [annual[2]!, annual[0]!, annual[1]!];
    now = new Date("2027-07-01T12:00:00Z");
    monthly.answer = [release("26.1", ...outOfOrder), release("27.0.5", row(700, "2027-05-02"))];
    await run(conflictEvents, [source]);
    expect(await idsIn(since)).toEqual(expect.arrayContaining(["ucdp-100", "ucdp-4", "ucdp-1"]));
    later();
    monthly.answer = [release("26.1", ...annual), release("27.0.5", row(700, "2027-05-02"))];
    await run(conflictEvents, [source]);
    expect((await idsIn(since)).toSorted()).toEqual(["ucdp-1", "ucdp-700", "ucdp-900", "ucdp-901", "ucdp-902"]);
  });

  test("outages that are withdrawn, or lose a location, are removed, and reordered locations change nothing", async () => {
    const radar = chosen(cloudflareRadar);
    type Annotation = { id: number; locations: string[] };
    type Page = { result: { annotations: Annotation[] } };
    const [first] = (await cloudflareRadar.fetch(sampleUpstream("cloudflare-radar", () => now))) as [Page];
    radar.answer = [first];
    await run(internetOutages, [radar.source]);
    expect(await outages()).toHaveLength(69);
    const before = now;

    later();
    const changed = first.result.annotations
      .filter(({ id }) => Number(id) !== 7000)
      .map((one) => (Number(one.id) === 7001 ? { ...one, locations: ["SY"] } : one))
      .map((one) => (Number(one.id) === 6998 ? { ...one, locations: ["CO", "EC"] } : one));
    radar.answer = [{ ...first, result: { annotations: changed } }];
    await run(internetOutages, [radar.source]);
    const rows = await outages();
    expect([rows.length, rows.filter(({ endedAt }) => endedAt === 0).length]).toEqual([67, 5]);
    expect(
      rows
        .filter(({ id }) => /^cf-(7000|7001|6998)/.test(id))
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(["cf-6998-co", "cf-6998-ec", "cf-7001-sy"]);
    expect((await vanished()).toSorted()).toEqual(["cf-7000-in", "cf-7001-lb"]);
    expect(await outages(`as_of=${before.toISOString()}`)).toHaveLength(69);

    later();
    const unread = changed.map((one) => (Number(one.id) === 7001 ? { ...one, locations: [], asnsDetails: [] } : one));
    radar.answer = [{ ...first, result: { annotations: unread } }];
    await run(internetOutages, [radar.source]);
    expect((await outages()).map(({ id }) => id)).toContain("cf-7001-sy");
    later();
    radar.answer = [{ ...first, result: { annotations: [] } }];
    await run(internetOutages, [radar.source]);
    expect(await outages()).toHaveLength(67);
  });

  test("a notice that was posted within the source's window is closed when it is no longer listed", async () => {
    const list = chosen(sam);
    const { source } = list;
    const row = (noticeId: string, postedDate: string) => ({
      ...{ noticeId, title: noticeId, postedDate, type: "Solicitation", active: "Yes" },
      responseDeadLine: new Date(testTime.getTime() + 40 * dayMs).toISOString(),
    });
    const all = [row("new", dayAgo(2)), row("other", dayAgo(4)), row("renumbered", dayAgo(3)), row("old", dayAgo(20))];
    const pageOf = (rows: readonly object[], totalRecords = rows.length) => ({
      ...{ pages: [{ totalRecords, opportunitiesData: rows }], missing: [] },
    });
    const open = async () => {
      const { tenders } = await app.json<{ tenders: { id: string }[] }>("/api/economic/v1/list-global-tenders");
      return tenders.map(({ id }) => id).toSorted();
    };
    list.answer = pageOf(all);
    await run(globalTenders, [source]);
    list.answer = pageOf(all.slice(0, 2), 4);
    later();
    await run(globalTenders, [source]);
    expect(await open()).toEqual(["sam:new", "sam:old", "sam:other", "sam:renumbered"]);
    list.answer = pageOf(all.slice(0, 2));
    later();
    await run(globalTenders, [source]);
    expect(await open()).toEqual(["sam:new", "sam:old", "sam:other"]);
  });
});

test("the guide lists every source that declares what its response covers, and every one that remembers rows", () => {
  const guide = readFileSync(new URL("../../CONTRIBUTING.md", import.meta.url), "utf8");
  const declared = datasets
    .filter(({ name }) => name !== "company-news")
    .flatMap(({ sources }) => sources.filter(({ covers, remember }) => covers || remember));
  expect(declared.length).toBeGreaterThan(10);
  for (const { name, covers } of declared) {
    const line = guide.split("\n").find((one) => one.startsWith("| ") && one.split("|")[1]!.includes(`\`${name}\``));
    expect(line, name).toBeDefined();
    if (typeof covers === "object") expect(line).toContain(`${covers.days} days`);
  }
});
