import { isDeepStrictEqual } from "node:util";
import type { MessageInitShape } from "@bufbuild/protobuf";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { ConflictEventSchema } from "../../gen/es/ids/conflict/v1/conflict_pb.ts";
import type { TenderNoticeSchema } from "../../gen/es/ids/stored/v1/tender_pb.ts";
import { conflictEvents } from "../../src/domains/conflict/conflict-events.ts";
import { globalTenders } from "../../src/domains/economic/tenders/global-tenders.ts";
import { refresh } from "../../src/ingest/refresh/refresh.ts";
import type { Database } from "../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../support/app.ts";
import { describeEachDatabase } from "../support/databases.ts";
import { changesOf, liveUpstreams, sourceOf } from "./listed-changes.ts";

type Event = MessageInitShape<typeof ConflictEventSchema>;
type Notice = MessageInitShape<typeof TenderNoticeSchema>;
type Row = Readonly<Record<string, unknown>> & { readonly id: string };
type Page = Readonly<Record<string, unknown>>;

const hourMs = 3_600_000;

/** A list that is followed by what was updated, and what vanished. */
interface Followed {
  readonly path: string;
  readonly rows: string;
  readonly next: readonly [parameter: string, member: string];
  readonly refreshedAt: string;
  readonly dataset: string;
}

const events: Followed = {
  path: "/api/conflict/v1/list-conflict-events?start=1&limit=3",
  rows: "events",
  next: ["after", "nextAfter"],
  refreshedAt: "refreshedAt",
  dataset: "conflict-events",
};
const tenders: Followed = {
  path: "/api/economic/v1/list-global-tenders?page_size=3",
  rows: "tenders",
  next: ["cursor", "nextCursor"],
  refreshedAt: "fetchedAt",
  dataset: "global-tenders",
};

async function pagesOf(app: TestApp, { path, rows, next: [parameter, member] }: Followed, query: string) {
  const found: Row[] = [];
  for (let cursor = ""; ; ) {
    const page: Page = await app.json(`${path}${query}${cursor && `&${parameter}=${encodeURIComponent(cursor)}`}`);
    found.push(...(page[rows] as readonly Row[]));
    cursor = page[member] as string;
    if (cursor === "") return { found, page };
  }
}

/** A copy that asks for what is new since it asked last. */
function copyOf(app: TestApp, followed: Followed) {
  const held = new Map<string, Row>();
  let since = "";
  let position = 0;
  return {
    held,
    async poll() {
      const { changes, nextPosition } = await changesOf(
        app,
        `after=${position}&datasets=${followed.dataset}&kinds=vanished`,
      );
      const { found, page } = await pagesOf(app, followed, since && `&updated_after=${since}`);
      for (const { subject } of changes) held.delete(subject);
      for (const row of found) held.set(row.id, row);
      position = nextPosition;
      since = page[followed.refreshedAt] as string;
      return found.map(({ id }) => id);
    },
  };
}

const states = fc.array(fc.array(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 3 }))), {
  minLength: 2,
  maxLength: 4,
});

describeEachDatabase("what was updated since an earlier answer", (openFresh) => {
  /** Plays refreshes, each with the rows that a list of numbers and variants stands for. */
  async function play(followed: Followed, steps: readonly (readonly (readonly [number, number])[])[]) {
    let now = testTime;
    const database: Database = await openFresh();
    await using app = await startApp(database, { environment: { IDS_DATA: "live" } });
    const [acled, ucdp] = [sourceOf<Event>("acled"), sourceOf<Event>("ucdp")];
    const ted = sourceOf<Notice>("ted");
    const copy = copyOf(app, followed);
    for (const step of steps) {
      now = new Date(now.getTime() + hourMs);
      app.setTime(now);
      const own = new Map(step.filter(([id]) => id <= 4));
      acled.answer = [...own].map(([id, variant]) => event(`acled-${id}`, variant));
      // Near one of the first source's with equal deaths, it is a report of the same.
      ucdp.answer = [...new Map(step.filter(([id]) => id > 4))].map(([id, variant]) => event(`ucdp-${id}`, variant));
      ted.answer = [...new Map(step)].map(([id, variant]) => notice(`${id}`, variant));
      const parts = { database: database.kysely, upstreams: liveUpstreams(() => now), acceptShrunk: true };
      if (followed === events)
        await refresh({ ...conflictEvents, sources: [acled, ucdp] } as typeof conflictEvents, parts);
      else await refresh({ ...globalTenders, sources: [ted] } as typeof globalTenders, parts);
      // Answers may come from memory, which follows the store in a moment.
      const both = async () => {
        await copy.poll();
        const listed = (await pagesOf(app, followed, "")).found.sort(byId);
        return { listed, held: [...copy.held.values()].sort(byId) };
      };
      await expect
        .poll(both, { timeout: 10_000 })
        .toSatisfy(({ listed, held }) => isDeepStrictEqual(listed, held), "the list is held");
      // An answer may name the refresh before, never one whose rows it lacks.
      await expect.poll(() => copy.poll(), { timeout: 10_000 }).toEqual([]);
    }
  }

  test("the updates of conflict events and those that vanished make the list, whatever refreshes bring", async () => {
    await fc.assert(
      fc.asyncProperty(states, (steps) => play(events, steps)),
      { numRuns: 3 },
    );
  });

  test("the updates of tenders and those that closed make the list, whatever refreshes bring", async () => {
    await fc.assert(
      fc.asyncProperty(states, (steps) => play(tenders, steps)),
      { numRuns: 3 },
    );
  });

  test("a time that is none is refused with its rule", async () => {
    await using app = await startApp(await openFresh(), {});
    await app.refresh("conflict-events");
    for (const { path } of [events, tenders])
      for (const text of ["yesterday", "2026-02-30", "2026-11-18T12:00:00%2B99:00"]) {
        const rejected = await app.get(`${path}&updated_after=${text}`);
        expect(rejected.status, `${path} ${text}`).toBe(400);
        expect(await rejected.json()).toMatchObject({ violations: [{ field: "updated_after" }] });
      }
  });
});

function byId(a: Row, b: Row): number {
  return a.id < b.id ? -1 : 1;
}

function event(id: string, variant: number): Event {
  return {
    id,
    eventType: "Battles",
    country: "SD",
    location: { latitude: 15, longitude: 32 },
    occurredAt: BigInt(testTime.getTime() - 48 * hourMs),
    fatalities: variant,
    actors: ["A", "B"],
    source: "Agency",
    admin1: "Khartoum",
  } as Event;
}

function notice(id: string, variant: number): Notice {
  return {
    source: "ted",
    sourceNoticeId: id,
    officialUrl: `https://example.org/${id}`,
    countryCode: "FR",
    title: `Works ${id}, ${variant}`,
    publishedAt: testTime.toISOString(),
    deadline: new Date(testTime.getTime() + 1_000 * hourMs).toISOString(),
    status: "open",
  } as Notice;
}
