import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { expect, test } from "vitest";
import { InternetOutageSchema, OutageSeverity } from "../../../../gen/es/ids/infrastructure/v1/infrastructure_pb.ts";
import { type RiskCountry, riskCountries } from "../../../../src/domains/intelligence/risk/risk-countries.ts";
import { riskSources } from "../../../../src/domains/intelligence/risk/risk-inputs.ts";
import { outageCounts } from "../../../../src/domains/intelligence/risk/risk-stored.ts";
import { type ReportedValues, readInputs, type Signal } from "../../../../src/domains/intelligence/risk/risk-values.ts";

const now = new Date("2026-11-18T12:00:00Z");
const hourMs = 3_600_000;
const daysAgo = (days: number) => new Date(now.getTime() - days * 24 * hourMs).toISOString().slice(0, 10);
const country = (code: string) => riskCountries.find((each) => each.code === code) as RiskCountry;
const signal = (input: Signal["input"], days: number, amount = 1, code = "FR"): Signal => ({
  ...{ country: code, input, amount },
  date: daysAgo(days),
});
/** Every source answered just now; some of them this. */
const reported = (
  signals: Readonly<Record<string, readonly Signal[]>> = {},
  fetchedAt = now,
): Map<string, ReportedValues> =>
  new Map(Object.keys(riskSources).map((source) => [source, { fetchedAt, signals: signals[source] ?? [] }]));
const read = (
  name: Signal["input"] | "newSanctions" | "vessels",
  from: Map<string, ReportedValues>,
  code = "FR",
  at = now,
) => readInputs(from, at).of(country(code)).get(name);

test("events up to 7 days ago count 1, up to 30 days ago 0.4, others not", () => {
  const events = [0, 7, 8, 30, 31, -1].map((days) => signal("protests", days));
  expect(read("protests", reported({ "acled-unrest": events }))).toEqual({
    ...{ name: "protests", value: 2.8, state: "measured", source: "acled-unrest" },
    ...{ observedAt: daysAgo(0), fetchedAt: now.toISOString(), countedFrom: "" },
  });
});

test("a sum of 0.4 stays a decimal number", () => {
  expect(read("battles", reported({ acled: [signal("battles", 9, 3)] }))?.value).toBe(1.2);
});

test("quakes count for seven days", () => {
  const quakes = [signal("strongQuakes", 1), signal("strongQuakes", 7), signal("strongQuakes", 8)];
  expect(read("strongQuakes", reported({ "usgs-earthquakes": quakes }))?.value).toBe(2);
});

test("of a level only the newest counts, and none that is yet to come", () => {
  const levels = [signal("advisoryLevel", 300, 4), signal("advisoryLevel", 2, 2), signal("advisoryLevel", -1, 3)];
  expect(read("advisoryLevel", reported({ "state-advisories": levels }))).toMatchObject({
    value: 2,
    observedAt: daysAgo(2),
  });
});

test("what nothing was found of is a measured zero; what no source is built for is absent", () => {
  expect(read("fires", reported())).toMatchObject({ value: 0, state: "measured", observedAt: "" });
  expect(read("vessels", reported())).toEqual({ name: "vessels", value: 0, state: "absent" });
});

test.each(Object.entries(riskSources))("%s is missing when it is silent for more than %i hours", (source, hours) => {
  const at = (silent: number) => readInputs(reported({}, new Date(now.getTime() - silent)), now).missing;
  expect(at(hours * hourMs)).not.toContain(source);
  expect(at(hours * hourMs + 1)).toContain(source);
  const never = reported();
  never.delete(source);
  expect(readInputs(never, now).missing).toEqual([source]);
});

test("values of a missing source do not count, but their last reading time shows", () => {
  const fetchedAt = new Date(now.getTime() - 25 * hourMs);
  const from = reported();
  from.set("firms", { fetchedAt, signals: [signal("fires", 0, 9)] });
  expect(read("fires", from)).toMatchObject({ value: 0, state: "missing", fetchedAt: fetchedAt.toISOString() });
});

test.each([
  ["more than a week before", [signal("sanctionedParties", 0, 5), signal("sanctionedParties", 7, 4)], 1, "measured"],
  ["as many", [signal("sanctionedParties", 0, 5), signal("sanctionedParties", 7, 5)], 0, "measured"],
  ["fewer", [signal("sanctionedParties", 0, 4), signal("sanctionedParties", 3, 5)], 0, "measured"],
  ["nothing to compare with", [signal("sanctionedParties", 0, 5)], 0, "missing"],
  ["only an older list", [signal("sanctionedParties", 0, 5), signal("sanctionedParties", 9, 4)], 0, "missing"],
])("a list that holds %s", (_what, list, value, state) => {
  const from = reported({ "ofac-sdn": list });
  expect(read("newSanctions", from)).toMatchObject({ value, state, source: "ofac-sdn" });
  expect(read("sanctionedParties", from)?.value).toBe(list[0]?.amount);
});

test("a country that left a list has 0 at once, and one that came onto it is newly listed", () => {
  const parties = (days: number, ...codes: readonly string[]) =>
    codes.map((code) => signal("sanctionedParties", days, 3, code));
  const from = reported({ "ofac-sdn": [...parties(1, "FR", "RU"), ...parties(0, "DE", "RU"), ...parties(-1, "CU")] });
  const of = (code: string) =>
    (["sanctionedParties", "newSanctions"] as const).map((name) => {
      const { value, state, observedAt } = read(name, from, code) ?? {};
      return [value, state, observedAt];
    });
  const today = daysAgo(0);
  expect({ FR: of("FR"), DE: of("DE"), RU: of("RU"), JP: of("JP"), CU: of("CU") }).toEqual({
    FR: [
      [0, "measured", today],
      [0, "measured", today],
    ],
    DE: [
      [3, "measured", today],
      [1, "measured", today],
    ],
    RU: [
      [3, "measured", today],
      [0, "measured", today],
    ],
    JP: [
      [0, "measured", today],
      [0, "measured", today],
    ],
    CU: [
      [0, "measured", today],
      [0, "measured", today],
    ],
  });
});

test("a list that was read on only one day has no known new entries, whatever its rows", () => {
  const from = reported({ "ofac-sdn": [signal("sanctionedParties", 0, 5, "RU")] });
  expect(read("sanctionedParties", from)).toMatchObject({ value: 0, state: "measured" });
  expect(read("newSanctions", from)).toMatchObject({ value: 0, state: "missing" });
});

test("sizes of a list and whether it grew follow from its days, whatever days a country has rows of", () => {
  const sizes = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 2, maxLength: 8 });
  fc.assert(
    fc.property(sizes, (newestFirst) => {
      const always = newestFirst.map((_, days) => signal("sanctionedParties", days, 9, "RU"));
      const own = newestFirst.flatMap((size, days) => (size > 0 ? [signal("sanctionedParties", days, size)] : []));
      const from = reported({ "ofac-sdn": [...own, ...always] });
      expect(read("sanctionedParties", from)?.value).toBe(newestFirst[0]);
      const grew = (newestFirst[0] ?? 0) > (newestFirst.at(-1) ?? 0);
      expect(read("newSanctions", from)).toMatchObject({ value: grew ? 1 : 0, state: "measured" });
    }),
  );
});

test("days without a country say nothing about it for sources of events and levels", () => {
  const rows = {
    "cloudflare-radar": [signal("totalOutages", 2, 4), signal("totalOutages", 0, 1, "DE")],
    "state-advisories": [signal("advisoryLevel", 90, 2), signal("advisoryLevel", 0, 1, "DE")],
    unhcr: [signal("displaced", 300, 7), signal("displaced", 0, 1, "DE")],
    ucdp: [signal("warDeaths", 200, 5), signal("warDeaths", 0, 1, "DE")],
  };
  for (const [first] of Object.values(rows)) {
    const { input, amount, date } = first as Signal;
    expect(read(input, reported(rows))).toMatchObject({ value: amount, observedAt: date, state: "measured" });
  }
});

test("a travel advisory that is not known is that of the fixed list, marked so", () => {
  const none = new Map<string, ReportedValues>();
  expect(read("advisoryLevel", none, "UA")).toEqual({ name: "advisoryLevel", value: 4, state: "fallback" });
  expect(read("advisoryLevel", reported(), "UA")).toMatchObject({ value: 4, state: "fallback" });
  expect(read("advisoryLevel", none, "FR")).toMatchObject({ value: 0, state: "missing" });
  expect(read("advisoryLevel", reported(), "US")).toMatchObject({ value: 0, state: "absent" });
  const live = reported({ "state-advisories": [signal("advisoryLevel", 40, 1, "UA")] });
  expect(read("advisoryLevel", live, "UA")).toMatchObject({ value: 1, state: "measured" });
});

const outage = (severity: OutageSeverity, startedHoursAgo: number, endedHoursAgo?: number) =>
  create(InternetOutageSchema, {
    ...{ id: "cf-1", country: "SY", severity },
    detectedAt: BigInt(now.getTime() - startedHoursAgo * hourMs),
    endedAt: endedHoursAgo === undefined ? 0n : BigInt(now.getTime() - endedHoursAgo * hourMs),
  });

test("outages count while they last and a day longer, 30 days at most, by their severity", () => {
  const counts = outageCounts(
    [
      outage(OutageSeverity.TOTAL, 1),
      outage(OutageSeverity.MAJOR, 100, 23),
      outage(OutageSeverity.MAJOR, 50),
      outage(OutageSeverity.MAJOR, 100, 24),
      outage(OutageSeverity.PARTIAL, 30 * 24),
      outage(OutageSeverity.PARTIAL, -1),
      outage(OutageSeverity.UNSPECIFIED, 1),
    ],
    now,
  );
  expect(counts).toEqual([
    { country: "SY", input: "totalOutages", amount: 1, date: "2026-11-18" },
    { country: "SY", input: "majorOutages", amount: 2, date: "2026-11-16" },
  ]);
});
