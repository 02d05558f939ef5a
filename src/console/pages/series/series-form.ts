import type { Series } from "../../../../gen/es/ids/history/v1/history_pb.ts";
import { type Html, html } from "../../../pages/html.ts";
import { intervals } from "../../../reference/calendar.ts";
import { countries } from "../../../reference/countries/countries.ts";
import { labelOf } from "../../view/labels.ts";
import { keyName } from "./key-name.ts";
import { isOfCountries, type SeriesRequest, seriesAddress } from "./series-request.ts";

/** Keys, span and interval of a chart as a form; without a script each choice is an address. */
export function seriesForm(series: Series, request: SeriesRequest): Html {
  // A level that each refresh measures anew has no sum.
  const { id, keyParts, step } = series;
  const { keys, from, to, interval, aggregation } = request;
  return html`<form class="filters" action="/series/${id}" autocomplete="off">
<span class="field wide-field"><label for="keys">${labelOf(keyParts.join(" / "))}, several with commas</label><input id="keys" name="keys" value="${keys.join(",")}" maxlength="1500" autocomplete="off" spellcheck="false"></span>
${isOfCountries(series) && countryChoice(keys)}
<span class="field"><label for="from">From</label><input id="from" name="from" type="date" value="${from.slice(0, 10)}"></span>
<span class="field"><label for="to">To</label><input id="to" name="to" type="date" value="${to.slice(0, 10)}"></span>
${choice("interval", "Interval", interval, intervals)}
${choice("aggregation", "Value of an interval", aggregation, ["last", "mean", "min", "max", ...(step === "refresh" ? [] : ["sum"])])}
<button>Show</button></form>
${keys.length > 1 && removals(id, request)}`;
}

function countryChoice(keys: readonly string[]): Html {
  const others = [...countries.values()]
    .filter(({ alpha2 }) => !keys.includes(alpha2))
    .sort((a, b) => a.name.localeCompare(b.name, "en"));
  return html`<span class="field"><label for="add">Add a country</label><input id="add" name="add" list="countries" maxlength="80" autocomplete="off"><datalist id="countries">${others.map(({ name }) => html`<option value="${name}"></option>`)}</datalist></span>`;
}

function choice(name: string, label: string, value: string, choices: readonly string[]): Html {
  return html`<span class="field"><label for="${name}">${label}</label><select id="${name}" name="${name}">${choices.map(
    (each) => html`<option${each === value && html` selected`}>${each}</option>`,
  )}</select></span>`;
}

function removals(id: string, request: SeriesRequest): Html {
  return html`<ul class="tabs" aria-label="Remove a line">${request.keys.map((key) => {
    const keys = request.keys.filter((each) => each !== key);
    return html`<li><a href="${seriesAddress(id, { ...request, keys })}"><span class="unseen">Remove </span>${keyName(key)} <span aria-hidden="true">×</span></a></li>`;
  })}</ul>`;
}
