import { HistoryService, type Series, type SeriesPoint } from "../../../gen/es/ids/history/v1/history_pb.ts";
import { columnUnit, labelOf, lowerLabelOf } from "../../contract/labels.ts";
import { type Html, type HtmlValue, html } from "../../pages/html.ts";
import { type Country, countriesByName, countryOf } from "../../reference/countries/countries.ts";
import { europeanUnion, unionCode } from "../../reference/countries/european-union.ts";
import { operationNamed, readMessage } from "../metadata.ts";
import type { PageContext, PageView } from "../page-context.ts";
import { type BlockParts, blockOf, provenanceOf } from "../view/block.ts";
import { countryLink } from "../view/data-table.ts";
import { numberText } from "../view/figures.ts";
import { type Choice, hiddenInputs, selectField } from "../view/form-field.ts";
import { lineChart } from "../view/line-chart.ts";
import { codesOfNames } from "../view/request-form.ts";
import { type Tab, tabs } from "../view/tabs.ts";
import { lastTimeText } from "../view/times.ts";

import {
  comparedFigures,
  type Explanation,
  figureText,
  keyFigureList,
  readBrief,
  readRemarks,
  remarkText,
} from "./country-figures.ts";
import { chartedSeries, explanationOf } from "./country-parts.ts";
import { isOfCountries, keyName } from "./series/key-names.ts";
import { chartPath, chartTitle, dailySeries, seriesName, seriesProvenance } from "./series/series-read.ts";
import { firstKeys } from "./series/series-request.ts";

const maxCountries = 4;
const maxSeries = 6;

export const compareParameters = ["country", "countries", "series"];

/** Creates `/compare`: up to four countries side by side. */
export async function comparePage(page: PageContext): Promise<PageView | undefined> {
  const texts = [...page.query.getAll("country"), ...codesOfNames(page.query.getAll("countries"))];
  const given = texts.filter((text) => text.trim() !== "");
  const known = new Set(given.flatMap((text) => countryOf(text.trim()) ?? []));
  const chosen = [...known].slice(0, maxCountries);
  const { message } = await readMessage(page.read, HistoryService.method.listSeries);
  const series = (message?.series ?? []).filter(isOfCountries);
  const named = new Set(page.query.getAll("series").flatMap((text) => text.split(",")));
  const wanted = [...named].filter((id) => id !== "").slice(0, maxSeries);
  const added = wanted.flatMap((id) => series.find((each) => each.id === id) ?? []);
  const codes = chosen.map(({ alpha2 }) => alpha2);
  const readAll = () => [readFigures(page, codes, added), ...chartedSeries.map((id) => readChart(page, id, codes))];
  const parts = await Promise.all(chosen.length === 0 ? [] : readAll());
  const blocks = parts.map((each) => blockOf(page, each));
  const ofOthers = message ? wanted.filter((id) => added.every((each) => each.id !== id)) : [];
  const unknown = [
    ...given.filter((text) => !countryOf(text.trim())).map((text) => `Not a country: ${text}`),
    ...ofOthers.map((id) => `Not a series of countries: ${id}`),
    ...(known.size > maxCountries ? [`Compared are the first ${maxCountries} of ${known.size} countries`] : []),
    ...(named.size > maxSeries ? [`Shown are the first ${maxSeries} of ${named.size} series`] : []),
  ];
  const body = html`<main id="content" tabindex="-1">
<header class="top"><h1>Compare countries</h1><p class="lead">Up to four countries side by side.</p></header>
${unknown.length > 0 && html`<div class="notice bad" role="alert">${unknown.join(". ")}</div>`}
${formMarkup(page, chosen, series, added)}
${chosen.length === 0 && examplesMarkup(page)}
<div class="grid">${blocks.map(({ markup }) => markup)}</div>
</main>`;
  const names = chosen.map(({ name }) => name).join(", ");
  const title = names === "" ? "Compare countries" : `Compare ${names}`;
  return { title, description: "Figures of up to four countries side by side.", body, blocks };
}

/** Links to comparisons of the groups of countries that charts of series show by default. */
function examplesMarkup({ path, isEmbed }: PageContext): Html {
  const examples = [...(firstKeys.country ?? []), ...(firstKeys.reporter ?? [])].map((codes): Tab => {
    const names = codes.map((code) => countryOf(code)?.name ?? code).join(", ");
    return [names, `${path}?countries=${codes.join(",")}`, false];
  });
  return isEmbed ? html`` : html`<p>Choose countries, or open a comparison:</p>${tabs("Comparisons", examples)}`;
}

function formMarkup(
  { path, isEmbed }: PageContext,
  chosen: readonly Country[],
  series: readonly Series[],
  added: readonly Series[],
): Html {
  if (isEmbed) return html``;
  const choices: readonly Choice[] = [
    ["", "None"],
    ...countriesByName().map(({ alpha2, name }): Choice => [alpha2, name]),
  ];
  const fields = Array.from({ length: maxCountries }, (_, place) => {
    const label = `Country ${place + 1}`;
    return selectField({ id: `country-${place + 1}`, name: "country", label, choices, chosen: chosen[place]?.alpha2 });
  });
  const others = series.filter((each) => !added.includes(each)).map(({ id }): Choice => [id, seriesName(id)]);
  const ofSeries = { id: "add-series", name: "series", label: "Add a series", chosen: undefined };
  return html`<form class="filters" action="${path}" autocomplete="off">${fields}${hiddenInputs(added.map(({ id }) => ["series", id]))}${added.length < maxSeries && selectField({ ...ofSeries, choices: [["", "None"], ...others] })}<button>Compare</button></form>`;
}

const headings: Readonly<Record<string, string>> = {
  resilience: "Resilience",
  macro: "Economy",
  trade: "Economy",
  tariffs: "Economy",
};

async function readFigures(page: PageContext, codes: readonly string[], added: readonly Series[]): Promise<BlockParts> {
  const [briefs, remarksOf, groups] = await Promise.all([
    Promise.all(codes.map((code) => readBrief(page, code))),
    readRemarks(page, codes),
    Promise.all(added.map((series) => readGroup(page, series, codes))),
  ]);
  const shown = codes.map((code, place) => ({ remarks: remarksOf(code), response: briefs[place] }));
  const explanations = shown.map(({ remarks }) => remarks.explanation);
  const figures = Map.groupBy(
    [...keyFigureList, ...comparedFigures],
    ({ column }) => headings[column.split(".")[0] ?? ""] ?? "Security",
  );
  const ofFigures = ["Security", "Resilience", "Economy"].map((heading) => {
    const rows = (figures.get(heading) ?? []).map((figure) =>
      rowMarkup(overTime(figure.label, figure.series, codes), shown, ({ remarks, response }) => {
        const brief = response?.kind === "answered" ? response.body : {};
        return [figureText(brief, figure), remarkText(brief, figure, remarks)];
      }),
    );
    const parts = heading === "Resilience" ? partRows(explanations, codes) : [];
    const folded = parts.length > 0 && html` <details><summary>Pillars and domains</summary></details>`;
    return groupMarkup(html`${heading}${folded}`, codes, [...rows, ...parts]);
  });
  const table = html`<div class="wide" role="region" aria-label="Table: Key figures" tabindex="0"><table class="compared"><thead><tr><th scope="col">Figure</th>${codes.map(
    (code) => html`<th scope="col" class="number">${countryLink(code)}</th>`,
  )}</tr></thead>${ofFigures}${groups.map(({ markup }) => markup)}</table></div>`;
  const isShown = briefs.some(({ kind }) => kind === "answered");
  return {
    ...{ id: "figures", title: "Key figures" },
    about:
      "A dash is not a zero: the value is unknown. “None on record” does not prove that there was none. The page of each country has the age and the sources of its values. The name of a row links to its values over time.",
    content: isShown ? table : undefined,
    provenance: [...briefs.slice(0, 1).map(provenanceOf), ...groups.map(({ provenance }) => provenance)],
  };
}

function groupMarkup(heading: HtmlValue, codes: readonly string[], rows: readonly Html[]): Html {
  return html`<tbody><tr class="topic"><th scope="rowgroup" colspan="${codes.length + 1}">${heading}</th></tr>\n${rows}</tbody>`;
}

/** Maximum number of rows for a series whose keys have further parts, such as a commodity. */
const maxRows = 12;

/**
 * Reads the last value of a series for each country, with its day. Returns a row for each further part of the key. If a
 * series has a value of the European Union instead, its members have that value.
 */
async function readGroup(page: PageContext, series: Series, codes: readonly string[]) {
  const { id, unit, scale, step, operation } = series;
  const requested = { series: id, keys: codes.join(","), interval: "latest" };
  const { response, message } = await readMessage(page.read, HistoryService.method.getSeries, requested);
  const partOf = ({ key }: SeriesPoint) => key.split("/").slice(1).join(", ");
  const byPart = [...Map.groupBy(message?.points ?? [], partOf)];
  const rows = (byPart.length === 0 ? [["", []] as const] : byPart).slice(0, maxRows).map(([part, points]) =>
    rowMarkup(part === "" ? "Last value" : labelOf(part), codes, (code) => {
      const pointOf = (of: string) => points.find(({ key }) => key.split("/")[0] === of);
      const point = pointOf(code) ?? (europeanUnion.includes(code) ? pointOf(unionCode) : undefined);
      if (point?.value === undefined) return [undefined, ""];
      const at = Number(point.at);
      return [numberText(point.value), lastTimeText(at, step, page.now)];
    }),
  );
  const rest = new URLSearchParams(page.query);
  rest.delete("series", id);
  const measure = columnUnit(unit, scale);
  const left = byPart.length > maxRows && html` <span class="soft">${maxRows} of ${byPart.length} rows</span>`;
  const heading = html`${seriesName(id)}${measure !== "" && `, ${measure}`}${left} <a href="${chartPath(id, codes)}">Chart<span class="unseen"> of ${seriesName(id)}</span></a>${!page.isEmbed && html` <a href="${page.path}?${rest}">Remove<span class="unseen"> ${seriesName(id)}</span></a>`}`;
  return {
    markup: groupMarkup(heading, codes, rows),
    provenance: { ...provenanceOf(response), madeBy: operationNamed(operation) },
  };
}

/** Links the label of a row to the chart of its series. */
function overTime(label: string, series: string | undefined, keys: readonly string[]): HtmlValue {
  return series ? html`<a href="${chartPath(series, keys)}">${label}<span class="unseen"> over time</span></a>` : label;
}

/** Returns a table row with a value and a remark for each country. */
function rowMarkup<T>(
  label: HtmlValue,
  of: readonly T[],
  read: (one: T) => readonly [string | undefined, string],
): Html {
  const cells = of.map((one) => {
    const [text, remark] = read(one);
    if (text === undefined) return html`<td class="number unknown">–<span class="unseen"> not known</span></td>`;
    return html`<td class="number">${text}${remark !== "" && html` <small class="soft">${remark}</small>`}</td>`;
  });
  return html`<tr><th scope="row">${label}</th>${cells}</tr>\n`;
}

/** Returns a row for each pillar and domain of the resilience score. Without coverage, its score is not known. */
function partRows(explanations: readonly Explanation[], codes: readonly string[]): readonly Html[] {
  const parts = explanations.map((each) => (each?.pillars ?? []).flatMap((pillar) => [pillar, ...pillar.domains]));
  return [...new Map(parts.flat().map((part) => [part.id, part])).values()].map((part) => {
    const kind = "domains" in part ? "pillar" : "domain";
    const keys = codes.map((code) => `${code}/${part.id}`);
    const label = overTime(`Resilience ${kind}, ${lowerLabelOf(part.id)}`, `resilience.${kind}`, keys);
    return rowMarkup(label, parts, (own) => {
      const known = own.find(({ id, coverage }) => id === part.id && coverage > 0);
      return [known && numberText(known.score), `coverage ${numberText(known?.coverage ?? 0)}`];
    });
  });
}

async function readChart(page: PageContext, id: string, codes: readonly string[]): Promise<BlockParts> {
  const read = await dailySeries(page, id, codes);
  const missing = read.unknownKeys.map(keyName).join(", ");
  const title = seriesName(id);
  // A country has the same color in all charts, even if a chart lacks another country.
  const lines = read.lines.map((line) => ({ ...line, color: codes.indexOf(line.key) }));
  return {
    ...{ id: id.replaceAll(".", "-"), title, span: "half" },
    ownTitle: chartTitle(
      id,
      lines.map(({ label }) => label),
    ),
    chart: { series: id, keys: lines.map(({ key }) => key), embedHeight: 600 },
    about: missing === "" ? "365 days." : `365 days. Not covered: ${missing}.`,
    content: lines.length > 0 ? lineChart({ lines, title, unit: "" }) : undefined,
    provenance: seriesProvenance(read, explanationOf(id)),
  };
}
