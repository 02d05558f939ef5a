import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp } from "../../../support/app.ts";
import { describeEachDatabase } from "../../../support/databases.ts";

const path = "/api/economic/v1/list-global-tenders";

interface Tender {
  readonly id: string;
  readonly source: string;
  readonly countryCode: string;
  readonly region: string;
  readonly title: string;
  readonly description: string;
  readonly buyer: string;
  readonly publishedAt: string;
  readonly deadline: string;
  readonly status: string;
  readonly money?: { readonly amount?: number; readonly currency?: string };
  readonly categoryCodes: readonly string[];
  readonly sectors: readonly string[];
  readonly automationFit: { readonly score: number };
}

describeEachDatabase("The filters of tenders", (openFresh) => {
  let app: TestApp;
  let all: readonly Tender[];
  beforeAll(async () => {
    app = await startApp(await openFresh());
    await app.refresh("global-tenders");
    all = await walk("");
  });
  afterAll(() => app[Symbol.asyncDispose]());

  async function walk(query: string): Promise<Tender[]> {
    const rows: Tender[] = [];
    for (let cursor = ""; ; ) {
      const page = `${path}?${query}&page_size=100&cursor=${cursor}`;
      const body = await app.json<{ tenders: Tender[]; nextCursor: string; total: number }>(page);
      rows.push(...body.tenders);
      if (body.nextCursor === "") {
        expect(body.total).toBe(rows.length);
        return rows;
      }
      cursor = body.nextCursor;
    }
  }

  const letters = (text: string) => [...text.normalize("NFD")].filter((letter) => !/[\u0300-\u036f]/.test(letter));
  const plain = (text: string) =>
    letters(text.toLowerCase()).join("").normalize("NFC").replace(/[‘’ʼ]/g, "'").replace(/\s+/g, " ").trim();
  const holds = ({ title, description }: Tender, part: string) =>
    [title, description].some((text) => plain(text).includes(plain(part)));
  const any = (texts: readonly string[], part: string) => texts.some((text) => plain(text).includes(plain(part)));
  const day = 86_400_000;
  const ids = (tenders: readonly Tender[]) => tenders.map(({ id }) => id).toSorted((a, b) => (a < b ? -1 : 1));

  /** A filter made from a notice, so that something is found, as it is asked for and as it is checked by hand. */
  type Filter = { readonly query: Readonly<Record<string, string>>; readonly retains: (tender: Tender) => boolean };
  const filters: ((sample: Tender, pick: number) => Filter | undefined)[] = [
    // Both parameters are one filter.
    ({ countryCode }, pick) => ({
      query: [
        { country: countryCode.toLowerCase() },
        { countries: `${countryCode}, gb` },
        { country: "gb", countries: countryCode },
      ][pick % 3]!,
      retains: (tender) => (pick % 3 === 0 ? [countryCode] : [countryCode, "GB"]).includes(tender.countryCode),
    }),
    ({ region }) => ({ query: { region: region.toUpperCase() }, retains: (tender) => tender.region === region }),
    ({ source }) => ({ query: { source }, retains: (tender) => tender.source === source }),
    ({ status }) => ({ query: { status: status.toUpperCase() }, retains: (tender) => tender.status === status }),
    ({ deadline }) => ({
      query: { deadline_from: deadline },
      retains: (tender) => Date.parse(tender.deadline) >= Date.parse(deadline),
    }),
    ({ deadline }) => ({
      query: { deadline_to: deadline.slice(0, 10) },
      retains: (tender) => Date.parse(tender.deadline) < Date.parse(deadline.slice(0, 10)) + day,
    }),
    ({ publishedAt }) => ({
      query: { published_from: publishedAt.slice(0, 10) },
      retains: (tender) =>
        tender.publishedAt !== "" && Date.parse(tender.publishedAt) >= Date.parse(publishedAt.slice(0, 10) || "0001"),
    }),
    ({ publishedAt }) => ({
      query: { published_to: publishedAt.replace("Z", "+00:00") },
      retains: (tender) => tender.publishedAt !== "" && tender.publishedAt <= publishedAt,
    }),
    ({ money }) => ({
      query: { min_value: String(money?.amount ?? 5), currency: (money?.currency ?? "EUR").toLowerCase() },
      retains: (tender) =>
        (tender.money?.amount ?? -1) >= (money?.amount ?? 5) && tender.money?.currency === (money?.currency ?? "EUR"),
    }),
    ({ money }) => ({
      query: { max_value: String(money?.amount ?? 5) },
      retains: (tender) => tender.money?.amount !== undefined && tender.money.amount <= (money?.amount ?? 5),
    }),
    ({ categoryCodes, sectors }, pick) => {
      const code = [...categoryCodes, ...sectors][pick % Math.max(1, categoryCodes.length + sectors.length)] ?? "";
      const part = code.slice(pick % 2, 2 + (pick % 5));
      return plain(part) === ""
        ? undefined
        : {
            query: { category: part.toUpperCase() },
            retains: (tender) => any([...tender.categoryCodes, ...tender.sectors], part),
          };
    },
    ({ buyer }, pick) => {
      const part = buyer.slice(pick % 4, 3 + (pick % 9));
      return plain(part) === ""
        ? undefined
        : { query: { buyer: part }, retains: (tender) => any([tender.buyer], part) };
    },
    ({ automationFit: { score } }) => ({
      query: { min_automation_score: String(score) },
      retains: (tender) => tender.automationFit.score >= score,
    }),
  ];

  const text = (sample: Tender, pick: number): Filter | undefined => {
    const words = `${sample.title} ${sample.description}`.split(/[\s"]+/).filter((word) => word.length > 0);
    const at = pick % words.length;
    const whole = words[at] ?? "";
    const part = whole.length > 5 ? whole.slice(pick % 2, 5) : whole;
    const other = words[(at * 7 + 3) % words.length] ?? "";
    const phrase = words.slice(at, at + 2).join(" ");
    const parts = [[part], [part, other], [phrase], [part, phrase.toUpperCase()]][pick % 4] ?? [];
    if (!parts.some((each) => /[a-z\d]{3,}/i.test(each))) return undefined;
    const quoted = parts.map((each) => (each.includes(" ") ? `"${each}"` : each));
    return { query: { query: quoted.join("  ") }, retains: (tender) => parts.every((each) => holds(tender, each)) };
  };

  test("any of them, separately or together, finds exactly what reading every notice finds", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        fc.nat(),
        fc.subarray([...filters.keys()], { minLength: 0, maxLength: 2 }),
        fc.boolean(),
        fc.constantFrom("newest", "closing_soon", "relevance"),
        async (number, pick, chosen, search, sort) => {
          const sample = all[number % all.length]!;
          const requested = [
            ...chosen.map((index) => filters[index]!(sample, pick)),
            search ? text(sample, pick) : undefined,
          ];
          const made = requested.filter((filter) => filter !== undefined);
          const query = Object.assign({}, ...made.map((filter) => filter.query));
          const found = await walk(`${new URLSearchParams({ ...query, sort })}`);
          const expected = all.filter((tender) => made.every(({ retains }) => retains(tender)));
          expect(ids(found)).toEqual(ids(expected));
        },
      ),
      { numRuns: 120 },
    );
  });

  test.each([
    "100%",
    "_oftware",
    "\\",
    "c++ software",
    "'; drop table tender; --",
    "софт",
    "ﬁ",
    "\u0130stanbul",
    "a\u0300 ville",
  ])("%s is looked for letter by letter", async (words) => {
    const parts = words.split(" ").filter((word) => word !== "");
    const query = new URLSearchParams({ query: words, deadline_from: "2000-01-01" });
    const expected = all.filter((tender) => parts.every((part) => holds(tender, part)));
    expect(ids(await walk(`${query}`))).toEqual(ids(expected));
  });

  test("a word is found with accents and without, an apostrophe as it is typed", async () => {
    const accented = all.filter(({ title }) => title.normalize("NFD") !== title.normalize("NFC"));
    expect(accented.length).toBeGreaterThan(0);
    for (const { id, title } of accented.slice(0, 20)) {
      const [word = ""] = title
        .split(/[^\p{Letter}\p{Mark}]+/u)
        .filter((each) => each.length > 3 && each.normalize("NFD") !== each);
      const forms = [word, letters(word).join(""), word.toUpperCase(), word.normalize("NFD")].filter(
        (each) => each !== "",
      );
      const found = await Promise.all(forms.map(async (form) => ids(await walk(`query=${encodeURIComponent(form)}`))));
      for (const each of found) expect(each, word).toEqual(found[0]);
      if (word !== "") expect(found[0], word).toContain(id);
    }
    const own = async (query: string) => ids(await walk(`query=${encodeURIComponent(query)}`));
    const quoted = all.find(({ title }) => title.includes("'"));
    const [phrase = ""] = /\p{Letter}+'\p{Letter}+/u.exec(quoted?.title ?? "") ?? [];
    expect(await own(phrase.replace("'", "’"))).toEqual(await own(phrase));
  });
});
