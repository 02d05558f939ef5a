import { lowerLabelOf } from "../../contract/labels.ts";
import { type Html, html } from "../../pages/html.ts";
import { type Country, countriesByName, countryOf } from "../../reference/countries/countries.ts";
import type { PageContext, PageView } from "../page-context.ts";
import { type BlockParts, blockOf, provenanceOf } from "../view/block.ts";
import { countryLink } from "../view/data-table.ts";
import { numberText } from "../view/figures.ts";
import { type Choice, selectField } from "../view/form-field.ts";
import { lineChart } from "../view/line-chart.ts";
import { type Explanation, figureText, keyFigureList, readBrief, readRemarks, remarkText } from "./country-figures.ts";
import { chartedSeries, explanationOf } from "./country-parts.ts";
import { keyName } from "./series/key-names.ts";
import { chartTitle, dailySeries, seriesName, seriesProvenance } from "./series/series-read.ts";

const maxCountries = 4;

export const compareParameters = ["country"];

/** Creates `/compare`: up to four countries side by side. */
export async function comparePage(page: PageContext): Promise<PageView | undefined> {
  const given = page.query.getAll("country").filter((text) => text.trim() !== "");
  const known = new Set(given.flatMap((text) => countryOf(text.trim()) ?? []));
  const unknown = given.filter((text) => !countryOf(text.trim()));
  const chosen = [...known].slice(0, maxCountries);
  const readAll = () => [readFigures(page, chosen), ...chartedSeries.map((id) => readChart(page, id, chosen))];
  const parts = await Promise.all(chosen.length === 0 ? [] : readAll());
  const blocks = parts.map((each) => blockOf(page, each));
  const body = html`<main id="content" tabindex="-1">
<header class="top"><h1>Compare countries</h1><p class="lead">Up to four countries side by side.</p></header>
${unknown.length > 0 && html`<div class="notice bad" role="alert">Not a country: ${unknown.join(", ")}</div>`}
${formMarkup(page, chosen)}
<div class="grid">${blocks.map(({ markup }) => markup)}</div>
</main>`;
  const names = chosen.map(({ name }) => name).join(", ");
  const title = names === "" ? "Compare countries" : `Compare ${names}`;
  return { title, description: "Figures of up to four countries side by side.", body, blocks };
}

function formMarkup({ path, isEmbed }: PageContext, chosen: readonly Country[]): Html {
  if (isEmbed) return html``;
  const choices: readonly Choice[] = [
    ["", "None"],
    ...countriesByName().map(({ alpha2, name }): Choice => [alpha2, name]),
  ];
  const fields = Array.from({ length: maxCountries }, (_, place) => {
    const label = `Country ${place + 1}`;
    return selectField({ id: `country-${place + 1}`, name: "country", label, choices, chosen: chosen[place]?.alpha2 });
  });
  return html`<form class="filters" action="${path}" autocomplete="off">${fields}<button>Compare</button></form>`;
}

async function readFigures(page: PageContext, chosen: readonly Country[]): Promise<BlockParts> {
  const codes = chosen.map(({ alpha2 }) => alpha2);
  const [briefs, remarksOf] = await Promise.all([
    Promise.all(codes.map((code) => readBrief(page, code))),
    readRemarks(page, codes),
  ]);
  const shown = codes.map((code, place) => ({ remarks: remarksOf(code), response: briefs[place] }));
  const rows = keyFigureList.flatMap((figure) => [
    rowMarkup(figure.label, shown, ({ remarks, response }) => {
      const brief = response?.kind === "answered" ? response.body : {};
      return [figureText(brief, figure), remarkText(brief, figure, remarks)];
    }),
    ...(figure.column.startsWith("resilience") ? partRows(shown.map(({ remarks }) => remarks.explanation)) : []),
  ]);
  const table = html`<div class="wide" role="region" aria-label="Table: Key figures" tabindex="0"><table><thead><tr><th scope="col">Figure</th>${codes.map(
    (code) => html`<th scope="col" class="number">${countryLink(code)}</th>`,
  )}</tr></thead><tbody>${rows}</tbody></table></div>`;
  const isShown = briefs.some(({ kind }) => kind === "answered");
  return {
    ...{ id: "figures", title: "Key figures" },
    about:
      "A dash is not a zero: the value is unknown. The page of each country has the age and the sources of its values.",
    content: isShown ? table : undefined,
    provenance: briefs.slice(0, 1).map(provenanceOf),
  };
}

/** Shows a value with a remark for each country. */
function rowMarkup<T>(label: string, of: readonly T[], read: (one: T) => readonly [string | undefined, string]): Html {
  const cells = of.map((one) => {
    const [text, remark] = read(one);
    if (text === undefined) return html`<td class="number unknown">–<span class="unseen"> not known</span></td>`;
    return html`<td class="number">${text}${remark !== "" && html` <small class="soft">${remark}</small>`}</td>`;
  });
  return html`<tr><th scope="row">${label}</th>${cells}</tr>\n`;
}

/** Returns a row for each pillar and domain of the resilience score. Without coverage, its score is not known. */
function partRows(explanations: readonly Explanation[]): readonly Html[] {
  const parts = explanations.map((each) => (each?.pillars ?? []).flatMap((pillar) => [pillar, ...pillar.domains]));
  return [...new Map(parts.flat().map((part) => [part.id, part])).values()].map((part) => {
    const label = `Resilience ${"domains" in part ? "pillar" : "domain"}, ${lowerLabelOf(part.id)}`;
    return rowMarkup(label, parts, (own) => {
      const known = own.find(({ id, coverage }) => id === part.id && coverage > 0);
      return [known && numberText(known.score), `coverage ${numberText(known?.coverage ?? 0)}`];
    });
  });
}

async function readChart(page: PageContext, id: string, chosen: readonly Country[]): Promise<BlockParts> {
  const codes = chosen.map(({ alpha2 }) => alpha2);
  const read = await dailySeries(page, id, codes);
  const missing = read.unknownKeys.map(keyName).join(", ");
  const title = seriesName(id);
  return {
    ...{ id: id.replaceAll(".", "-"), title, span: "half" },
    ownTitle: chartTitle(
      id,
      read.lines.map(({ label }) => label),
    ),
    chart: { series: id, keys: read.lines.map(({ key }) => key), embedHeight: 600 },
    about: missing === "" ? "365 days." : `365 days. Not covered: ${missing}.`,
    content: read.lines.length > 0 ? lineChart({ lines: read.lines, title, unit: "" }) : undefined,
    provenance: seriesProvenance(read, explanationOf(id)),
  };
}
