import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type TenderNotice, TenderNoticeSchema } from "../../../../gen/es/ids/stored/v1/tender_pb.ts";
import { startApp, testTime } from "../../../support/app.ts";
import { describeEachDatabase } from "../../../support/databases.ts";
import { refreshTenders } from "../../../support/domains/tender-refresh.ts";

const path = "/api/economic/v1/list-global-tenders";
const day = 86_400_000;

interface Page {
  readonly tenders: readonly {
    readonly id: string;
    readonly publishedAt: string;
    readonly deadline: string;
    readonly money: unknown;
  }[];
  readonly nextCursor: string;
}

/** A notice with one of few dates, so that many are equal in every order. */
function notice(number: number, slot: number): TenderNotice {
  return create(TenderNoticeSchema, {
    ...{ source: "ted", sourceNoticeId: `n${number}`, officialUrl: "https://ted.europa.eu/", title: `n${number}` },
    ...{ status: "open", amount: String(100 * (slot % 5)), currency: "EUR" },
    publishedAt: new Date(testTime.getTime() - (slot % 7) * day).toISOString(),
    deadline: new Date(testTime.getTime() + (1 + (slot % 4)) * day).toISOString(),
  });
}

/** A change of the feed between two pages: a notice has other values, appears again, or vanishes. */
const change = fc.record({ number: fc.nat(59), slot: fc.nat(27), vanishes: fc.boolean() });

describeEachDatabase("A walk through the tenders", (openFresh) => {
  test("sees every notice that stays open and unchanged exactly once, and none twice under one key", async () => {
    const database = await openFresh();
    await using app = await startApp(database);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(change, { maxLength: 4 }), { minLength: 3, maxLength: 8 }),
        fc.constantFrom("newest", "closing_soon", "estimated_value", "relevance"),
        fc.integer({ min: 3, max: 11 }),
        async (between, sort, size) => {
          const feed = new Map(Array.from({ length: 40 }, (_, number) => [number, notice(number, number)]));
          const changed = new Set<number>();
          const store = async () => {
            await refreshTenders(database, [...feed.values()], { now: testTime, complete: true });
            await app.settled();
          };
          await store();
          const seen: string[] = [];
          let cursor = "";
          for (let page = 0; page === 0 || cursor !== ""; page++) {
            const body = await app.json<Page>(`${path}?sort=${sort}&page_size=${size}&cursor=${cursor}`);
            seen.push(
              ...body.tenders.map((tender) =>
                JSON.stringify([tender.id, tender.publishedAt, tender.deadline, tender.money]),
              ),
            );
            cursor = body.nextCursor;
            for (const { number, slot, vanishes } of between[page] ?? []) {
              changed.add(number);
              if (vanishes) feed.delete(number);
              else feed.set(number, notice(number, slot));
            }
            if (between[page]?.length) await store();
          }
          expect(new Set(seen).size).toBe(seen.length);
          const stayed = [...Array(40).keys()]
            .filter((number) => !changed.has(number))
            .map((number) => `ted:n${number}`);
          const ids = seen.map((text) => JSON.parse(text)[0]);
          for (const id of stayed) expect(ids.filter((each) => each === id)).toHaveLength(1);
        },
      ),
      { numRuns: 12 },
    );
  });
});
