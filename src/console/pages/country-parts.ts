import { type DescMessage, fromJson } from "@bufbuild/protobuf";
import { PartAvailability, type PartState, PartStateSchema } from "../../../gen/es/ids/country/v1/brief_parts_pb.ts";
import { GetCountryBriefResponseSchema } from "../../../gen/es/ids/country/v1/country_pb.ts";
import { IntelligenceService } from "../../../gen/es/ids/intelligence/v1/intelligence_pb.ts";
import { field as fieldOption } from "../../../gen/es/ids/options/v1/options_pb.ts";
import { ResilienceService } from "../../../gen/es/ids/resilience/v1/resilience_pb.ts";
import type { Operation } from "../../contract/catalog.ts";
import { labelOf, lowerFirst } from "../../contract/labels.ts";
import { getOption } from "../../contract/option.ts";
import { isObject, type JsonObject } from "../../contract/request/body.ts";
import { described } from "../../contract/schema.ts";
import { splitTarget } from "../../http/exchange.ts";
import { type Html, html, joined } from "../../pages/html.ts";
import { inlineMarkup } from "../../pages/inline-markup.ts";
import { thingsOf } from "../../pages/reference/contents.ts";
import { type Country, countries } from "../../reference/countries/countries.ts";
import { chokepointById } from "../../reference/trade/chokepoints.ts";
import { addressWith, queryOf } from "../address.ts";
import { operationFor, operationNamed } from "../metadata.ts";
import type { Block, PageContext } from "../page-context.ts";
import { withheldText } from "../reads.ts";
import { type Availability, partAvailability } from "../view/availability.ts";
import { blockOf } from "../view/block.ts";
import { countryLink } from "../view/data-table.ts";
import { lineChart } from "../view/line-chart.ts";
import { type MessageLook, mainFigure, messageMarkup } from "../view/message-view.ts";
import { pageSizeField } from "../view/paging.ts";
import { ageOfInputs, type Explanation, hasNoRecord, noRecordText } from "./country-figures.ts";
import { coverages, recomputation } from "./resilience-sum.ts";
import { chartPath, type SeriesRead, seriesName } from "./series/series-read.ts";

export interface CountryView {
  /** The response of GetCountryBrief. */
  readonly brief: JsonObject;
  readonly country: Country;
  readonly page: PageContext;
  readonly explanation: Explanation;
  /** Series that blocks show as charts, by series ID. */
  readonly charts: ReadonlyMap<string, SeriesRead>;
  /** The changes of series in words, by the ID of the series. */
  readonly reasons?: ReadonlyMap<string, Html | undefined>;
  /** Scores as sums of their contributions, by part of the brief. */
  readonly sums?: ReadonlyMap<string, Html | undefined>;
}

/** How a part of the country brief is displayed, if the contract does not define it. */
export interface PartLook extends Omit<MessageLook, "title" | "link"> {
  readonly title?: string;
  /** Text that replaces the description in the contract. */
  readonly about?: string;
  readonly series?: readonly string[];
  /** ID of the series that the block shows as a chart. */
  readonly chart?: string;
  /** Height of the chart in pixels. */
  readonly height?: number;
  /** Page with the rows of the part, if it differs from the page of the dataset. */
  readonly rowsAt?: (code: string) => string;
  /** Text that replaces the counts if no row of the country is on record. */
  readonly none?: string;
  /** Whether a phone shows the whole part at first. Of other parts, it shows only the main figure. */
  readonly isOpen?: boolean;
  /** Operation that explains the score of the part, and the name of its parameter for the country. */
  readonly explainedBy?: readonly [operation: Operation, parameter: string];
}

/** Fields of trade rows that are omitted, because they are the same for all countries or repeat the country. */
const ofTrade = ["reporting_country", "partner_country", "product_sector", "indicator_code"];
const { getRiskScoreExplanation } = IntelligenceService.method;
const { getResilienceScoreExplanation } = ResilienceService.method;

/** How the parts of the country brief are displayed, by column of the page and in display order. */
const columns: readonly Readonly<Record<string, PartLook>>[] = [
  {
    risk: {
      isOpen: true,
      about: "Instability from 0 (stable) to 100.",
      chart: "risk.score",
      omit: ["region", "computed_at", "trend", "static_baseline", "event_multiplier"],
      bars: ["components"],
      tone: "risk",
      explainedBy: [operationFor(getRiskScoreExplanation), "region"],
    },
    conflict: {
      isOpen: true,
      series: ["conflict.events"],
      columns: { latest: ["eventType", "admin1", "occurredAt", "fatalities", "actors"] },
      none: "No event is on record in this time, which does not prove that there was none.",
    },
    outages: {
      title: "Internet outages",
      series: ["outages.count"],
      columns: { latest: ["title", "detectedAt", "cause"] },
      none: "No outage is on record in this time, which does not prove that there was none.",
    },
    defense: {},
    bases: {
      title: "Military bases",
      none: "No base is on record, which does not prove that there is none.",
    },
  },
  {
    resilience: {
      about: "How well shocks are absorbed, 0 to 100.",
      chart: "resilience.score",
      tone: "calm",
      explainedBy: [operationFor(getResilienceScoreExplanation), "country_code"],
    },
    chokepoints: {
      title: "Chokepoint exposure",
      about: "How much energy imports depend on narrow passages, 0 to 100.",
      omit: ["coast_side", "shock_supported"],
      tone: "risk",
    },
    vulnerabilities: {
      title: "Vulnerable supplies",
      about: "Commodities whose shortage would hit hardest, 0 to 100.",
      tone: "risk",
    },
    macro: {
      title: "Economy",
      about: "World Economic Outlook.",
      series: ["macro.growth", "macro.inflation", "macro.unemployment"],
      omit: ["latest_year"],
    },
    trade: { series: ["trade.exports", "trade.imports"], omit: ofTrade },
    tariffs: { series: ["tariff.rate"], omit: ofTrade },
    tenders: { title: "Open tenders", rowsAt: (code) => `/tenders?countries=${code}` },
    gas: { title: "Gas storage", about: "How full it is, of the country or of the European Union." },
  },
];

const charted = columns.flatMap((looks) => Object.values(looks).filter(({ chart }) => chart !== undefined));

/** IDs of the series that blocks show as charts. */
export const chartedSeries = charted.flatMap(({ chart }) => chart ?? []);

/** Returns the operation that explains the values of a charted series, and has their sources. */
export function explanationOf(series: string): Operation | undefined {
  return charted.find(({ chart }) => chart === series)?.explainedBy?.[0];
}

/** Returns the blocks of the brief, by column. A part that does not apply to the country has no block. */
export function partColumns(view: CountryView): readonly (readonly Block[])[] {
  return columns.map((looks) => Object.entries(looks).flatMap(([name, look]) => partBlock(view, name, look)));
}

/** Returns the content of those parts of the brief that have values. The given looks replace those of the page. */
export function partContents(
  view: CountryView,
  looks: Readonly<Record<string, PartLook>>,
): { readonly title: string; readonly content: Html }[] {
  const usual = new Map(columns.flatMap((column) => Object.entries(column)));
  return Object.entries(looks).flatMap(([name, own]) => {
    const { part, isShown } = partIn(view, name);
    if (!isShown) return [];
    const { explainedBy: _, ...look } = { ...usual.get(name), ...own };
    const title = look.title ?? labelOf(name);
    return [{ title, content: contentMarkup(view, { name, title, part }, look) }];
  });
}

/** Returns the titles and operations of the parts that have values for the viewer, by name. */
export function shownParts(view: CountryView) {
  const usual = columns.flatMap((column) => Object.entries(column));
  return usual.flatMap(([name, { title = labelOf(name) }]) => {
    const { operation, isShown } = partIn(view, name);
    return isShown && operation ? [{ name, title, operation }] : [];
  });
}

/** Returns a part of the brief with its operation and whether the viewer sees its values. */
export function partIn({ brief, page }: CountryView, name: string) {
  const part = brief[name] ?? null;
  if (!isObject(part) || part.state === undefined) throw new TypeError(`The brief has no part ${name}`);
  const state = fromJson(PartStateSchema, part.state);
  const operation = operationNamed(state.operation);
  const withheld = operation && !page.viewer.isSignedIn ? page.metadata.withheldSources(operation) : [];
  const availability: Availability =
    withheld.length > 0 ? { tone: "none", word: "Withheld", reason: withheldText(withheld) } : partAvailability(state);
  return { part, state, operation, availability, isShown: withheld.length === 0 && hasValues(state) };
}

function partBlock(view: CountryView, name: string, look: PartLook): Block[] {
  const { country, page } = view;
  const { part, state, operation, availability, isShown } = partIn(view, name);
  if (state.availability === PartAvailability.NOT_APPLICABLE) return [];
  if (!operation) throw new TypeError(`The part ${name} is of no operation`);
  const title = look.title ?? labelOf(name);
  const target = rowsOf(operation, state.path === "" ? operation.path : state.path);
  const mainOf = () => mainFigure(messageOf(name), part, ["state", ...(look.omit ?? [])]);
  const main = isShown && (hasNoRecord(view.brief, name) ? noRecordText : mainOf());
  const { lines = [], response: read } = view.charts.get(look.chart ?? "") ?? {};
  return [
    blockOf(page, {
      id: name,
      title,
      ownTitle: `${country.name}: ${lowerFirst(title)}`,
      about: aboutMarkup(view, name, look, [operation, target]),
      content: isShown ? contentMarkup(view, { name, title, part }, look) : undefined,
      ...(look.chart !== undefined &&
        lines.length > 0 && { chart: { series: look.chart, keys: [country.alpha2], embedHeight: 1140, read } }),
      ...(look.isOpen !== true && { fold: main || availability.word }),
      provenance: {
        availability,
        asOf: state.asOf === undefined ? undefined : Number(state.asOf),
        ...{ isSample: state.origin === "sample", operation },
        target,
      },
    }),
  ];
}

function messageOf(name: string): DescMessage {
  const desc = GetCountryBriefResponseSchema.fields.find((field) => field.name === name)?.message;
  if (!desc) throw new TypeError(`GetCountryBrief has no part ${name}`);
  return desc;
}

function hasValues({ availability }: Pick<PartState, "availability">): boolean {
  return availability === PartAvailability.AVAILABLE || availability === PartAvailability.DEGRADED;
}

/** Returns the page with the rows of a part. The part may read only a few rows, so the link requests the maximum. */
function rowsOf(operation: Operation, target: string): string {
  const size = pageSizeField(operation);
  if (!size || !queryOf(target).has(size.name)) return addressWith(splitTarget(target), {});
  return addressWith(splitTarget(target), { [size.name]: String(getOption(size, fieldOption).clamp?.max ?? "") });
}

function aboutMarkup(
  { country: { alpha2 }, page: { metadata } }: CountryView,
  name: string,
  { about, series = [], chart, rowsAt }: PartLook,
  [operation, target]: readonly [Operation, string],
): Html {
  const text = about ?? described(`${GetCountryBriefResponseSchema.typeName}.${name}`).description ?? "";
  const page = metadata.pageOf(operation);
  const rows = rowsAt?.(alpha2) ?? (page && `${page}?op=${operation.name}&${queryOf(target)}#rows`);
  const links = [
    ...(rows === undefined
      ? []
      : [html`<a href="${rows}">All rows<span class="unseen"> of ${thingsOf(operation)}</span></a>`]),
    ...[...series, ...(chart === undefined ? [] : [chart])].map(
      (id) => html`<a href="${chartPath(id, [alpha2])}">${seriesName(id)} over time</a>`,
    ),
  ];
  return html`${inlineMarkup(text)} ${joined(links, " · ")}`;
}

interface ShownPart {
  readonly name: string;
  readonly title: string;
  readonly part: JsonObject;
}

function contentMarkup(view: CountryView, { name, title, part }: ShownPart, look: PartLook): Html {
  const { charts, country, explanation, page, reasons, sums } = view;
  const { omit = [], chart = "", height = 160, explainedBy, none } = look;
  if (none !== undefined && hasNoRecord(view.brief, name)) return html`<p>${none}</p>`;
  const [reason, sum] = [reasons?.get(chart), sums?.get(name)];
  const behind = explainedBy && explanationPath(view, explainedBy);
  const desc = messageOf(name);
  const lines = charts.get(chart)?.lines ?? [];
  const own: MessageLook = {
    ...{ ...look, title, omit: ["state", ...omit], link: linkOf, year: new Date(page.now).getUTCFullYear() },
    ...(name === "resilience" && { notes: coverages(explanation) }),
  };
  return html`${sum && html`<p>${sum}${behind !== undefined && html` <a href="${behind}">Inputs of the sum</a>`}</p><p class="small soft">Each component below is from 0 to 100 and counts by its weight.</p>`}
${lines.length > 0 && lineChart({ lines, title: `${title} of ${country.name}`, unit: "", height })}
${reason && html`<p class="small">${reason}${behind !== undefined && html` <a href="${behind}">Inputs of the score</a>`}</p>`}
${name === "resilience" && behind !== undefined && explanation && ageOfInputs(explanation, page.now)}${messageMarkup(desc, part, own)}${name === "resilience" && explanation && recomputation(explanation)}${behind !== undefined && html`<p class="small soft"><a href="/methodology#${name}">How the score is computed</a> · <a href="${behind}">Every value behind it</a></p>`}`;
}

function linkOf(id: string, label: string | undefined): Html {
  if (chokepointById(id)) return html`<a href="/chokepoints/${id}">${label ?? labelOf(id)}</a>`;
  return countries.has(id) ? countryLink(id) : html`${label ?? labelOf(id)}`;
}

function explanationPath(
  { page: { metadata }, country }: CountryView,
  [operation, parameter]: readonly [Operation, string],
): string {
  const query = new URLSearchParams({ op: operation.name, [parameter]: country.alpha2 });
  return `${metadata.pageOf(operation) ?? ""}?${query}#rows`;
}
