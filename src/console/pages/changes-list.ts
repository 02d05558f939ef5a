import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { type Change, ChangesService } from "../../../gen/es/ids/changes/v1/changes_pb.ts";
import type { Column } from "../../contract/columns.ts";
import { bareLabel, labelOf } from "../../contract/labels.ts";
import { isObject } from "../../contract/request/body.ts";
import { tablesOf } from "../../contract/tables.ts";
import { type Html, html, joined } from "../../pages/html.ts";
import { chokepointById } from "../../reference/trade/chokepoints.ts";
import { type MessageRead, readMessage } from "../metadata.ts";
import type { PageContext } from "../page-context.ts";
import { countryLink, isNumeric } from "../view/data-table.ts";
import { amountText, quantityText } from "../view/figures.ts";
import { ago } from "../view/times.ts";

const maxFigures = 2;

/** Returns the changed values of a row, such as `Combined score 79 → 78`, in the order of the contract. */
function movesOf({ dataset, rows, before, after }: Change, { operations, metadata }: PageContext): string[] {
  if (!before || !after) return [];
  const page = `/data/${dataset}`;
  const tables = operations.filter((each) => metadata.pageOf(each) === page).flatMap(tablesOf);
  const columns = tables.find(({ name }) => name === rows)?.columns ?? [];
  return columns
    .filter(isNumeric)
    .flatMap((column) => {
      const [from, to] = [before, after].map((row) => textIn(row, column));
      return from === undefined || to === undefined || from === to
        ? []
        : [`${bareLabel(labelOf(column.name))} ${from} → ${to}`];
    })
    .slice(0, maxFigures);
}

function textIn(row: JsonObject, { name, unit, scale }: Column): string | undefined {
  const value = name.split(".").reduce<JsonValue>((of, part) => (isObject(of) ? (of[part] ?? null) : null), row);
  const figure = typeof value === "string" && value !== "" ? Number(value) : value;
  return typeof figure === "number" && !Number.isNaN(figure) ? quantityText(figure, unit, scale) : undefined;
}

const { listChanges } = ChangesService.method;

type ChangesRead = MessageRead<typeof listChanges.output>;

/** Number of the newest changes in the log that are searched. */
const searchedChanges = 400;

export function readChanges({ read, newestChange }: PageContext, country = ""): Promise<ChangesRead> {
  const after = country === "" ? Math.max(0, newestChange() - searchedChanges) : 0;
  return readMessage(read, listChanges, { after, limit: 1_000, countries: country });
}

/** Lists changes, grouped by time and kind. Replaced datasets are last, because they do not say what changed. */
export function changesList(
  { message }: ChangesRead,
  page: PageContext,
  { max, country = "" }: { readonly max: number; readonly country?: string },
): Html | undefined {
  if (!message) return undefined;
  const { changes } = message;
  const times = changes.map(({ at }) => Number(at));
  const newestAt = times.length === 0 ? "" : new Date(Math.max(...times)).toISOString();
  const [loaded = [], moved = []] = [true, false].map((is) =>
    changes.filter(({ kind }) => (kind === "replaced") === is),
  );
  const groups = [...Map.groupBy(moved, (each) => `${each.at} ${each.dataset} ${each.kind} ${each.rows}`).values()];
  const newest = groups.toReversed().slice(0, max);
  const entries = [
    ...newest.map((group) => groupMarkup(group, page)),
    ...(loaded.length > 0 && newest.length < max ? [loadedMarkup(loaded, page.now)] : []),
  ];
  if (entries.length === 0 && !page.viewer.isSignedIn)
    return html`<div class="nothing"><p><strong>No changes.</strong> No change was recorded in the last 7 days.</p></div>`;
  return html`${!page.viewer.isSignedIn && !page.isEmbed && html`<p class="small soft"><a href="/account?${new URLSearchParams({ to: page.path })}">Sign in</a> to follow changes live.</p>`}
<ol class="rows"${page.viewer.isSignedIn && html` data-live="${country}" data-newest="${newestAt}"`}>${entries.map((entry) => html`<li>${entry}</li>\n`)}</ol>`;
}

function loadedMarkup(loaded: readonly Change[], now: number): Html {
  const names = [...new Set(loaded.toReversed().map(({ dataset }) => dataset))];
  const when = html`<span class="soft">${ago(Math.max(...loaded.map(({ at }) => Number(at))), now)}</span>`;
  const [one = ""] = names;
  return names.length === 1
    ? html`<p>${datasetLink(one)} was loaded ${when}</p>`
    : html`<p><a href="/data">${amountText(names.length, "dataset")}</a> were loaded, the last ${when}</p>`;
}

function datasetLink(name: string): Html {
  return html`<a href="/data/${name}">${labelOf(name)}</a>`;
}

const verbs: Readonly<Record<string, string>> = {
  appeared: "appeared in",
  changed: "changed in",
  vanished: "left",
  moved: "moved in",
  corrected: "corrected in",
};

/** If more rows of a dataset changed, the list names only their countries. */
const maxRows = 4;

function subjectMarkup(subject: string): Html {
  const chokepoint = chokepointById(subject);
  return chokepoint ? html`<a href="/chokepoints/${subject}">${chokepoint.name}</a>` : html`${subject}`;
}

function groupMarkup(group: readonly Change[], page: PageContext): Html {
  const [first] = group;
  if (!first) return html``;
  const dataset = datasetLink(first.dataset);
  const when = html`<span class="soft">${ago(Number(first.at), page.now)}</span>`;
  const verb = verbs[first.kind];
  if (verb === undefined)
    return html`<p>${dataset} ${first.kind === "stale" ? "became stale" : first.kind} ${when}</p>`;
  const countries = [...new Set(group.map(({ country }) => country))].filter((code) => code !== "");
  const count = amountText(group.length, "row");
  const shown = countries.slice(0, 5);
  const where =
    shown.length > 0 &&
    html`: ${joined(shown.map(countryLink))}${countries.length > 5 && ` and ${countries.length - 5} more`}`;
  const moved = group.values().map((change) => ({ ...change, moves: movesOf(change, page) }));
  const rows = [...moved.filter(({ moves }) => moves.length > 0).take(maxRows)].map(
    ({ country, subject, moves }) =>
      html`<li>${country === "" ? subjectMarkup(subject) : countryLink(country)}: ${moves.join(", ")}</li>`,
  );
  return rows.length === 0
    ? html`<p>${count} ${verb} ${dataset}${where} ${when}</p>`
    : html`<p>${count} ${verb} ${dataset} ${when}</p><ul class="small">${rows}${group.length > rows.length && html`<li class="soft">and ${amountText(group.length - rows.length, "more row")}</li>`}</ul>`;
}
