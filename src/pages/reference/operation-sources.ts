import type { GraphDataset, OperationInputs } from "../../ingest/graph.ts";
import { type Block, heading, table, text } from "./blocks.ts";

export interface ReferenceDataset extends GraphDataset {
  /** Schedule of refreshes: a cron expression in UTC. */
  readonly schedule: string;
  readonly freshForMinutes: number;
}

export type OperationSources = OperationInputs<ReferenceDataset>;

export const sourcesHeading = "Sources and licenses";

const kinds = {
  open: "open",
  attribution: "attribution",
  "non-commercial": "non-commercial use",
  restricted: "restricted",
};

export function madeFrom({ datasets, lookups }: OperationSources): Block[] {
  const sources = [
    ...datasets.flatMap((dataset) => dataset.sources.map((source) => ({ ...source, of: dataset.name }))),
    ...lookups.map(({ name, license }) => ({ name, license, of: "lookups during the request" })),
  ];
  return [
    ...(datasets.length > 0
      ? [
          heading("Freshness"),
          table(
            ["Dataset", "Refreshed (cron, UTC)", "Stale after"],
            datasets.map(({ name, schedule, freshForMinutes }) => [
              `[${name}](/data/${name})`,
              `\`${schedule}\``,
              durationOf(freshForMinutes),
            ]),
          ),
          text(
            "Stale data is marked by `X-Data-Stale: true` and `X-Data-Age`. [GetDataset](/docs/get-dataset) shows the current state.",
          ),
        ]
      : []),
    heading(sourcesHeading),
    table(
      ["Source", "Used in", "Terms", "Kind"],
      sources.map(({ name, of, license }) => [name, of, license.terms, kinds[license.kind]]),
    ),
  ];
}

function durationOf(minutes: number): string {
  if (minutes >= 2880) return `${Math.round(minutes / 1440)} days`;
  return minutes >= 120 ? `${Math.round(minutes / 60)} hours` : `${minutes} minutes`;
}
