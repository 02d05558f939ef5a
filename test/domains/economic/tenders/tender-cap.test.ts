import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { TenderNoticeSchema } from "../../../../gen/es/ids/stored/v1/tender_pb.ts";
import { startApp, testTime } from "../../../support/app.ts";
import { describeOnce } from "../../../support/databases.ts";
import { refreshTenders } from "../../../support/domains/tender-refresh.ts";

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

describeOnce("More tenders than are counted", (openFresh) => {
  test("have a total that is exact up to 10,000, and can be walked", async () => {
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
    /** Leaves `count` rows, with a new filter that no cursor or cached response matches. */
    const retain = async (count: number) => {
      await database.query("delete from tender where id in (select id from tender order by id offset $1)", [count]);
      const deadline = new Date(testTime.getTime() + count).toISOString();
      return (query = "") => app.json<Body>(`${path}?query=paper&deadline_from=${deadline}&${query}`);
    };

    let read = await retain(11_600);
    expect(await read()).toMatchObject({ total: 10_000, totalCapped: true });
    read = await retain(10_001);
    expect(await read()).toMatchObject({ total: 10_000, totalCapped: true });
    const many = await walk(read);
    expect(new Set(many.map(({ id }) => id)).size).toBe(10_001);
    read = await retain(10_000);
    expect(await read()).toMatchObject({ total: 10_000, totalCapped: false });
    read = await retain(9_999);
    expect(await read()).toMatchObject({ total: 9_999, totalCapped: false });
    const few = await walk(read);
    expect(few).toEqual(inOrder(few));
    expect(new Set(few.map(({ id }) => id)).size).toBe(9_999);
    expect(many).toEqual(inOrder(many));
  });
});

/** Every row, the largest amounts first. */
async function walk(read: (query: string) => Promise<Body>): Promise<Body["tenders"]> {
  const walked: Body["tenders"][number][] = [];
  for (let cursor = "", pages = 0; cursor !== "" || pages === 0; pages++) {
    const body = await read(`sort=estimated_value&page_size=100&cursor=${cursor}`);
    walked.push(...body.tenders);
    cursor = body.nextCursor;
  }
  return walked;
}

function inOrder(tenders: Body["tenders"]): Body["tenders"] {
  return tenders.toSorted((a, b) => b.money.amount - a.money.amount || (a.id < b.id ? -1 : 1));
}
