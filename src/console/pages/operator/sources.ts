import { fromJson } from "@bufbuild/protobuf";
import { ListDatasetsResponseSchema } from "../../../../gen/es/ids/catalog/v1/catalog_pb.ts";
import type { DatasetSource } from "../../../../gen/es/ids/catalog/v1/dataset_pb.ts";
import type { Source } from "../../../../gen/es/ids/catalog/v1/source_pb.ts";
import { type Html, html } from "../../../pages/html.ts";
import type { PageContext } from "../../page-context.ts";
import type { ReadResponse } from "../../read-response.ts";
import { catalogState, stateMarkup } from "../../view/availability.ts";
import { ago } from "../../view/times.ts";

export type IsSet = (variable: string) => boolean;

/** The last read of a source by name. If several datasets use it, the newest read counts. */
type LastReads = ReadonlyMap<string, DatasetSource>;

export function lastReads(response: ReadResponse): LastReads {
  const datasets = response.kind === "answered" ? fromJson(ListDatasetsResponseSchema, response.body).datasets : [];
  const uses = datasets.flatMap(({ sources }) => sources);
  return new Map(uses.toSorted((a, b) => runAt(a) - runAt(b)).map((use) => [use.name, use]));
}

function runAt({ lastRunAt = 0n }: DatasetSource): number {
  return Number(lastRunAt);
}

interface SourcesView {
  readonly reads: LastReads;
  readonly isSet: IsSet;
  readonly isSample: boolean;
  readonly page: PageContext;
}

/** Lists sources with missing settings first, because they need an action. */
export function sourcesMarkup(sources: readonly Source[], view: SourcesView): Html {
  const ordered = [...sources].sort((a, b) => Number(a.configured) - Number(b.configured));
  return html`<div class="wide scrolls" role="region" aria-label="Table: Sources" tabindex="0"><table class="cards"><thead><tr><th scope="col">Source</th><th scope="col">State</th><th scope="col">Last read</th><th scope="col">Last failure</th><th scope="col">Settings</th><th scope="col">Cost</th><th scope="col">Quota</th><th scope="col">Terms</th><th scope="col">Where to get it</th></tr></thead><tbody>${ordered.map((source) => rowMarkup(source, view))}</tbody></table></div>
<p class="small soft">Settings are variables of the service's environment; <code>ids sources check</code> requests a source once and shows the result.</p>`;
}

function rowMarkup(source: Source, { reads, isSet, isSample, page: { now } }: SourcesView): Html {
  const { name, state, configured, variables, access, license } = source;
  const read = reads.get(name);
  const signUp = access?.signUp ?? "";
  const settings = variables.map(
    ({ name: variable }) =>
      html`<code>${variable}</code> <span class="tag">${isSet(variable) ? "set" : "not set"}</span> `,
  );
  return html`<tr><th scope="row">${name}</th><td data-label="State"><div>${stateMarkup(catalogState(state))}${isSample && html` <span class="tag sample">Sample</span>`}</div></td><td class="time" data-label="Last read">${lastRead(read, now)}</td><td class="text" data-label="Last failure">${failureOf(read)}</td><td data-label="Settings"><div>${variables.length === 0 ? "none" : settings}${!configured && html`<span class="tag">a required setting is missing</span>`}</div></td><td class="text" data-label="Cost">${access?.cost}</td><td class="text" data-label="Quota">${access?.quota}</td><td class="text lines">${license?.terms} <span class="tag">${license?.kind}</span></td><td data-label="Where to get it">${signUp.startsWith("https://") && html`<a href="${signUp}" rel="noopener noreferrer nofollow">Sign up<span class="unseen"> at ${name}</span></a>`}</td></tr>\n`;
}

function lastRead(read: DatasetSource | undefined, now: number): Html {
  if (!read) return html`on request only`;
  return read.lastRunAt === undefined ? html`never` : ago(Number(read.lastRunAt), now);
}

function failureOf(read: DatasetSource | undefined): string {
  if (read?.failure === undefined) return "none";
  return read.failureStatus === undefined ? read.failure : `${read.failure} (status ${read.failureStatus})`;
}
