import { HistoryService, type Series } from "../../../../gen/es/ids/history/v1/history_pb.ts";
import { type Html, html } from "../../../pages/html.ts";
import { intervals } from "../../../reference/calendar.ts";
import { countriesByName } from "../../../reference/countries/countries.ts";
import { chokepoints } from "../../../reference/trade/chokepoints.ts";
import { readMessage } from "../../metadata.ts";
import type { PageContext } from "../../page-context.ts";
import { type Choice, selectField } from "../../view/form-field.ts";
import { isOfCountries, keyName } from "./key-names.ts";
import { type SeriesRequest, seriesAddress } from "./series-request.ts";
import { seriesViews } from "./series-views.ts";

/** Creates the form for keys, view, time span, and interval. It works without a script, because each choice is a URL. */
export function seriesForm(series: Series, request: SeriesRequest, proposals: readonly Choice[]): Html {
  const { id, keyParts, step } = series;
  const { keys, from, to, interval, aggregation, view } = request;
  const named = isOfCountries(series) ? "country" : keyParts[0];
  // Values that are measured at each refresh have no sum, because they are levels.
  const aggregations = ["last", "mean", "min", "max", ...(step === "refresh" ? [] : ["sum"])];
  return html`<section class="block third" aria-labelledby="options"><details class="options" open><summary><h2 id="options">Chart options</h2></summary>
${chips(id, request)}
<form class="filters" action="/series/${id}" autocomplete="off"><input type="hidden" id="keys" name="keys" value="${keys.join(",")}">
<span class="field wide-field"><label for="add">Add a ${named}</label><input id="add" name="add" list="known-keys" maxlength="300" autocomplete="off" spellcheck="false"><datalist id="known-keys">${proposals
    .filter(([value, text]) => !keys.includes(value) && !keys.some((key) => keyName(key) === text))
    .map(
      ([value, text]) => html`<option value="${value}"${text !== value && html` label="${text}"`}></option>`,
    )}</datalist></span>
${selectField({ id: "view", name: "view", label: "View", choices: Object.entries(seriesViews), chosen: view })}
<span class="field"><label for="from">From</label><input id="from" name="from" class="day" value="${from.slice(0, 10)}" placeholder="YYYY-MM-DD" autocomplete="off"></span>
<span class="field"><label for="to">To</label><input id="to" name="to" class="day" value="${to.slice(0, 10)}" placeholder="YYYY-MM-DD" autocomplete="off"></span>
${selectField({ id: "interval", name: "interval", label: "Interval", choices: same(intervals), chosen: interval })}
${selectField({ id: "aggregation", name: "aggregation", label: "Value of an interval", choices: same(aggregations), chosen: aggregation })}
<button>Show</button></form></details></section>`;
}

/** Returns suggestions for the field that adds a key: names, or the keys that the series has. */
export async function keyProposals(series: Series, { read }: PageContext): Promise<readonly Choice[]> {
  if (isOfCountries(series)) return same(countriesByName().map(({ name }) => name));
  if (series.keyParts[0] === "chokepoint") return same(chokepoints.map(({ name }) => name));
  const { message } = await readMessage(read, HistoryService.method.listMovers, { series: series.id, limit: 100 });
  const keys = [...(message?.movers ?? []), ...(message?.excludedKeys ?? [])].map(({ key }) => key);
  return keys.toSorted((a, b) => a.localeCompare(b, "en")).map((key) => [key, keyName(key)]);
}

function same(texts: readonly string[]): readonly Choice[] {
  return texts.map((text) => [text, text]);
}

/** Lists the keys of the chart. Each can be removed while another one remains. */
function chips(id: string, request: SeriesRequest): Html {
  const { keys } = request;
  if (keys.length < 2)
    return html`<ul class="tabs" aria-label="Line">${keys.map((key) => html`<li>${keyName(key)}</li>`)}</ul>`;
  return html`<ul class="tabs" aria-label="Remove a line">${keys.map((key) => {
    const others = keys.filter((each) => each !== key);
    return html`<li><a href="${seriesAddress(id, { ...request, keys: others })}"><span class="unseen">Remove </span>${keyName(key)} <span aria-hidden="true">×</span></a></li>`;
  })}</ul>`;
}
