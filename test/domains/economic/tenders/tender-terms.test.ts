import { create, type MessageInitShape } from "@bufbuild/protobuf";
import fc from "fast-check";
import type { Kysely } from "kysely";
import { expect, test } from "vitest";
import { TenderNoticeSchema } from "../../../../gen/es/ids/stored/v1/tender_pb.ts";
import { noticeRows } from "../../../../src/domains/economic/tenders/tender-row.ts";
import { noticeTerms } from "../../../../src/domains/economic/tenders/tender-terms.ts";
import { searchable, searchForms } from "../../../../src/domains/economic/tenders/tender-text.ts";
import { up as createTenders } from "../../../../src/store/migrations/0009_tender.ts";
import { up as addRangeKeys } from "../../../../src/store/migrations/0014_tender_range_keys.ts";
import { up as divide } from "../../../../src/store/migrations/0020_tender_partitions.ts";
import { up as useTerms } from "../../../../src/store/migrations/0024_tender_terms.ts";
import { up as fold } from "../../../../src/store/migrations/0047_folded_tenders.ts";
import { testTime } from "../../../support/app.ts";
import { describeEachDatabase } from "../../../support/databases.ts";

const notice = (init: MessageInitShape<typeof TenderNoticeSchema>) =>
  create(TenderNoticeSchema, {
    source: "ted",
    officialUrl: "https://ted.europa.eu/",
    countryCode: "FR",
    region: "Europe",
    status: "open",
    deadline: "2026-12-18T12:00:00.000Z",
    ...init,
  });

const notices = [
  notice({
    sourceNoticeId: "1",
    title: "L'école Saint-Michel: travaux",
    description: "Réfection du préau (lot 2) -- 'urgent'",
    buyer: "Ville de Besançon",
    categoryCodes: ["45214210", "45000000"],
    sectors: ["works"],
    amount: "125000.50",
    currency: "EUR",
    publishedAt: "2026-11-10T08:00:00.000Z",
  }),
  notice({ sourceNoticeId: "2", title: "back\\slash [brackets] `ticks` {braces}", description: "", buyer: "" }),
];

describeEachDatabase("Tenders that were stored in parts", (openFresh) => {
  test("are found by the same terms as if they were stored today", async () => {
    const database = await openFresh();
    const { kysely } = database;
    await database.query("drop table tender_detail, tender, tender_word, tender_source");
    const apply = (up: (db: Kysely<unknown>) => Promise<void>) =>
      kysely.transaction().execute((transaction) => up(transaction as unknown as Kysely<unknown>));
    await apply(createTenders);
    await apply(addRangeKeys);
    await apply(divide);
    const rows = notices.map((each) => noticeRows(each, testTime));
    for (const [index, { row, detail }] of rows.entries()) {
      const { terms: _, ...columns } = row as typeof row & { terms: unknown };
      const keys = await storedKeys(index);
      await insert("tender", { ...columns, keys, origin: "live", revision: 1 });
      await insert("tender_detail", detail);
    }
    await apply(useTerms);
    const { rows: stored } = await database.query("select id, terms::text from tender order by id");
    const expected = await Promise.all(
      rows.map(async ({ row }) => {
        const terms = await database.query("select ($1::tsvector)::text as terms", [row.terms]);
        return { id: row.id, terms: (terms.rows[0] as { terms: string }).terms };
      }),
    );
    expect(stored).toEqual(expected);
    const { rows: words } = await database.query("select word from tender_word");
    expect(new Set(words.map((each) => (each as { word: string }).word))).toEqual(
      new Set(rows.flatMap((each) => each.words)),
    );

    /** Ids of keys as they were: names of buyers and categories whole, words of the title below zero. */
    async function storedKeys(index: number): Promise<number[]> {
      const { buyer_text, category_text } = rows[index]!.detail as Record<string, string>;
      const terms = noticeTerms(notices[index]!, { fitScore: Number(rows[index]!.detail.fit_score), now: testTime });
      const whole = [`buyer=${buyer_text}`, ...category_text!.split("\n").map((category) => `category=${category}`)];
      const ids = await Promise.all(
        [...terms.filter((term) => !/^(?:buyer|category)=/.test(term)), ...whole].map(async (term) => {
          const key = term.replace(/^title=/, "");
          await database.query("insert into tender_key (key) values ($1) on conflict do nothing", [key]);
          const { rows: known } = await database.query("select id from tender_key where key = $1", [key]);
          return (known[0] as { id: number }).id * (term === key ? 1 : -1);
        }),
      );
      return ids.toSorted((a, b) => a - b);
    }

    async function insert(table: string, row: object): Promise<void> {
      await database.query(
        `insert into ${table} (${Object.keys(row)}) select ${Object.keys(row)} from json_populate_record(null::${table}, $1::json)`,
        [JSON.stringify(row)],
      );
    }
  });
});

describeEachDatabase("Tenders that were stored as they are written", (openFresh) => {
  test("are found without accents, as if they were stored today", async () => {
    const { kysely, query } = await openFresh();
    for (const each of notices) {
      const { row, detail } = noticeRows(each, testTime);
      const { search_text = "", buyer_text = "" } = detail as Record<string, string>;
      await query(`insert into tender select * from json_populate_record(null::tender, $1::json)`, [
        JSON.stringify({ ...row, terms: "", origin: "live", revision: 1, stored_at: testTime }),
      ]);
      const older = {
        ...detail,
        search_text: search_text.split("\n").slice(0, 2).join("\n"),
        buyer_text: buyer_text.split("\n")[0],
      };
      await query(`insert into tender_detail select * from json_populate_record(null::tender_detail, $1::json)`, [
        JSON.stringify(older),
      ]);
    }
    await kysely.transaction().execute((transaction) => fold(transaction as unknown as Kysely<unknown>));
    const { rows } = await query(
      "select id, search_text, buyer_text, array_to_string(tsvector_to_array(terms), ' ') as terms from tender join tender_detail using (id) order by id",
    );
    const [french, plain] = rows as Record<string, string>[];
    expect(french).toMatchObject({
      search_text:
        "l'école saint-michel: travaux\nréfection du préau (lot 2) -- 'urgent'\nl'ecole saint-michel: travaux\nrefection du preau (lot 2) -- 'urgent'",
      buyer_text: "ville de besançon\nville de besancon",
    });
    for (const term of ["ecole", "title=ecole", "refection", "buyer=besancon", "category=works"])
      expect(french?.terms?.split(" "), term).toContain(term);
    expect(french?.terms).not.toContain("title=preau");
    expect(plain?.terms).toBe("");
    const { rows: words } = await query(
      "select word from tender_word where word in ('ecole', 'buyer=besancon') order by word",
    );
    expect(words).toEqual([{ word: "buyer=besancon" }, { word: "ecole" }]);
  });
});

test("every text is kept in the form in which it is looked for, and one of ASCII alone in no other", () => {
  const grapheme = fc.string({ unit: "grapheme" });
  fc.assert(
    fc.property(grapheme, (text) => {
      expect(searchForms(text)).toContain(searchable(text));
    }),
  );
  const ascii = fc.string({ unit: "binary-ascii" });
  fc.assert(
    fc.property(ascii, (text) => {
      expect(searchForms(text)).toEqual([searchable(text)]);
    }),
  );
});
