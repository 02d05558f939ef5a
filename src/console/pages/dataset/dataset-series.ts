import type { Dataset } from "../../../../gen/es/ids/catalog/v1/dataset_pb.ts";
import { HistoryService, type Series } from "../../../../gen/es/ids/history/v1/history_pb.ts";
import type { Operation } from "../../../contract/catalog.ts";
import { lowerFirst } from "../../../contract/labels.ts";
import { countryParameter, twinOfCountry } from "../../../contract/request/country-parameter.ts";
import { html, joined } from "../../../pages/html.ts";
import { operationNamed, readMessage } from "../../metadata.ts";
import type { Block, PageContext } from "../../page-context.ts";
import { blockOf } from "../../view/block.ts";
import { lineChart } from "../../view/line-chart.ts";
import { isOfCountries } from "../series/key-names.ts";
import { readWanted } from "../series/series.ts";
import { sentence } from "../series/series-list.ts";
import { chartTitle, seriesName, seriesProvenance, shownStep, withOwnTerms } from "../series/series-read.ts";

/** A dataset with more series, or with several lines for each country, has links only. */
const maxCharts = 2;

/**
 * Returns links to the series of a dataset, and a function that draws them if they are few. Both apply the country or
 * other key by which the page is filtered.
 */
export async function readDatasetSeries(
  { name, series }: Dataset,
  operation: Operation | undefined,
  page: PageContext,
) {
  const { listSeries } = HistoryService.method;
  const { message } = series.length > 0 ? await readMessage(page.read, listSeries, { dataset: name }) : {};
  const listed = (message?.series ?? []).map((each) => ({ each, keys: operation ? keyIn(each, operation, page) : "" }));
  const links = listed.map(({ each: { id }, keys }) => {
    const query = keys !== "" && html`?${new URLSearchParams({ keys })}`;
    return html`<a href="/series/${id}${query}">${lowerFirst(seriesName(id))}</a>`;
  });
  const charts = async () => {
    const few = listed.length > maxCharts ? [] : listed.filter(({ each }) => each.keyParts.length === 1);
    const span = few.length > 1 ? "half" : undefined;
    const read = await Promise.all(few.map(({ each, keys }) => readChart(each, keys, page, span)));
    return read.filter((chart) => chart !== undefined);
  };
  return { links: links.length > 0 && html`<p>Over time: ${joined(links)}</p>`, charts };
}

/** Returns the country or other value by which the page is filtered, if keys of the series begin with such values. */
function keyIn(series: Series, { method }: Operation, { query }: PageContext): string {
  const [first] = series.keyParts;
  const own = method.input.fields.find(({ name }) => name.replace(/_(?:id|code)$/, "") === first);
  const names = isOfCountries(series) ? [countryParameter, twinOfCountry(method.input)?.name] : [own?.name];
  return names.flatMap((name) => (name === undefined ? [] : (query.get(name) ?? []))).find((text) => text !== "") ?? "";
}

/** Draws a series as its own page does by default. Undefined if no value is known. */
async function readChart(series: Series, keys: string, page: PageContext, span?: "half"): Promise<Block | undefined> {
  const { id, unit, scale, operation } = series;
  const query = new URLSearchParams({ keys });
  const { wanted, reported } = await readWanted(series, { ...page, query });
  const lines = await withOwnTerms(series, reported.lines, page);
  const step = shownStep(series, lines, wanted.interval);
  if (lines.every(({ points }) => points.every(({ value }) => value === undefined))) return undefined;
  const names = lines.map(({ label }) => label);
  return blockOf(page, {
    ...{ id: id.replaceAll(/[._]/g, "-"), title: seriesName(id), ownTitle: chartTitle(id, names), span },
    about: sentence(series.title),
    content: lineChart({ lines, title: sentence(series.title), unit, scale, step }),
    provenance: seriesProvenance(reported, operationNamed(operation), { step }),
    chart: { series: id, keys: wanted.keys, embedHeight: 620 },
  });
}
