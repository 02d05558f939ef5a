import { lowerFirst } from "../../contract/labels.ts";
import { type Html, html } from "../../pages/html.ts";
import { countryOf } from "../../reference/countries/countries.ts";
import { Moved, type PageContext, type PageView } from "../page-context.ts";
import { availabilityOf } from "../view/availability.ts";
import { nothing } from "../view/block.ts";
import { keyFigure } from "../view/figures.ts";
import { dayText } from "../view/times.ts";
import { coverageText, readRisk } from "./countries.ts";
import {
  comparedFigures,
  figureText,
  keyFigureList,
  keyFigures,
  noRecordText,
  type Remarks,
  readBrief,
  readRemarks,
  remarkText,
} from "./country-figures.ts";
import { type CountryView, chartedSeries, type PartLook, partContents, partIn, shownParts } from "./country-parts.ts";
import { reasonMarkup } from "./movers.ts";
import { dailySeries, seriesName } from "./series/series-read.ts";

/** Parts of the brief in reading order. Fields are omitted so that all parts fit on one sheet. */
const parts: Readonly<Record<string, PartLook>> = {
  risk: { omit: ["score", "missing_inputs"], height: 90 },
  resilience: { height: 90, omit: ["overall_score", "level", "trend", "change30d", "low_confidence", "pillars"] },
  conflict: {
    omit: ["events", "fatalities", "by_type"],
    columns: { latest: ["eventType", "admin1", "occurredAt", "fatalities"] },
  },
  chokepoints: {},
  vulnerabilities: {},
};

/** Creates `/countries/<code>/brief`: what matters about a country, on one sheet of paper. */
export async function countryBriefPage(page: PageContext): Promise<PageView | undefined> {
  const named = page.path.split("/")[2] ?? "";
  const country = countryOf(decodeURIComponent(named).trim());
  if (!country) return undefined;
  const { alpha2: code, name } = country;
  if (code !== named) throw new Moved(`/countries/${code}/brief`);
  const [response, remarksOf, risk, moved, ...charts] = await Promise.all([
    readBrief(page, code),
    readRemarks(page, [code]),
    readRisk(page.read),
    Promise.all(chartedSeries.map(async (id) => ({ id, reason: await reasonMarkup(page, id, code) }))),
    ...chartedSeries.map(async (id) => [id, await dailySeries(page, id, [code])] as const),
  ]);
  const title = `${name}: brief`;
  const description = `${name} on one page: risk, resilience, conflict, supplies and economy.`;
  if (response.kind === "refused") {
    const hidden = nothing(availabilityOf(response), page);
    const body = html`<main id="content" tabindex="-1"><header class="top"><h1>${title}</h1></header>${hidden}</main>`;
    return { title, description, body, hidden };
  }
  const remarks = remarksOf(code);
  const { explanation } = remarks;
  const view: CountryView = {
    ...{ brief: response.body, country, page, explanation, charts: new Map(charts) },
  };
  const { true: printed = [], false: omitted = [] } = Object.groupBy(
    shownParts(view),
    (part) => `${isPrinted(part, view)}`,
  );
  const sources = printed.flatMap(({ operation }) => page.metadata.sourcesOf(operation));
  const publishers = [...new Set(sources.map(({ publisher }) => publisher))].join(", ");
  const others = omitted.map(({ title: part }) => lowerFirst(part)).join(", ");
  const body = html`<main id="content" class="brief" tabindex="-1">
<header class="top"><p class="crumbs"><a href="/countries/${code}">${name}</a></p><h1>${name}</h1><p class="soft">${dayText(page.now)}${page.isSample && ". Sample data: all values are invented"}</p></header>
<section><h2>What changed</h2>${moved.map(({ id, reason }) => html`<p>${seriesName(id)}: ${reason ?? "not covered."}</p>`)}</section>
${keyFigures(view.brief, remarks, { layout: "", coverage: coverageText(risk) })}
${comparedMarkup(view, remarks)}
<div class="two-columns">${partContents(view, parts).map(({ title: part, content }) => html`<section><h2>${part}</h2>${content}</section>`)}</div>
<footer class="small soft">${others !== "" && html`<p>Not on this page: ${others}. See <a href="/countries/${code}">${name}</a>.</p>`}<p>Sources: ${publishers}. Every value with its age, source, and terms: ${page.origin}/countries/${code}</p></footer>
</main>`;
  return { title, description, body };
}

/** Returns the figures of a comparison in one list, each with its period or why it is unknown. */
function comparedMarkup(view: CountryView, remarks: Remarks): Html {
  const figures = comparedFigures.map((figure) => {
    const { availability, isShown } = partIn(view, figure.column.split(".")[0] ?? "");
    const text = isShown ? figureText(view.brief, figure) : undefined;
    if (text === noRecordText) return keyFigure(figure.label, "", text);
    if (text !== undefined) return keyFigure(figure.label, text, remarkText(view.brief, figure, remarks));
    return keyFigure(figure.label, "–", isShown ? "No value in the sources" : availability.word);
  });
  return html`<dl class="figures">${figures}</dl>`;
}

/** Returns whether the brief has a part as a section or a value of it among its key figures. */
function isPrinted({ name }: { readonly name: string }, { brief }: CountryView): boolean {
  const figures = [...keyFigureList, ...comparedFigures].filter(({ column }) => column.startsWith(`${name}.`));
  return name in parts || figures.some((figure) => figureText(brief, figure) !== undefined);
}
