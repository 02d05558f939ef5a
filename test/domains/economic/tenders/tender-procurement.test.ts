import { create, type MessageInitShape } from "@bufbuild/protobuf";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { type TenderNotice, TenderNoticeSchema } from "../../../../gen/es/ids/stored/v1/tender_pb.ts";
import { dayMs } from "../../../../src/reference/duration.ts";
import type { Database } from "../../../../src/store/database.ts";
import { startApp, testTime } from "../../../support/app.ts";
import { describeEachDatabase } from "../../../support/databases.ts";
import { refreshTenders } from "../../../support/domains/tender-refresh.ts";

const path = "/api/economic/v1/list-global-tenders";

interface Body {
  readonly tenders: readonly { readonly id: string; readonly procedureId: string; readonly otherNotices: string[] }[];
  readonly total: number;
}

const dayAt = (days: number) => new Date(testTime.getTime() + days * dayMs).toISOString();

/** A notice that is published on the day of its ID, so that a higher ID is newer. */
function noticeOf(
  source: string,
  id: number,
  differences: MessageInitShape<typeof TenderNoticeSchema> = {},
): TenderNotice {
  return create(TenderNoticeSchema, {
    ...{ source, sourceNoticeId: String(id), officialUrl: "https://ted.europa.eu/", status: "open", countryCode: "RO" },
    ...{ title: `Notice ${id}`, buyer: "City of Iași", publishedAt: dayAt(id - 100), deadline: dayAt(10) },
    ...differences,
  });
}

describeEachDatabase("Notices of one procurement", (openFresh) => {
  let database: Database;
  beforeAll(async () => {
    database = await openFresh();
  });

  async function withNotices<T>(notices: readonly TenderNotice[], check: (read: Read) => Promise<T>): Promise<T> {
    await database.query("truncate tender cascade");
    await refreshTenders(database, notices, { now: testTime });
    await using app = await startApp(database);
    return await check((query) => app.json<Body>(`${path}?page_size=100&${query}`));
  }
  type Read = (query: string) => Promise<Body>;
  const idsOf = ({ tenders }: Body) => tenders.map(({ id }) => id).toSorted();

  test("name each other, and a filter returns them, or only the newest", async () => {
    const title = "Rehabilitation of the water supply";
    const notices = [
      noticeOf("sam", 1, { procedureId: "N4008527R0001" }),
      noticeOf("sam", 2, { procedureId: "N4008527R0001", deadline: dayAt(20) }),
      noticeOf("ted", 3, { procedureId: "N4008527R0001" }),
      noticeOf("ted", 4, { title }),
      noticeOf("world-bank", 5, { title: title.toUpperCase(), buyer: "city of Iasi" }),
      noticeOf("world-bank", 6, { title, deadline: dayAt(11) }),
      noticeOf("ted", 7, { title, buyer: "" }),
      noticeOf("ted", 8, { title: "Paper" }),
      noticeOf("ted", 9, { title: "Paper" }),
      noticeOf("sam", 10, { procedureId: "N4008527R0001", status: "awarded" }),
    ];
    await withNotices(notices, async (read) => {
      const { tenders, total } = await read("");
      expect(total).toBe(9);
      const others = Object.fromEntries(tenders.map(({ id, otherNotices }) => [id, otherNotices]));
      expect(others).toEqual({
        ...{ "sam:1": ["sam:2"], "sam:2": ["sam:1"], "ted:4": ["world-bank:5"], "world-bank:5": ["ted:4"] },
        ...{ "ted:3": [], "world-bank:6": [], "ted:7": [], "ted:8": [], "ted:9": [] },
      });
      expect(idsOf(await read("same_as=ted:4"))).toEqual(["ted:4", "world-bank:5"]);
      expect(idsOf(await read("same_as=sam:10"))).toEqual(["sam:1", "sam:2"]);
      expect(idsOf(await read("same_as=ted:8"))).toEqual(["ted:8"]);
      expect(await read("same_as=ted:404")).toMatchObject({ tenders: [], total: 0 });
      const newest = await read("distinct=true");
      expect(newest.total).toBe(7);
      expect(idsOf(newest)).toEqual(["sam:2", "ted:3", "ted:7", "ted:8", "ted:9", "world-bank:5", "world-bank:6"]);
      const closingSoon = await read("distinct=true&deadline_to=2026-11-29");
      expect(idsOf(closingSoon), "The newer notice has a later deadline.").toContain("sam:1");
      expect(idsOf(await read("distinct=true&source=ted"))).toEqual(["ted:3", "ted:4", "ted:7", "ted:8", "ted:9"]);
      expect(idsOf(await read("distinct=true&query=rehabilitation"))).toEqual([
        "ted:7",
        "world-bank:5",
        "world-bank:6",
      ]);
    });
  });

  test("are neither lost nor counted twice, however many sources publish them", async () => {
    const notice = fc.record({
      source: fc.constantFrom("ted", "sam", "world-bank"),
      procedureId: fc.constantFrom("", "A", "B"),
      title: fc.constantFrom("Bridge", "Road"),
      countryCode: fc.constantFrom("RO", "PL", ""),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(notice, { minLength: 1, maxLength: 12 }), async (drawn) => {
        const notices = drawn.map(({ source, ...differences }, at) => noticeOf(source, at, differences));
        const idOf = ({ source, sourceNoticeId }: TenderNotice) => `${source}:${sourceNoticeId}`;
        const isSame = (one: TenderNotice, other: TenderNotice) =>
          one.source === other.source
            ? one.procedureId !== "" && one.procedureId === other.procedureId
            : one.countryCode !== "" && one.countryCode === other.countryCode && one.title === other.title;
        const othersOf = (one: TenderNotice) => notices.filter((other) => other !== one && isSame(one, other));
        await withNotices(notices, async (read) => {
          const { tenders, total } = await read("");
          expect(total).toBe(notices.length);
          for (const one of notices) {
            const shown = tenders.find(({ id }) => id === idOf(one));
            expect(shown?.otherNotices).toEqual(othersOf(one).map(idOf).toReversed());
          }
          for (const source of ["", "ted", "sam"]) {
            const matches = (each: TenderNotice) => source === "" || each.source === source;
            const isOlder = (other: TenderNotice, at: number) => !matches(other) || notices.indexOf(other) < at;
            const newest = notices.filter(
              (one, at) => matches(one) && othersOf(one).every((other) => isOlder(other, at)),
            );
            expect(idsOf(await read(`distinct=true&source=${source}`))).toEqual(newest.map(idOf).toSorted());
          }
        });
      }),
      { numRuns: 8 },
    );
  });
});
