import fc from "fast-check";
import { expect, test } from "vitest";
import { factorOf, ranked, transitExposureOf } from "../../../src/domains/scenario/compute.ts";
import { chaptersOf, templateById, templates } from "../../../src/domains/scenario/templates.ts";
import { chokepoints } from "../../../src/reference/trade/chokepoints.ts";
import { hsChapters } from "../../../src/reference/trade/hs-chapters.ts";

const hormuz = templateById("hormuz-tanker-blockade")!;
const tariff = templateById("us-tariff-escalation-electronics")!;
const baltic = templateById("russia-baltic-grain-suspension")!;

test("the templates are those of the contract, in its order", () => {
  expect(
    templates.map((each) => [
      ...[each.id, each.type, each.affectedChokepointIds.join("+"), each.disruptionPct, each.durationDays],
      ...[each.affectedHs2.join(), each.costShockMultiplier],
    ]),
  ).toEqual([
    ["taiwan-strait-full-closure", "conflict", "taiwan_strait", 100, 30, "84,85,87", 1.45],
    ["suez-bab-simultaneous", "conflict", "suez+bab_el_mandeb", 80, 60, "", 1.35],
    ["panama-drought-50pct", "weather", "panama", 50, 90, "", 1.22],
    ["hormuz-tanker-blockade", "conflict", "hormuz_strait", 100, 14, "27,29", 2.1],
    ["russia-baltic-grain-suspension", "sanctions", "bosphorus+dover_strait", 100, 180, "10,12", 1.55],
    ["us-tariff-escalation-electronics", "tariff_shock", "", 0, 365, "85", 1.5],
  ]);
});

test("templates name known chokepoints and watched chapters; one without chapters means all of them", () => {
  const known = new Set(chokepoints.map(({ id }) => id));
  for (const { affectedChokepointIds, affectedHs2 } of templates) {
    expect(affectedChokepointIds.filter((id) => !known.has(id))).toEqual([]);
    expect(affectedHs2.filter((chapter) => !hsChapters.has(chapter))).toEqual([]);
  }
  expect(chaptersOf(templateById("panama-drought-50pct")!)).toHaveLength(19);
});

test.each([
  ["a score of 40 under a full blockade", hormuz, 100, [{ hormuz_strait: 40 }], 0, 84],
  ["the same under half of it", hormuz, 50, [{ hormuz_strait: 40 }], 0, 42],
  ["the same under none", hormuz, 0, [{ hormuz_strait: 40 }], 0, 0],
  ["two chapters", hormuz, 100, [{ hormuz_strait: 40 }, { hormuz_strait: 10 }], 0, 105],
  ["another chokepoint", hormuz, 100, [{ suez: 90 }], 0, 0],
  ["two chokepoints", baltic, 100, [{ bosphorus: 20, dover_strait: 4 }], 0, 37.2],
  ["a tariff, by the vulnerability index", tariff, 0, [{ suez: 90 }], 40, 60],
  ["no exposure", tariff, 0, [], 40, 0],
])("the impact of %s", (_name, template, disruptionPct, scores, vulnerabilityIndex, expected) => {
  const exposures = scores.map((each) => ({ scores: each as Record<string, number>, vulnerabilityIndex }));
  expect(transitExposureOf(template, exposures) * factorOf({ template, disruptionPct })).toBeCloseTo(expected, 9);
});

test("an impact below 1 is shown as a percentage of 1, an absent one is left out, and ties are ordered by code", () => {
  expect(ranked(new Map(Object.entries({ DE: 0.2, FR: 0, AT: 0.2 })), 2)).toEqual([
    { iso2: "AT", transitExposure: 0.2, totalImpact: 0.4, impactPct: 40 },
    { iso2: "DE", transitExposure: 0.2, totalImpact: 0.4, impactPct: 40 },
  ]);
  expect(ranked(new Map(), 2)).toEqual([]);
});

test("whatever the totals, the worst 20 come, worst first, by percent of the worst", () => {
  const totals = fc.dictionary(fc.stringMatching(/^[A-Z]{2}$/), fc.double({ min: 0, max: 1e4, noNaN: true }), {
    maxKeys: 60,
  });
  fc.assert(
    fc.property(totals, (made) => {
      const worst = ranked(new Map(Object.entries(made)), 1);
      const shown = worst.map(({ totalImpact }) => totalImpact);
      expect(shown).toEqual(shown.toSorted((a, b) => b - a));
      expect(worst.length).toBe(Math.min(20, Object.values(made).filter((total) => total >= 0.00005).length));
      for (const { iso2, totalImpact, impactPct } of worst) {
        expect(totalImpact).toBeCloseTo(made[iso2] ?? Number.NaN, 3);
        expect(impactPct).toBe(Math.round((totalImpact / Math.max(1, shown[0] ?? 0)) * 100));
      }
      if ((shown[0] ?? 0) >= 1) expect(worst[0]?.impactPct).toBe(100);
    }),
  );
});
