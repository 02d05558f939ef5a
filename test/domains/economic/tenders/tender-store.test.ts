import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { type TenderNotice, TenderNoticeSchema } from "../../../../gen/es/ids/stored/v1/tender_pb.ts";
import { globalTenders } from "../../../../src/domains/economic/tenders/global-tenders.ts";
import type { Database } from "../../../../src/store/database.ts";
import { describeEachDatabase } from "../../../support/databases.ts";

const start = new Date("2026-11-18T12:00:00.000Z");
const later = (days: number) => new Date(start.getTime() + days * 86_400_000);

function notice(id: string, metadata: MessageInitShape<typeof TenderNoticeSchema> = {}): TenderNotice {
  return create(TenderNoticeSchema, {
    ...{ source: "ted", sourceNoticeId: id, officialUrl: "https://ted.europa.eu/", title: id, status: "open" },
    deadline: later(10).toISOString(),
    ...metadata,
  });
}

describeEachDatabase("The table of tenders", (openFresh) => {
  let database: Database;
  beforeAll(async () => {
    database = await openFresh();
  });
  beforeEach(async () => {
    await database.query("truncate tender cascade");
  });

  /** One refresh of one source; what is open after it. */
  async function refresh(
    notices: readonly TenderNotice[],
    metadata: { complete?: boolean; rejected?: readonly string[]; now?: Date; origin?: "live" | "sample" } = {},
  ) {
    const { complete = false, rejected = [], now = start, origin = "live" } = metadata;
    const everything = { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER };
    const covered = complete ? [everything] : [];
    const responses = new Map([["ted", { fetchedAt: now, fresh: true, covered, rejected }]]);
    const bySource = new Map([["ted", notices]]);
    return database.kysely
      .transaction()
      .execute((transaction) => globalTenders.write(transaction, { bySource, responses, generation: 1, origin, now }));
  }
  const rows = async () =>
    (
      await database.query(
        "select source_notice_id as id, revision, closed_reason as closed, title from tender join tender_detail using (id) order by id",
      )
    ).rows;

  test("a notice that changes gets a new revision, and one that does not keeps its own", async () => {
    expect(await refresh([notice("a"), notice("b")])).toBe(2);
    await refresh([notice("a"), notice("b", { title: "changed" })]);
    await refresh([notice("a"), notice("b", { title: "changed" })]);
    expect(await rows()).toEqual([
      { id: "a", revision: 1, closed: null, title: "a" },
      { id: "b", revision: 2, closed: null, title: "changed" },
    ]);
  });

  test("a sample's notice leads to no page of the source, a live one does", async () => {
    const pages = async () => (await database.query("select official_url as page from tender_detail")).rows;
    await refresh([notice("a/1")], { origin: "sample" });
    expect(await pages()).toEqual([{ page: "https://example.org/tenders/ted/a%2F1" }]);
    await refresh([notice("a/1")]);
    expect(await pages()).toEqual([{ page: "https://ted.europa.eu/" }]);
  });

  test("of two notices with one id the one changed last counts, whatever their order", async () => {
    const [early, late] = ["2026-11-01T00:00:00.000Z", "2026-11-02T00:00:00.000Z"];
    for (const two of [
      [notice("a", { title: "late", updatedAt: late }), notice("a", { title: "early", publishedAt: early })],
      [notice("a", { title: "early", updatedAt: early }), notice("a", { title: "late", publishedAt: late })],
    ]) {
      await refresh(two);
      expect(await rows()).toMatchObject([{ title: "late" }]);
    }
  });

  test.each([
    ["awarded", "status"],
    ["pre-award", "status"],
    ["cancelled", "status"],
    ["closed", "status"],
    ["withdrawn", "status"],
    ["expired", "status"],
    ["completed", "status"],
    ["draft", "status"],
    ["unsuccessful", "status"],
    ["open", null],
    ["active", null],
    ["published", null],
  ])("a notice with the status %s has the closing reason %s", async (status, closed) => {
    expect(await refresh([notice("a", { status })])).toBe(closed ? 0 : 1);
    expect(await rows()).toMatchObject([{ closed }]);
  });

  test("without a deadline, and after it, a notice is not open", async () => {
    await refresh([notice("a", { deadline: "" }), notice("b", { deadline: start.toISOString() }), notice("c")]);
    expect(await rows()).toMatchObject([{ closed: "undated" }, { closed: "deadline" }, { closed: null }]);
    expect(await refresh([], { now: later(11) })).toBe(0);
    expect(await rows()).toMatchObject([{}, {}, { closed: "deadline" }]);
  });

  test("a notice vanishes only if its source was read to the end, and not if it was listed but rejected", async () => {
    await refresh([notice("a"), notice("b"), notice("c")]);
    expect(await refresh([notice("a")])).toBe(3);
    expect(await refresh([notice("a")], { complete: true, rejected: ["c"] })).toBe(2);
    expect(await rows()).toMatchObject([{ closed: null }, { closed: "vanished" }, { closed: null }]);
  });

  test("a notice that comes back is open again in the revision that it had, and a closed one that is extended too", async () => {
    await refresh([notice("a"), notice("b")]);
    await refresh([notice("b")], { complete: true });
    expect(await refresh([notice("a"), notice("b", { status: "cancelled" })])).toBe(1);
    expect(await refresh([notice("a"), notice("b", { deadline: later(20).toISOString() })], { now: later(11) })).toBe(
      1,
    );
    expect(await rows()).toMatchObject([
      { revision: 1, closed: "deadline" },
      { revision: 3, closed: null },
    ]);
  });

  test("samples and live notices are never kept side by side", async () => {
    await refresh([notice("a")], { origin: "sample" });
    expect(await refresh([notice("b")])).toBe(1);
    expect(await rows()).toMatchObject([{ id: "b" }]);
  });

  test("amounts keep the decimals that the source wrote", async () => {
    await refresh([notice("a", { amount: "123456789012345.05", currency: "EUR" })]);
    const { rows: stored } = await database.query(
      "select amount::text, value_key::text from tender join tender_detail using (id)",
    );
    expect(stored).toEqual([{ amount: "123456789012345.05", value_key: "-123456789012345.05" }]);
  });
});
