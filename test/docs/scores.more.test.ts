import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../src/store/database.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { openLoaded } from "../support/loaded.ts";

const page = readFileSync(fileURLToPath(new URL("../../docs/scores.md", import.meta.url)), "utf8");

let database: Database;
let app: TestApp;
let key: string;
beforeAll(async () => {
  database = await openLoaded();
  app = await startApp(database);
  key = await app.key("enterprise");
}, 120_000);
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

async function read<T>(path: string): Promise<T> {
  const response = await app.get(path, { key });
  expect(response.status, path).toBe(200);
  return (await response.json()) as T;
}

function sectionOf(heading: string): string {
  return page.split(/^## /m).find((section) => section.startsWith(`${heading}\n`)) ?? "";
}

/** The rows of a table in a section, by the text of their first cells. */
function tableRow(heading: string, first: string): readonly string[] {
  const line = sectionOf(heading)
    .split("\n")
    .find((each) => each.startsWith(`| ${first} |`));
  return (line ?? "")
    .split("|")
    .map((cell) => cell.trim())
    .slice(1, -1);
}

function expectExample(heading: string, lines: readonly string[]): void {
  const [, example] = /^```text\n(.*?)^```$/ms.exec(sectionOf(heading)) ?? [];
  expect(example).toBe(`${lines.join("\n")}\n`);
  for (const line of lines) expectTrueAsPrinted(line);
}

/** Computes a line such as `mean: (1 × 82 + …) / 3.5 = 76.04` from its printed numbers. Lines with words are skipped. */
function expectTrueAsPrinted(line: string): void {
  const [, printed = "", result = ""] = /^[^:]*: ([^=]*) = (−?[\d.]+)/.exec(line) ?? [];
  const formula = printed.replaceAll("×", "*").replaceAll("−", "-");
  if (!/^[\d\s.+*/()-]+$/.test(formula)) return;
  const decimals = result.split(".")[1]?.length ?? 0;
  const difference = Math.abs(runInNewContext(formula) - Number(result.replace("−", "-")));
  expect(difference, line).toBeLessThanOrEqual(0.500_001 / 10 ** decimals);
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]) => sum(values) / values.length;
const to = (value: number, decimals: number) => Number(value.toFixed(decimals));
const text = (value: number) => String(to(value, 2)).replace("-", "−");
const product = (...factors: readonly number[]) => factors.map(text).join(" × ");
const exactly = (...factors: readonly number[]) => factors.map((factor) => to(factor, 6)).join(" × ");

interface Term {
  readonly name: string;
  readonly points: number;
  readonly cap: number;
}

test("the example of country risk adds up to the score of the sample", async () => {
  const risk = await read<{
    staticBaseline: number;
    combinedScore: number;
    components: readonly { name: string; weight: number; score: number; terms: readonly Term[] }[];
    additions: readonly Term[];
    floors: readonly { name: string; score: number; holds: boolean }[];
  }>("/api/intelligence/v1/get-risk-score-explanation?region=UA");
  const counted = (terms: readonly Term[]) => terms.filter(({ points }) => points > 0);
  const pointsOf = ({ points, cap }: Term) => Math.min(points, cap);
  const components = risk.components.filter(({ score }) => score > 0);
  const componentLines = components.map(({ name, terms }) => {
    const points = counted(terms);
    return `${name}: ${points.map((term) => `${term.name} ${text(pointsOf(term))}`).join(" + ")} = ${text(sum(points.map(pointsOf)))}, rounded ${Math.round(sum(points.map(pointsOf)))}`;
  });
  const scores = components.map(({ weight, terms }) => [weight, Math.round(sum(terms.map(pointsOf)))] as const);
  const event = sum(scores.map(([weight, score]) => weight * score));
  const added = counted(risk.additions);
  const points = sum(added.map(pointsOf));
  const blend = 0.4 * risk.staticBaseline + 0.6 * event + points;
  const floor = risk.floors.filter(({ holds }) => holds).toSorted((one, other) => other.score - one.score)[0];
  expectExample("Country risk", [
    ...componentLines,
    "security, information: 0, because no source is built in",
    `events: ${scores.map((each) => product(...each)).join(" + ")} = ${text(event)}`,
    `added points: ${added.map((term) => `${term.name} ${text(pointsOf(term))}`).join(" + ")} = ${text(points)}`,
    `blend: 0.4 × ${risk.staticBaseline} + 0.6 × ${text(event)} + ${text(points)} = ${text(blend)}`,
    `highest floor: ${floor?.name} ${floor?.score}`,
    `score: ${Math.round(blend)}`,
  ]);
  expect(Math.max(Math.round(blend), floor?.score ?? 0)).toBe(risk.combinedScore);
});

test("the example of the risk of the world is the weighted mean of the highest scores of the sample", async () => {
  const { ciiScores, strategicRisks } = await read<{
    ciiScores: readonly { combinedScore: number }[];
    strategicRisks: readonly { score: number }[];
  }>("/api/intelligence/v1/get-risk-scores");
  const weights = [1, 0.85, 0.7, 0.55, 0.4];
  const highest = ciiScores.map(({ combinedScore }) => combinedScore).toSorted((one, other) => other - one);
  const weighted = sum(weights.map((weight, place) => weight * (highest[place] ?? 0))) / sum(weights);
  const score = Math.round(weighted * 0.7 + 15);
  expectExample("Risk of the world", [
    `mean: (${weights.map((weight, place) => product(weight, highest[place] ?? 0)).join(" + ")}) / ${text(sum(weights))} = ${text(weighted)}`,
    `score: ${text(weighted)} × 0.7 + 15 = ${text(weighted * 0.7 + 15)}, rounded ${score}`,
  ]);
  expect(score).toBe(strategicRisks[0]?.score);
});

interface Part {
  readonly id: string;
  readonly score: number;
  readonly weight: number;
  readonly coverage: number;
}

test("the example of resilience follows from indicators to the score of the sample", async () => {
  type Dimension = Part & { readonly indicators: readonly { readonly weight: number; readonly score: number }[] };
  type Domain = Part & { readonly dimensions: readonly Dimension[] };
  const { overallScore, pillars } = await read<{
    overallScore: number;
    pillars: readonly (Part & { readonly domains: readonly Domain[] })[];
  }>("/api/resilience/v1/get-resilience-score-explanation?country_code=NO");
  const [pillar] = pillars;
  const [domain] = pillar?.domains ?? [];
  const [dimension] = domain?.dimensions ?? [];
  if (!pillar || !domain || !dimension) throw new Error("The sample has no pillar");
  const mix = (parts: readonly Part[]) =>
    sum(parts.map(({ score, weight, coverage }) => score * weight * coverage)) /
    sum(parts.map(({ weight, coverage }) => weight * coverage));
  const mixLines = (title: string, parts: readonly Part[]) => {
    const scored = parts.map(({ score, weight, coverage }) => exactly(score, weight, coverage)).join(" + ");
    const weights = parts.map(({ weight, coverage }) => exactly(weight, coverage)).join(" + ");
    const points = sum(parts.map(({ score, weight, coverage }) => score * weight * coverage));
    const whole = sum(parts.map(({ weight, coverage }) => weight * coverage));
    return [
      `${title}, scores: ${scored} = ${to(points, 4)}`,
      `${title}, weights: ${weights} = ${to(whole, 6)}`,
      `${title}: ${to(points, 4)} / ${to(whole, 6)} = ${text(mix(parts))}`,
    ];
  };
  const ofIndicators = sum(dimension.indicators.map(({ weight, score }) => weight * score));
  const whole = sum(pillars.map(({ weight, score }) => weight * score));
  const weakest = Math.min(...pillars.map(({ score }) => score));
  const score = whole * (1 - 0.5 * (1 - weakest / 100));
  expectExample("Resilience", [
    `dimension ${dimension.id}: ${dimension.indicators.map(({ weight, score: own }) => product(weight, own)).join(" + ")} = ${text(ofIndicators)}, rounded ${dimension.score}`,
    ...mixLines(`domain ${domain.id}`, domain.dimensions),
    ...mixLines(`pillar ${pillar.id}`, pillar.domains),
    `mean of the pillars: ${pillars.map(({ weight, score: own }) => product(weight, own)).join(" + ")} = ${text(whole)}`,
    `score: ${text(whole)} × (1 − 0.5 × (1 − ${text(weakest)} / 100)) = ${text(score)}`,
  ]);
  expect(Math.round(ofIndicators)).toBe(dimension.score);
  expect(mix(domain.dimensions)).toBeCloseTo(domain.score, 2);
  expect(mix(pillar.domains)).toBeCloseTo(pillar.score, 6);
  expect(to(score, 2)).toBe(overallScore);
});

test("the example of economic stress follows from the limits of the page and the values of the sample", async () => {
  const { compositeScore, label, components } = await read<{
    compositeScore: number;
    label: string;
    components: readonly { id: string; rawValue: number; score: number; missing: boolean }[];
  }>("/api/economic/v1/get-economic-stress");
  const heading = "Economic stress";
  const scored = components.map(({ id, rawValue }) => {
    const [weight = 0, calm = 0, extreme = 0] = tableRow(heading, `\`${id}\``).slice(2).map(Number);
    const score = Math.min(100, Math.max(0, ((rawValue - calm) / (extreme - calm)) * 100));
    const line = `${id}: (${String(to(rawValue, 4)).replace("-", "−")} − ${text(calm)}) / (${text(extreme)} − ${text(calm)}) × 100 = ${text(score)}`;
    return { weight, score, line: line.replaceAll(/− (−[\d.]+)/g, "− ($1)") };
  });
  const composite = to(sum(scored.map(({ weight, score }) => weight * score)), 1);
  const terms = scored.map(({ weight, score }) => product(weight, score)).join(" + ");
  expectExample(heading, [...scored.map(({ line }) => line), `score: ${terms} = ${composite}, ${label}`]);
  for (const [place, { score }] of scored.entries()) expect(score).toBeCloseTo(components[place]?.score ?? -1, 6);
  expect(composite).toBe(compositeScore);
});

test("the example of supply vulnerability follows from its components in the sample", async () => {
  interface Components {
    readonly sourceConcentration: { readonly importHhi: number; readonly value: number };
    readonly transitExposure: {
      readonly value: number;
      readonly chokepoints: readonly { weightedTransitShare: number }[];
    };
    readonly buffer: { readonly vulnerability: number };
  }
  const { vulnerabilities } = await read<{
    vulnerabilities: readonly { commodityId: string; score: number; band: string; components: Components }[];
  }>("/api/supply-chain/v1/get-country-vulnerabilities?iso2=KR");
  const soybeans = vulnerabilities.find(({ commodityId }) => commodityId === "soybeans");
  if (!soybeans) throw new Error("The sample has no soybeans");
  const { sourceConcentration, transitExposure, buffer } = soybeans.components;
  const shares = transitExposure.chokepoints.map(({ weightedTransitShare }) => weightedTransitShare);
  const exact = (value: number) => String(to(value, 4));
  const c = sourceConcentration.importHhi;
  const t = to(1 - shares.reduce((spared, share) => spared * (1 - share), 1), 4);
  const b = buffer.vulnerability;
  const score = to(100 * (0.45 * c + 0.25 * t + 0.2 * c * t + 0.1 * b), 2);
  expectExample("Supply vulnerability", [
    `C: ${exact(c)}, the concentration of imports; production is unknown`,
    `T: 1 − ${shares.map((share) => exact(1 - share)).join(" × ")} = ${exact(t)}`,
    `B: ${exact(b)}`,
    `score: 100 × (0.45 × ${exact(c)} + 0.25 × ${exact(t)} + 0.2 × ${exact(c)} × ${exact(t)} + 0.1 × ${exact(b)}) = ${text(score)}, ${soybeans.band}`,
  ]);
  expect([c, t, score]).toEqual([sourceConcentration.value, transitExposure.value, soybeans.score]);
});

test("the example of chokepoint disruption adds up to the newest point of the sample", async () => {
  const { points } = await read<{ points: readonly { value: number }[] }>(
    "/api/history/v1/get-series?series=chokepoint.disruption&keys=hormuz_strait",
  );
  const { rows } = await database.query(
    "select threat, warnings, anomaly from chokepoint_status where chokepoint_id = 'hormuz_strait'",
  );
  const [stored] = rows as { threat: string; warnings: number; anomaly: boolean }[];
  if (!stored) throw new Error("The sample has no strait");
  const heading = "Chokepoint disruption";
  const threat = Number(tableRow(heading, `\`${stored.threat}\``)[1]);
  const warnings = Math.min(15, 5 * stored.warnings);
  const score = Math.min(100, threat + warnings + (stored.anomaly ? 10 : 0));
  expectExample(heading, [
    `threat level ${stored.threat}: ${threat}`,
    `warnings in force: ${stored.warnings} × 5 = ${warnings}`,
    `traffic: ${stored.anomaly ? "collapsed, 10" : "not collapsed, 0"}`,
    `score: ${threat} + ${warnings} + ${stored.anomaly ? 10 : 0} = ${score}`,
  ]);
  expect(score).toBe(points.at(-1)?.value);
});

test("the example of chokepoint exposure follows from the three highest scores of the sample", async () => {
  const { exposures, vulnerabilityIndex } = await read<{
    exposures: readonly { chokepointName: string; exposureScore: number }[];
    vulnerabilityIndex: number;
  }>("/api/supply-chain/v1/get-country-chokepoint-index?iso2=DE&hs2=27");
  const highest = exposures.slice(0, 3);
  const weights = [0.5, 0.3, 0.2];
  const index = to(sum(highest.map(({ exposureScore }, place) => (weights[place] ?? 0) * exposureScore)), 1);
  expectExample("Chokepoint exposure", [
    ...highest.map(({ chokepointName, exposureScore }) => `${chokepointName}: ${exposureScore}`),
    `index: ${highest.map(({ exposureScore }, place) => product(weights[place] ?? 0, exposureScore)).join(" + ")} = ${index}`,
  ]);
  expect(index).toBe(vulnerabilityIndex);
});

test("the example of shipping stress follows from the price changes of the sample", async () => {
  const { carriers, stressScore, stressLevel } = await read<{
    carriers: readonly { changePct: number }[];
    stressScore: number;
    stressLevel: string;
  }>("/api/supply-chain/v1/get-shipping-stress");
  const change = mean(carriers.map(({ changePct }) => changePct));
  const score = 40 - 3 * change;
  const changes = carriers
    .map(({ changePct }) => text(changePct))
    .join(" + ")
    .replaceAll("+ −", "− ");
  expectExample("Shipping stress", [
    `mean change: (${changes}) / ${carriers.length} = ${to(change, 3)}`,
    `score: 40 − 3 × ${to(change, 3)} = ${text(score)}, rounded ${Math.round(score)}, ${stressLevel}`,
  ]);
  expect(Math.round(score)).toBe(stressScore);
});

test("the example of physical divergence follows from the premiums of the sample", async () => {
  const { readings, composite } = await read<{
    readings: readonly { metal: string; index: number; premiumPct: number; percentile: number }[];
    composite: { index: number };
  }>("/api/market/v1/get-physical-divergence-index");
  const heading = "Physical divergence";
  const graded = readings.map(({ metal, premiumPct, percentile }) => {
    const [weight = "", elevated = ""] = tableRow(heading, metal).slice(1);
    const limit = Number.parseFloat(elevated);
    const index = to((45 * premiumPct) / limit, 2);
    expect(premiumPct).toBeLessThan(limit);
    expect(percentile).toBeLessThan(80);
    return { metal, weight: Number(weight), index, premiumPct, percentile, limit };
  });
  const whole = to(sum(graded.map(({ weight, index }) => weight * index)), 2);
  expectExample(heading, [
    ...graded.map(
      ({ metal, premiumPct, limit, index, percentile }) =>
        `${metal}: 45 × ${premiumPct} / ${limit} = ${index}; percentile ${percentile} sets no minimum`,
    ),
    `composite: ${graded.map(({ weight, index }) => product(weight, index)).join(" + ")} = ${text(whole)}`,
  ]);
  expect(graded.map(({ index }) => index)).toEqual(readings.map(({ index }) => index));
  expect(whole).toBe(composite.index);
});

test("the example of the seasonal band follows from the points of the five years before", async () => {
  interface Row {
    readonly at: number;
    readonly value: number;
    readonly min: number;
    readonly mean: number;
    readonly max: number;
  }
  const october = (year: number) => Date.UTC(year, 9, 1);
  const series = "series=gas.fill&keys=EU&interval=month";
  const { rows } = await read<{ rows: readonly Row[] }>(`/api/history/v1/get-seasonal-band?${series}`);
  const { points } = await read<{ points: readonly Row[] }>(
    `/api/history/v1/get-series?${series}&from=2021-10-01&to=2026-11-18`,
  );
  const years = [2021, 2022, 2023, 2024, 2025];
  const values = years.map((year) => points.find(({ at }) => at === october(year))?.value ?? Number.NaN);
  const row = rows.find(({ at }) => at === october(2026));
  const [min, max, middle] = [Math.min(...values), Math.max(...values), mean(values)];
  expectExample("Seasonal band", [
    ...years.map((year, place) => `October ${year}: ${values[place]}`),
    `band: ${min} to ${max}, mean (${values.join(" + ")}) / 5 = ${to(middle, 3)}`,
    `October 2026: ${row?.value}, which is ${to((row?.value ?? 0) - middle, 2)} above the mean`,
  ]);
  expect([row?.min, row?.max, row?.mean]).toEqual([min, max, to(middle, 9)]);
});
