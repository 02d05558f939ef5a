import { CountryService } from "../../../gen/es/ids/country/v1/country_pb.ts";
import { type Html, html } from "../../pages/html.ts";
import { type Country, countries, countryOf } from "../../reference/countries/countries.ts";
import { operationFor } from "../metadata.ts";
import type { MakePage, PageContext } from "../page-context.ts";
import type { ReadResponse } from "../read-response.ts";
import type { Sections } from "../sections.ts";
import { type BlockParts, blockMaker, provenanceOf } from "../view/block.ts";
import { countryLink } from "../view/data-table.ts";
import { lineChart } from "../view/line-chart.ts";
import { figureText, keyFigureList, readExplanation, remarkText } from "./country-figures.ts";
import { chartedSeries } from "./country-parts.ts";
import { keyName } from "./series/key-names.ts";
import { chartTitle, dayBefore, readSeries, seriesName, seriesProvenance } from "./series/series-read.ts";

const getBrief = operationFor(CountryService.method.getCountryBrief);
const maxCountries = 4;

export const compareParameters = ["country"];

/** Creates `/compare`: up to four countries side by side. */
export function comparePage({ metadata }: Sections): MakePage {
  return async (page) => {
    const given = page.query.getAll("country").filter((text) => text.trim() !== "");
    const known = new Set(given.flatMap((text) => countryOf(text.trim()) ?? []));
    const unknown = given.filter((text) => !countryOf(text.trim()));
    const chosen = [...known].slice(0, maxCountries);
    const block = blockMaker(page, metadata);
    const [figures, ...charts] =
      chosen.length === 0
        ? []
        : await Promise.all([readFigures(page, chosen), ...chartedSeries.map((id) => readChart(page, id, chosen))]);
    const blocks = [figures, ...charts].flatMap((parts) => (parts ? [block(parts)] : []));
    const body = html`<main id="content" tabindex="-1">
<header class="top"><h1>Compare countries</h1><p class="lead">Up to four countries side by side.</p></header>
${unknown.length > 0 && html`<div class="notice bad" role="alert">Not a country: ${unknown.join(", ")}</div>`}
${formMarkup(page, chosen)}
<div class="grid">${blocks.map(({ markup }) => markup)}</div>
</main>`;
    const names = chosen.map(({ name }) => name).join(", ");
    const title = names === "" ? "Compare countries" : `Compare ${names}`;
    return { title, description: "Figures of up to four countries side by side.", body, blocks };
  };
}

function formMarkup({ path, isEmbed }: PageContext, chosen: readonly Country[]): Html {
  if (isEmbed) return html``;
  const sorted = [...countries.values()].toSorted((a, b) => a.name.localeCompare(b.name, "en"));
  const fields = Array.from({ length: maxCountries }, (_, place) => {
    const own = chosen[place]?.alpha2;
    return html`<span class="field"><label for="country-${place + 1}">Country ${place + 1}</label><select id="country-${place + 1}" name="country"><option value="">None</option>${sorted.map(
      ({ alpha2, name }) => html`<option value="${alpha2}"${alpha2 === own && html` selected`}>${name}</option>`,
    )}</select></span>`;
  });
  return html`<form class="filters" action="${path}" autocomplete="off">${fields}<button>Compare</button></form>`;
}

async function readFigures({ read }: PageContext, chosen: readonly Country[]): Promise<BlockParts> {
  const briefs = await Promise.all(chosen.map(({ alpha2 }) => read(getBrief, { country_code: alpha2 })));
  const explanations = await Promise.all(chosen.map(({ alpha2 }) => readExplanation(read, alpha2)));
  const cell = (response: ReadResponse, figure: (typeof keyFigureList)[number], place: number) => {
    const text = response.kind === "answered" ? figureText(response.body, figure) : undefined;
    if (response.kind !== "answered" || text === undefined)
      return html`<td class="number unknown">–<span class="unseen"> not known</span></td>`;
    const remark = remarkText(response.body, figure, explanations[place]);
    return html`<td class="number">${text}${remark !== "" && html` <small class="soft">${remark}</small>`}</td>`;
  };
  const table = html`<div class="wide" role="region" aria-label="Table: Key figures" tabindex="0"><table><thead><tr><th scope="col">Figure</th>${chosen.map(
    ({ alpha2 }) => html`<th scope="col" class="number">${countryLink(alpha2)}</th>`,
  )}</tr></thead><tbody>${keyFigureList.map(
    (figure) =>
      html`<tr><th scope="row">${figure.label}</th>${briefs.map((response, place) => cell(response, figure, place))}</tr>\n`,
  )}</tbody></table></div>`;
  const isShown = briefs.some(({ kind }) => kind === "answered");
  return {
    ...{
      id: "figures",
      title: "Key figures",
      about:
        "A dash is not a zero: the value is unknown. The page of each country has the age and the sources of its values.",
    },
    content: isShown ? table : undefined,
    provenance: briefs.slice(0, 1).map(provenanceOf),
  };
}

async function readChart(page: PageContext, id: string, chosen: readonly Country[]): Promise<BlockParts> {
  const keys = chosen.map(({ alpha2 }) => alpha2).join(",");
  const query = { series: id, keys, from: dayBefore(page, 365), interval: "day" };
  const read = await readSeries(page, query);
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
    provenance: seriesProvenance(read, undefined),
  };
}
