import type { MessageInitShape } from "@bufbuild/protobuf";
import { beforeEach, expect, test } from "vitest";
import type { ConflictEventSchema } from "../../gen/es/ids/conflict/v1/conflict_pb.ts";
import type { MilitaryBaseSchema } from "../../gen/es/ids/military/v1/military_pb.ts";
import type { TenderNoticeSchema } from "../../gen/es/ids/stored/v1/tender_pb.ts";
import { conflictEvents } from "../../src/domains/conflict/conflict-events.ts";
import { globalTenders } from "../../src/domains/economic/tenders/global-tenders.ts";
import { militaryBases } from "../../src/domains/military/bases/military-bases.ts";
import { refresh } from "../../src/ingest/refresh/refresh.ts";
import type { Database } from "../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../support/app.ts";
import { describeEachDatabase } from "../support/databases.ts";
import { changesOf, type ListedChange, liveUpstreams, sourceOf } from "./listed-changes.ts";

type Event = MessageInitShape<typeof ConflictEventSchema>;
type Notice = MessageInitShape<typeof TenderNoticeSchema>;
type Base = MessageInitShape<typeof MilitaryBaseSchema>;

const hourMs = 3_600_000;

describeEachDatabase("changes of datasets with tables of their own", (openFresh) => {
  let database: Database;
  let app: TestApp;
  let now = testTime;
  beforeEach(async () => {
    now = testTime;
    database = await openFresh();
    app = await startApp(database, { environment: { IDS_DATA: "live" } });
    return app[Symbol.asyncDispose];
  });
  const reported = ({ kind, rows, subject }: ListedChange) => `${kind} ${rows} ${subject}`;
  const parts = () => ({ database: database.kysely, upstreams: liveUpstreams(() => now) });

  test("conflict events appear, move, and vanish, and a report of a second source counts for its event", async () => {
    const event = (id: string, metadata: Partial<Event> = {}) =>
      ({
        id,
        eventType: "Battles",
        country: "SD",
        location: { latitude: 15, longitude: 32 },
        occurredAt: BigInt(testTime.getTime() - 48 * hourMs),
        fatalities: 4,
        actors: ["A", "B"],
        source: "Agency",
        admin1: "Khartoum",
        ...metadata,
      }) as Event;
    const [acled, ucdp] = [sourceOf<Event>("acled"), sourceOf<Event>("ucdp")];
    const dataset = { ...conflictEvents, sources: [acled, ucdp] } as typeof conflictEvents;
    const run = () => refresh(dataset, parts());
    acled.answer = [event("acled-1"), event("acled-2", { country: "UA", location: { latitude: 50, longitude: 30 } })];
    await run();
    expect((await changesOf(app)).changes.map(reported)).toEqual(["replaced  "]);

    acled.answer = [event("acled-1", { fatalities: 9 }), event("acled-2", { country: "UA" }), event("acled-3")];
    ucdp.answer = [event("ucdp-9", { country: "SD", location: { latitude: -30, longitude: 20 } })];
    await run();
    const { changes, nextPosition } = await changesOf(app, "after=1");
    expect(changes.map(reported)).toEqual([
      "changed events acled-1",
      "changed events acled-2",
      "appeared events acled-3",
      "appeared events ucdp-9",
    ]);
    expect(changes[0]).toMatchObject({ country: "SD", before: { fatalities: 4 }, after: { fatalities: 9 } });
    expect(changes[1]).toMatchObject({ before: { location: { latitude: 50 } }, after: { location: { latitude: 15 } } });
    expect(changes[2]?.after).toMatchObject({ id: "acled-3", occurredAt: testTime.getTime() - 48 * hourMs });

    await run();
    expect((await changesOf(app, `after=${nextPosition}`)).changes).toEqual([]);

    ucdp.answer = [event("ucdp-9", { fatalities: 9 })];
    await run();
    expect((await changesOf(app, `after=${nextPosition}`)).changes).toMatchObject([
      { kind: "changed", subject: "acled-1", before: { reportCount: 1 }, after: { reportCount: 2 } },
      { kind: "vanished", subject: "ucdp-9", before: { id: "ucdp-9", eventType: "Battles", country: "SD" } },
    ]);
  });

  test("tenders appear when they open, move with their notice and vanish when they close, by deadline or from the list", async () => {
    const notice = (id: string, metadata: Partial<Notice> = {}) =>
      ({
        source: "ted",
        sourceNoticeId: id,
        officialUrl: `https://example.org/${id}`,
        countryCode: "FR",
        title: `Works ${id}`,
        publishedAt: testTime.toISOString(),
        deadline: new Date(testTime.getTime() + 100 * hourMs).toISOString(),
        status: "open",
        ...metadata,
      }) as Notice;
    const ted = sourceOf<Notice>("ted", { covers: "all open items" });
    const dataset = { ...globalTenders, sources: [ted] } as typeof globalTenders;
    const run = () => refresh(dataset, parts());
    const soon = new Date(testTime.getTime() + hourMs).toISOString();
    ted.answer = [notice("a"), notice("b"), notice("c", { deadline: soon }), notice("d", { status: "awarded" })];
    await run();
    const later = new Date(testTime.getTime() + 200 * hourMs).toISOString();
    const second = [notice("a", { deadline: later, amount: "1200.5" }), notice("c", { deadline: soon }), notice("e")];
    ted.answer = second;
    await run();
    const { changes, nextPosition } = await changesOf(app, "after=1");
    expect(changes.map(reported)).toEqual([
      "changed tenders ted:a",
      "vanished tenders ted:b",
      "appeared tenders ted:e",
    ]);
    expect(changes[0]).toMatchObject({ country: "FR", after: { deadline: later, money: { amount: 1200.5 } } });
    expect(changes[2]?.after).toMatchObject({
      title: "Works e",
      countryCode: "FR",
      deadline: expect.stringMatching(/Z$/),
    });

    await run();
    expect((await changesOf(app, `after=${nextPosition}`)).changes).toEqual([]);
    now = new Date(testTime.getTime() + 2 * hourMs);
    await run();
    expect((await changesOf(app, `after=${nextPosition}`)).changes.map(reported)).toEqual(["vanished tenders ted:c"]);
  });

  test("military bases are compared with those of the generation before", async () => {
    const base = (id: string, metadata: Partial<Base> = {}) =>
      ({
        id,
        name: `Base ${id}`,
        latitude: 48,
        longitude: Number(id),
        kind: "base",
        tier: 1,
        countryIso2: "FR",
        ...metadata,
      }) as Base;
    const mirta = sourceOf<Base>("mirta");
    const dataset = { ...militaryBases, sources: [mirta], main: [mirta] } as unknown as typeof militaryBases;
    mirta.answer = [base("1"), base("2")];
    await refresh(dataset, parts());
    mirta.answer = [base("1", { status: "closed" }), base("3")];
    await refresh(dataset, parts());
    const { changes } = await changesOf(app, "after=1");
    expect(changes.map(reported)).toEqual(["changed bases 1", "vanished bases 2", "appeared bases 3"]);
    expect(changes[0]).toMatchObject({ country: "FR", after: { status: "closed" } });
    await refresh(dataset, parts());
    expect((await changesOf(app, "after=4")).changes).toEqual([]);
  });
});
