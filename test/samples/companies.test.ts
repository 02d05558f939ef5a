import { describe, expect, test } from "vitest";
import { rowsOf, writtenFiles } from "./stories.ts";

/** Well-known companies: first word of the name, ticker, day of the first listing, seat. */
const known = rowsOf("known-companies.csv").map(([name = "", ticker = "", listed = "", city = "", field = ""]) => ({
  ...{ name, ticker, listed, city, field },
}));

/** Changes of single letters that lead from one word to the other. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, place) => place);
  for (const [place, letter] of [...one].entries()) {
    const next = [place + 1];
    for (const [column, other_] of [...other].entries())
      next.push(
        Math.min((next[column] ?? 0) + 1, (row[column + 1] ?? 0) + 1, (row[column] ?? 0) + Number(letter !== other_)),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}

interface Filer {
  readonly name: string;
  readonly tickers: readonly string[];
  readonly sic: string;
  readonly addresses: { readonly business: { readonly city: string } };
}

describe("an invented company resembles no real one", () => {
  const filers = writtenFiles("sec")
    .filter(({ file }) => file.startsWith("CIK"))
    .map(({ text }) => JSON.parse(text.replaceAll(/\{\{[^}]*\}\}/g, "")) as Filer);
  const firstWord = (name: string) => name.toLowerCase().split(/[^a-z]/)[0] ?? "";

  test.each([
    ["bowring", "boeing"],
    ["intrell", "intel"],
    ["marrick", "merck"],
    ["fenzer", "pfizer"],
    ["walmart", "walmart"],
  ])("%s would be found to resemble %s", (name, real) => {
    expect(distance(name, real)).toBeLessThanOrEqual(3);
  });

  test("by its name, its tickers, or its seat and line of business", () => {
    expect(filers.length).toBeGreaterThan(40);
    const alike = filers.flatMap(({ name, tickers, sic, addresses }) =>
      known
        .filter((real) => {
          const word = firstWord(name);
          const isNear = distance(word, real.name) <= (Math.max(word.length, real.name.length) >= 7 ? 2 : 1);
          const isNeighbor = addresses.business.city.toLowerCase() === real.city && sic.startsWith(real.field);
          return isNear || tickers.includes(real.ticker) || isNeighbor;
        })
        .map((real) => `${name}: ${real.name}`),
    );
    expect(alike).toEqual([]);
  });

  test("by the day of its first listing or its size, and none makes a loss", () => {
    for (const { file, text } of writtenFiles("finnhub").filter((one) => one.file.startsWith("profile-"))) {
      const { ipo = "", marketCapitalization = 0 } = JSON.parse(text) as Partial<Record<"ipo", string>> & {
        marketCapitalization?: number;
      };
      expect(
        known.filter(({ listed }) => listed !== "" && listed === ipo),
        file,
      ).toEqual([]);
      expect(marketCapitalization, file).toBeLessThan(250_000);
    }
    for (const { file, text } of writtenFiles("finnhub").filter((one) => one.file.startsWith("earnings-")))
      expect(text.match(/"actual": -/g), file).toBeNull();
  });
});
