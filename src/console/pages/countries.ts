import { IntelligenceService } from "../../../gen/es/ids/intelligence/v1/intelligence_pb.ts";
import type { RankedCountry } from "../../../gen/es/ids/resilience/v1/ranking_pb.ts";
import { ResilienceService } from "../../../gen/es/ids/resilience/v1/resilience_pb.ts";
import { labelOf } from "../../contract/labels.ts";
import { shortened } from "../../pages/all-rows.ts";
import { type Html, html } from "../../pages/html.ts";
import { continentNames, countriesOfContinent } from "../../reference/countries/continents.ts";
import { countries, countriesWith, wordsOf } from "../../reference/countries/countries.ts";
import { addressWith } from "../address.ts";
import type { Shading } from "../map/world-map.ts";
import { readMessage } from "../metadata.ts";
import type { PageContext, PageView } from "../page-context.ts";
import type { Read, ReadResponse } from "../read-response.ts";
import { blockOf, provenanceOf } from "../view/block.ts";
import { barCell, evenly, unknown } from "../view/figures.ts";
import { type Choice, selectField } from "../view/form-field.ts";
import { sparkline } from "../view/line-chart.ts";
import { type Basis, changesIn, explainedSeries, readMovers, splitMarkup } from "./movers.ts";
import { maxKeys } from "./series/series-read.ts";

export interface Scores extends Shading {
  readonly response: ReadResponse;
  readonly tables: readonly string[];
  readonly rows: readonly ScoreRow[];
}

interface ScoreRow {
  readonly code: string;
  readonly score: number;
  readonly note: string;
  /** How many components of the score had data, if the score can lack some. */
  readonly basis?: string;
}

const { getRiskScores } = IntelligenceService.method;

export async function readRisk(read: Read): Promise<Scores> {
  const { response, message } = await readMessage(read, getRiskScores);
  const rows = (message?.ciiScores ?? []).map(({ region, combinedScore, advisoryLevel, components }) => ({
    code: region,
    score: combinedScore,
    note: advisoryLevel.replaceAll("-", " "),
    basis: componentsText(components ?? {}),
  }));
  const nameOf = (code: string) => countries.get(code)?.name ?? code;
  rows.sort((a, b) => b.score - a.score || nameOf(a.code).localeCompare(nameOf(b.code), "en"));
  return shadedBy({ id: "risk", title: "Risk", kind: "risk", response, tables: ["ciiScores"], rows });
}

export async function readResilience(read: Read): Promise<Scores> {
  const { response, message } = await readMessage(read, ResilienceService.method.getResilienceRanking);
  const { items = [], greyedOut = [] } = message ?? {};
  const rowOf = (item: RankedCountry) => ({
    ...{ code: item.countryCode, score: item.overallScore },
    note: levelText(item),
  });
  // Countries whose level is unknown have no resilience score, so they are omitted.
  const rows = [...items, ...greyedOut.filter(({ level }) => level !== "unknown")].map(rowOf);
  const tables = ["items", "greyedOut"];
  return shadedBy({ id: "resilience", title: "Resilience", kind: "calm", response, tables, rows });
}

function shadedBy(scores: Omit<Scores, "otherwise" | "values">): Scores {
  const otherwise = scores.response.kind === "answered" ? "not covered" : "not shown";
  return { ...scores, otherwise, values: new Map(scores.rows.map(({ code, score }) => [code, score])) };
}

type Level = Pick<RankedCountry, "level" | "lowConfidence" | "headlineEligible">;

export function levelText({ level, lowConfidence, headlineEligible }: Level): string {
  const remark = headlineEligible ? lowConfidence && "low confidence" : "too little data to rank";
  return remark === false ? level : `${level}, ${remark}`;
}

/** Returns `2 of 4 components`: those that had data. The members `has…` of the response say which. */
export function componentsText(components: object): string {
  const known = Object.entries(components).filter(([name]) => name.startsWith("has"));
  return `${known.filter(([, is]) => is === true).length} of ${known.length} components`;
}

/** Returns `31 of 250 countries`: those with a score. */
export function coverageText({ rows }: Pick<Scores, "rows">): string {
  return `${rows.length} of ${countries.size} countries`;
}

/** Returns how many countries have risk scores, and how many components had data. Blocks of changes show this. */
export function riskBasis(risk: Scores): Basis {
  const byKey = new Map(risk.rows.map(({ code, basis = "" }) => [code, basis]));
  const coverage = coverageText(risk);
  const [all, ...others] = new Set(byKey.values());
  // If the number of components is the same for all countries, it is written once.
  if (all && others.length === 0) return { series: "risk.score", coverage: `${coverage}, ${all}`, byKey: new Map() };
  return { series: "risk.score", coverage, byKey };
}

interface Row {
  readonly code: string;
  readonly name: string;
  readonly words: string;
  readonly isFound: boolean;
  readonly risk: ScoreRow | undefined;
  readonly resilience: ScoreRow | undefined;
  /** The values of the risk score over the days of the change. */
  readonly values: readonly number[] | undefined;
  readonly change: ReturnType<ReturnType<typeof changesIn>>;
}

const sorts = {
  name: () => undefined,
  risk: ({ risk }: Row) => risk?.score,
  change: ({ change }: Row) => change?.change,
  resilience: ({ resilience }: Row) => resilience?.score,
};

type SortName = keyof typeof sorts;

function sortIn({ query }: PageContext): { readonly sort: SortName; readonly isAscending: boolean } {
  const named = query.get("sort") ?? "risk";
  const sort = Object.keys(sorts).find((each): each is SortName => each === named) ?? "risk";
  return { sort, isAscending: sort === "name" || query.get("order") === "asc" };
}

/** Sorts countries by a value, by default the highest first. Countries without it come last. */
function sorted(rows: readonly Row[], page: PageContext): readonly Row[] {
  const { sort, isAscending } = sortIn(page);
  const by = (figureOf: (row: Row) => number | undefined, sign: number) => (a: Row, b: Row) => {
    const [one, other] = [figureOf(a), figureOf(b)];
    if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
    return sign * (one - other);
  };
  const [first, second] = [by(sorts[sort], isAscending ? 1 : -1), sort === "name" ? undefined : by(sorts.risk, -1)];
  return rows.toSorted((a, b) => first(a, b) || second?.(a, b) || a.name.localeCompare(b.name, "en"));
}

/** Days over which the table shows the change of scores. */
const changeDays = 30;
const changeLabel = `${changeDays}-day change`;

export const countriesParameters = ["q", "sort", "order", "continent"];

export async function countriesPage(page: PageContext): Promise<PageView | undefined> {
  const [risk, resilience] = await Promise.all([readRisk(page.read), readResilience(page.read)]);
  const movers = await readChanges(page, risk.rows);
  const changeOf = movers?.message && changesIn(movers.message);
  const found = new Set(countriesWith(page.query.get("q") ?? ""));
  const [risks, resiliences] = [risk, resilience].map(({ rows }) => new Map(rows.map((row) => [row.code, row])));
  const continent = page.query.get("continent") ?? "";
  const ofContinent = countriesOfContinent(continent);
  const all = [...countries.values()]
    .filter(({ alpha2 }) => !continentNames.includes(continent) || ofContinent.has(alpha2))
    // Countries that do not match are hidden in the table, because the script may show them after the next letter.
    .filter((country) => !page.isEmbed || found.has(country))
    .map((country) => ({
      ...{ code: country.alpha2, name: country.name, words: wordsOf(country), isFound: found.has(country) },
      ...{ risk: risks?.get(country.alpha2), resilience: resiliences?.get(country.alpha2) },
      change: risks?.has(country.alpha2) ? changeOf?.(country.alpha2) : undefined,
      values: movers?.spans.get(country.alpha2),
    }));
  const rows = sorted(all, page);
  const moved = blockOf(page, {
    id: "movers",
    title: `Largest changes, ${changeDays} days`,
    content: movers && splitMarkup(movers, riskBasis(risk)),
    provenance: movers && { ...provenanceOf(movers.response), madeBy: risk.response.operation },
  });
  const ranking = blockOf(page, {
    id: "ranking",
    title: "Ranking",
    about: `Risk: 100 is least stable; ${coverageText(risk)} have a score. The small number says how many of its components had data. Resilience: 100 is best prepared. A dash is not a zero: the value is unknown, or not shown to you.`,
    content: rankingMarkup(rows, page, { risk, resilience }),
    provenance: [
      ...[risk, resilience].map(({ response, tables }) => ({ ...provenanceOf(response), tables })),
      ...(movers ? [{ ...provenanceOf(movers.response), madeBy: risk.response.operation }] : []),
    ],
  });
  const body = html`<main id="content" tabindex="-1">
<header class="top"><h1>Countries</h1><p class="lead">Risk and resilience of ${countries.size} countries and territories. Choose one to see all data about it.</p></header>
${ranking.markup}${moved.markup}
</main>`;
  return {
    title: "Countries",
    description: "Risk and resilience of all countries, with sources.",
    body,
    blocks: [ranking, moved],
  };
}

/** Reads the changes of the risk scores. */
async function readChanges(page: PageContext, scored: readonly ScoreRow[]) {
  const series = (await explainedSeries(page)).find(({ operation }) => operation === getRiskScores.name);
  const codes = scored.map(({ code }) => code);
  return series && readMovers(page, series.id, changeDays, { limit: Number(maxKeys) }, codes);
}

const continentChoices: readonly Choice[] = [
  ["", "All"],
  ...continentNames.map((name): Choice => [name, labelOf(name)]),
];

function rankingMarkup(rows: readonly Row[], page: PageContext, scores: Ranked<Scores>): Html {
  const { query, path, isEmbed } = page;
  const { sort, isAscending } = sortIn(page);
  const found = rows.filter(({ isFound }) => isFound).length;
  const head = (name: SortName, text: string) => {
    const isHere = sort === name;
    const order = isHere && !isAscending ? "asc" : undefined;
    return html`<th scope="col"${(name === "risk" || name === "resilience") && html` class="number"`}${isHere && html` aria-sort="${isAscending ? "ascending" : "descending"}"`}><a href="${addressWith(page, { sort: name, order })}">${text}</a></th>`;
  };
  const form = html`<form class="filters" role="search" aria-label="Page" action="${path}"><span class="field wide-field"><label for="country">Find a country</label><input id="country" name="q" type="search" value="${query.get("q") ?? ""}" data-filters="countries" placeholder="Name or code" maxlength="60" autocomplete="off"></span>${selectField({ id: "continent", name: "continent", label: "Continent", choices: continentChoices, chosen: query.get("continent") ?? "" })}<input type="hidden" name="sort" value="${sort}">${isAscending && html`<input type="hidden" name="order" value="asc">`}<button>Find</button> <span id="countries-count" role="status" class="soft small">${found} found</span></form>`;
  const numbers = {
    risk: evenly(rows.flatMap(({ risk }) => risk?.score ?? [])),
    resilience: evenly(rows.flatMap(({ resilience }) => resilience?.score ?? [])),
  };
  const list = (body: Html) => html`${!isEmbed && form}
<div class="wide" role="region" aria-label="Table: Countries" tabindex="0"><table id="countries" class="cards sorts"><thead><tr>${head("name", "Country")}${head("risk", "Risk")}${head("change", changeLabel)}<th scope="col">Travel advice</th>${head("resilience", "Resilience")}<th scope="col">Level</th></tr></thead>
${body}</table></div>`;
  const shown = rows.map((row) => rowMarkup(row, numbers, scores));
  return html`${shortened(shown, "countries", list)}
${html`<div class="nothing" id="countries-none"${found > 0 && html` hidden`}><p><strong>No country.</strong> Nothing matches this name or code.</p></div>`}`;
}

/** One value for each of the two scores. */
type Ranked<T> = Readonly<Record<"risk" | "resilience", T>>;

function rowMarkup(
  { code, name, words, isFound, risk, resilience, ...row }: Row,
  numbers: Ranked<(value: number) => string>,
  scores: Ranked<Scores>,
): Html {
  return html`<tr data-words="${words}"${!isFound && html` hidden`}><th scope="row"><a href="/countries/${code}">${name}</a></th>${scoreCell(scores.risk, risk, numbers.risk)}${changeCell(row)}${adviceCell(risk)}${scoreCell(scores.resilience, resilience, numbers.resilience)}<td data-label="Level">${resilience?.note ?? ""}</td></tr>\n`;
}

function changeCell({ change, values = [] }: Pick<Row, "change" | "values">): Html {
  return html`<td class="moved" data-label="${changeLabel}">${change && html`<span class="bar-cell"><span>${change.text}</span>${sparkline(values)}</span><span class="small soft">${change.reason}</span>`}</td>`;
}

/** An unknown advice differs from an advice without a warning, so it has its own text. */
function adviceCell(risk: ScoreRow | undefined): Html {
  return risk?.note === ""
    ? html`<td class="unknown" data-label="Travel advice">${unknown}</td>`
    : html`<td data-label="Travel advice">${risk?.note ?? ""}</td>`;
}

function scoreCell(
  { title, kind, otherwise }: Scores,
  row: ScoreRow | undefined,
  text: (score: number) => string,
): Html {
  if (!row)
    return html`<td class="number unknown" data-label="${title}">–<span class="unseen"> ${otherwise}</span></td>`;
  return html`<td class="number" data-label="${title}">${barCell(row.score, kind, text(row.score))}${row.basis && html` <small class="soft">${row.basis.replace(" components", "")}<span class="unseen"> components</span></small>`}</td>`;
}
