import { datasets, lookups } from "../src/domains/index.ts";
import { responseForm } from "../src/ingest/drift/shape.ts";
import { shrinksTo } from "../src/ingest/refresh/evaluate.ts";
import { observed } from "../src/ingest/refresh/fetch.ts";
import type { SourceAccess, SourceMetadata, SourceTerms } from "../src/ingest/source.ts";
import { defaultPace } from "../src/upstream/hosts.ts";
import { sampleUpstream } from "../src/upstream/sample/sample.ts";
import { markdownTable } from "./markdown-table.ts";

const now = new Date("2026-11-18T12:00:00Z");

/** Returns how each source is requested and what its responses must contain. */
export async function mannersTable(): Promise<string[]> {
  const lines: string[][] = [];
  for (const dataset of datasets)
    for (const source of dataset.sources.filter(({ own }) => !own))
      lines.push([
        ...[source.name, dataset.name, floorOf(source), spacingOf(source), apartOf(source), budgetOf(source)],
        ...[source.partOf ? "yes" : "", await formsOf(source)],
      ]);
  for (const lookup of lookups)
    lines.push([lookup.name, "look-up", "", spacingOf(lookup), "", budgetOf(lookup), "", ""]);
  return markdownTable(
    [
      "Source",
      "For",
      "Rows of a first response",
      "Between requests",
      "Requested again after",
      "Requests a day",
      "Parts stored",
      "Format compared",
    ],
    lines,
  );
}

/** Returns where you get the keys of sources, and what a rejection by the source means. */
export function accessTable(): string[] {
  const byAccess = Map.groupBy(
    [...datasets.flatMap(({ sources }) => sources), ...lookups].filter(({ access }) => access !== undefined),
    ({ access }) => JSON.stringify(access),
  );
  return markdownTable(
    ["Source", "Sign up at", "Cost", "Quota", "Terms", "A 403 or 429 means"],
    [...byAccess.values()].map((sources) => [names(sources), ...accessCells(sources[0]?.access ?? {})]),
  );
}

function names(sources: readonly SourceTerms[]): string {
  return [...new Set(sources.map(({ name }) => name))].join(", ");
}

function accessCells({ signUp, cost = "", quota = "", terms, rejection = "" }: Partial<SourceAccess>): string[] {
  return [link(signUp), cost, quota, link(terms), rejection];
}

function link(address: string | undefined): string {
  return address === undefined ? "" : `<${address}>`;
}

function floorOf({ rows }: SourceMetadata): string {
  return rows.mayBeEmpty ? "may be empty" : `${rows.atLeast}, then ${shrinksTo * 100} % of the last`;
}

function spacingOf({ pace = defaultPace }: SourceTerms): string {
  const after = pace.oneAtATime ? " after the last response" : "";
  return `${pace.spacingMs / 1000} s${after}`;
}

function apartOf({ minutesApart }: SourceMetadata): string {
  if (minutesApart === undefined) return "";
  if (minutesApart < 120) return `${minutesApart} min`;
  const hours = Math.round(minutesApart / 6) / 10;
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 2.4) / 10} d`;
}

function budgetOf({ requestsADay: budget }: SourceTerms): string {
  if (!budget) return "";
  const { of, max, withKey, setBy } = budget;
  const others = [
    ...(withKey ? [`${withKey.max} with \`${withKey.variable}\``] : []),
    ...(setBy === undefined ? [] : [`or \`${setBy}\``]),
  ];
  return `${[max, ...others].join(", ")} (${of})`;
}

/** Returns the formats of the responses in the sample. HTML pages and data without a header row have none. */
async function formsOf({ name, fetch }: SourceMetadata): Promise<string> {
  const forms = new Set<string>();
  const sample = sampleUpstream(name, () => now);
  await fetch(observed(sample, ({ text }) => text && forms.add(responseForm(text) ?? "no")));
  return [...forms].join(", ");
}
