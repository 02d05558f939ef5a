import { load } from "cheerio";
import { expect, test } from "vitest";
import { rounded } from "../../src/reference/rounding.ts";
import { startBed } from "../support/console/bed.ts";

const bed = startBed();
const page = async (path: string) => load(await (await bed.app.get(path, { key: null })).text());

/** The cells of a table's rows, by the names of its columns. */
function rowsOf($: Awaited<ReturnType<typeof page>>, table: string): Record<string, string>[] {
  const names = $(`${table} thead th`).toArray();
  return $(`${table} tbody tr`)
    .toArray()
    .map((row) => {
      const cells = $(row).children("th, td").toArray();
      return Object.fromEntries(cells.map((cell, place) => [$(names[place]).text(), $(cell).text()]));
    });
}

test("the methodology says by which formula domains make a pillar, and pillars the score", async () => {
  const $ = await page("/methodology");
  const rules = $("#rules tbody").text();
  expect(rules).toContain("Σ(domain × weight × coverage) / Σ(weight × coverage)");
  expect(rules).toContain("Σ(dimension × weight × coverage × f) / Σ(weight × coverage × f)");
  expect(rules).toContain("Σ(pillar × weight) / Σ(weight) × (1 − 0.5 × (1 − weakest pillar / 100))");
});

test("a country's resilience score can be recomputed from its page by the rules of the methodology", async () => {
  const penalty = Number(/× \(1 − ([\d.]+) × \(1 − weakest/.exec((await page("/methodology"))("#rules").text())?.[1]);
  for (const code of ["UA", "US", "NO", "AQ", "YE"]) {
    const $ = await page(`/countries/${code}`);
    const shown = $("dl.figures div:contains('Resilience, 0 to 100') dd").contents().first().text().trim();
    const domains = rowsOf($, "#resilience-domains");
    if (shown === "") {
      expect(domains, code).toEqual([]);
      continue;
    }
    expect(domains, code).toHaveLength(6);
    const pillars = rowsOf($, "#resilience-pillars").map(({ Pillar, Weight }) => {
      const own = domains.filter((domain) => domain.Pillar === Pillar);
      const shares = own.map((domain) => Number(domain.Weight) * Number(domain.Coverage));
      const share = shares.reduce((sum, one) => sum + one, 0);
      const score = own.reduce((sum, domain, place) => sum + Number(domain.Score) * (shares[place] ?? 0), 0) / share;
      return { score, share, weight: Number(Weight) };
    });
    const counted = pillars.filter(({ share }) => share > 0);
    const weight = counted.reduce((sum, pillar) => sum + pillar.weight, 0);
    const mean = counted.reduce((sum, pillar) => sum + pillar.score * pillar.weight, 0) / weight;
    const weakest = Math.min(...counted.map(({ score }) => score));
    expect(String(rounded(mean * (1 - penalty * (1 - weakest / 100)), 2)), code).toBe(shown);
  }
});
