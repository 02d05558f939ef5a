import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { TenderNoticeSchema } from "../../../../gen/es/ids/stored/v1/tender_pb.ts";
import { startApp, testTime } from "../../../support/app.ts";
import { describeOnce } from "../../../support/databases.ts";
import { refreshTenders } from "../../../support/tender-refresh.ts";

const path = "/api/economic/v1/list-global-tenders";

interface Body {
  readonly tenders: readonly { readonly id: string; readonly money: { readonly amount: number } }[];
  readonly nextCursor: string;
  readonly total: number;
  readonly totalCapped: boolean;
}

const first = create(TenderNoticeSchema, {
  ...{ source: "ted", sourceNoticeId: "0", officialUrl: "https://ted.europa.eu/", title: "Paper", status: "open" },
  ...{ amount: "700", currency: "EUR", deadline: new Date(testTime.getTime() + 86_400_000).toISOString() },
});

/** Whether a row lies in the half of the table that is searched first. */
const inFirstHalf = Array.from(
  { length: 4 },
  (_, part) => `satisfies_hash_partition('tender'::regclass, 8, ${part}, id)`,
).join(" or ");

describeOnce("More tenders than are counted", (openFresh) => {
  test("are told by a total that is exact up to 10,000, and walked through, in whichever half of the table they lie", async () => {
    const database = await openFresh();
    await using app = await startApp(database);
    await refreshTenders(database, [first], { now: testTime });
    await app.settled();
    for (const table of ["tender", "tender_detail"])
      await database.query(`
        insert into ${table}
        select copy.* from generate_series(1, 13000) as number, ${table} as template,
          lateral (select (jsonb_populate_record(template, jsonb_build_object('id', 'ted:' || number) ||
            ${table === "tender" ? "jsonb_build_object('value_key', -(number % 7))" : "jsonb_build_object('amount', number % 7)"})).*) as copy`);
    /** Leaves so many in each half; what a cursor or an answer kept before would tell is not asked for again. */
    const keep = async (...left: readonly [number, number]) => {
      for (const [half, count] of left.entries())
        await database.query(
          `delete from tender where id in (
             select id from tender where (${inFirstHalf}) is ${half === 0} order by id offset $1)`,
          [count],
        );
      const deadline = new Date(testTime.getTime() + left[0] + left[1]).toISOString();
      return (query = "") => app.json<Body>(`${path}?query=paper&deadline_from=${deadline}&${query}`);
    };

    let read = await keep(6_100, 5_500);
    expect(await read()).toMatchObject({ total: 10_000, totalCapped: true });
    read = await keep(6_100, 3_901);
    expect(await read()).toMatchObject({ total: 10_000, totalCapped: true });
    read = await keep(6_100, 3_900);
    expect(await read()).toMatchObject({ total: 10_000, totalCapped: false });
    read = await keep(6_099, 3_900);
    expect(await read()).toMatchObject({ total: 9_999, totalCapped: false });
    const walked: Body["tenders"][number][] = [];
    for (let cursor = "", pages = 0; cursor !== "" || pages === 0; pages++) {
      const body = await read(`sort=estimated_value&page_size=100&cursor=${cursor}`);
      walked.push(...body.tenders);
      cursor = body.nextCursor;
    }
    expect(walked.map(({ money, id }) => [money.amount, id])).toEqual(
      walked
        .map(({ money, id }) => [money.amount, id] as const)
        .toSorted(([a, x], [b, y]) => b - a || (x < y ? -1 : 1)),
    );
    expect(new Set(walked.map(({ id }) => id)).size).toBe(9_999);
    read = await keep(4_000, 3_900);
    expect(await read()).toMatchObject({ total: 7_900, totalCapped: false });
  });
});
