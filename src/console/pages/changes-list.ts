import { fromJson } from "@bufbuild/protobuf";
import { type Change, ChangesService, ListChangesResponseSchema } from "../../../gen/es/ids/changes/v1/changes_pb.ts";
import { type Html, html } from "../../pages/html.ts";
import { operationFor } from "../facts.ts";
import type { ReadAnswer } from "../reads.ts";
import type { Sections } from "../sections.ts";
import { countryLink } from "../view/data-table.ts";
import { amountText, labelOf } from "../view/figures.ts";
import { ago } from "../view/times.ts";
import type { Visit } from "../visit.ts";

const operation = operationFor(ChangesService.method.listChanges);

/** So far back the newest are looked for. */
const lookedAt = 400;

/** The newest changes, of one country where one is named. */
export function readChanges(visit: Visit, { newestChange }: Sections, country = ""): Promise<ReadAnswer> {
  const after = country === "" ? Math.max(0, newestChange() - lookedAt) : 0;
  return visit.read(operation, { after, limit: 1_000, countries: country });
}

/** Newest first, at most so many, followed live by who is signed in; those of one moment and kind are told together. */
export function changesList(answer: ReadAnswer, visit: Visit, most: number, country = ""): Html | undefined {
  if (answer.kind === "refused") return undefined;
  const { changes } = fromJson(ListChangesResponseSchema, answer.body);
  const groups = [...Map.groupBy(changes, (each) => `${each.at} ${each.dataset} ${each.kind} ${each.rows}`).values()];
  const newest = groups.toReversed().slice(0, most);
  if (newest.length === 0 && !visit.viewer.isSignedIn)
    return html`<div class="nothing"><p><strong>No changes.</strong> Nothing has changed in the last 7 days.</p></div>`;
  return html`<ol class="rows"${visit.viewer.isSignedIn && html` data-live="${country}"`}>${newest.map((group) => html`<li>${groupMarkup(group, visit.now)}</li>\n`)}</ol>`;
}

const verbs: Readonly<Record<string, string>> = {
  appeared: "appeared in",
  changed: "changed in",
  vanished: "left",
  moved: "moved in",
  corrected: "corrected in",
};

function groupMarkup(group: readonly Change[], now: number): Html {
  const [first] = group;
  if (!first) return html``;
  const dataset = html`<a href="/data/${first.dataset}">${labelOf(first.dataset)}</a>`;
  const when = html`<span class="soft">${ago(Number(first.at), now)}</span>`;
  const verb = verbs[first.kind];
  if (verb === undefined) return html`<p>${dataset} ${wholeText(first.kind)} ${when}</p>`;
  const countries = [...new Set(group.map(({ country }) => country))].filter((code) => code !== "");
  const count = amountText(group.length, "row");
  const shown = countries.slice(0, 5);
  const where =
    shown.length > 0 &&
    html`: ${shown.map((code, index) => html`${index > 0 && ", "}${countryLink(code)}`)}${countries.length > 5 && ` and ${countries.length - 5} more`}`;
  return html`<p>${count} ${verb} ${dataset}${where} ${when}</p>`;
}

function wholeText(kind: string): string {
  if (kind === "replaced") return "was loaded";
  return kind === "stale" ? "became stale" : kind;
}
