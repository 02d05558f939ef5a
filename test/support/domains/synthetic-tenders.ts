import { create } from "@bufbuild/protobuf";
import { type TenderNotice, TenderNoticeSchema } from "../../../gen/es/ids/stored/v1/tender_pb.ts";
import { randomOf } from "./synthetic-bases.ts";

/** Invented notices with the word frequencies of real ones: the commonest word is in every third, most are in one of thousands. */
export function* syntheticTenders(count: number, now: Date, first = 0): Generator<TenderNotice> {
  for (let index = first; index < first + count; index++) {
    const random = randomOf(index + 1);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    const [source, region] = pick(sources);
    const day = (days: number) => new Date(now.getTime() + days * 86_400_000).toISOString();
    yield create(TenderNoticeSchema, {
      source,
      sourceNoticeId: `n-${index}`,
      officialUrl: `https://tenders.example.org/${index}`,
      countryCode: countries[Math.floor(countries.length * random() ** 1.6)] ?? "FR",
      region,
      title: words(random, 7),
      description: words(random, 30),
      buyer: `Office of ${vocabulary[Math.floor(200 * random())]} ${Math.floor(random() * 300)}`,
      // Sources are read as they publish, so that adjacent rows in the store are of about the same day.
      publishedAt: day(-57 * Math.max(0, 1 - index / 1_000_000) - 3 * random()),
      deadline: day(1 + 60 * random()),
      status: pick(["open", "open", "open", "active", "published"]),
      noticeType: "cn-standard",
      ...(random() < 0.6 ? { amount: (10 ** (3 + 5 * random())).toFixed(2), currency: pick(currencies) } : {}),
      categoryCodes: [String(10_000_000 + 10_000 * Math.floor(random() * 8_000))],
      sectors: [pick(["services", "works", "goods"])],
    });
  }
}

/** A word that occurs in about the given share of the notices. */
export function wordOf(share: number): string {
  // The n-th word has sqrt(n / size) - sqrt((n - 1) / size) of all words, of which a notice has 37.
  const rank = Math.max(1, Math.round((37 / (2 * share)) ** 2 / vocabulary.length));
  return vocabulary[Math.min(rank, vocabulary.length) - 1] ?? "";
}

const sources = [
  ...Array.from({ length: 4 }, () => ["ted", "Europe"] as const),
  ...Array.from({ length: 2 }, () => ["sam", "North America"] as const),
  ["contracts-finder", "Europe"],
  ["canada-buys", "North America"],
  ["gets", "Oceania"],
  ["world-bank", "Multilateral"],
] as const;
const countries = "FR DE PL IT ES US GB CA NZ KE IN RO CZ SE FI NL BE AT PT GR HU BG DK IE LT".split(" ");
const currencies = ["EUR", "PLN", "USD", "GBP", "CAD"];

const syllables = "ba ce di fo gu ha ke li mo nu pa re si to vu wa xe yi zo cha dre fli gro ster".split(" ");
const vocabulary = Array.from({ length: 6_000 }, (_, index) => {
  const random = randomOf(7_919 * (index + 1));
  const length = 2 + Math.floor(random() * 3);
  return Array.from({ length }, () => syllables[Math.floor(random() * syllables.length)]).join("");
});

function words(random: () => number, count: number): string {
  return Array.from({ length: count }, () => vocabulary[Math.floor(vocabulary.length * random() ** 2)]).join(" ");
}
