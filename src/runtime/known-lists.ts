import { KnownValues } from "../../gen/es/ids/options/v1/options_pb.ts";
import { givenPlans } from "../access/plans.ts";
import type { KnownLists } from "../contract/schema.ts";
import { datasets } from "../domains/index.ts";
import { templates } from "../domains/scenario/templates.ts";
import type { ScheduledDataset } from "../ingest/schedule/scheduled.ts";
import { chokepoints } from "../reference/trade/chokepoints.ts";

const all: readonly ScheduledDataset[] = datasets;
const sourceNames = new Set(all.flatMap(({ sources }) => sources.flatMap(({ name, own }) => (own ? [] : name))));

export const knownLists: KnownLists = new Map([
  [KnownValues.CHOKEPOINT, { name: "ChokepointId", values: idsOf(chokepoints) }],
  [KnownValues.SCENARIO, { name: "ScenarioId", values: idsOf(templates) }],
  [KnownValues.SOURCE, { name: "SourceName", values: [...sourceNames] }],
  [KnownValues.DATASET, { name: "DatasetName", values: all.map(({ name }) => name) }],
  [KnownValues.SERIES, { name: "SeriesId", values: idsOf(all.flatMap(({ series }) => series?.series ?? [])) }],
  [KnownValues.PLAN, { name: "PlanKey", values: givenPlans }],
  [KnownValues.OPTIONAL_PLAN, { values: ["", ...givenPlans] }],
  [KnownValues.EUROPEAN_UNION, { values: ["EU"] }],
]);

function idsOf(known: readonly { readonly id: string }[]): string[] {
  return known.map(({ id }) => id);
}
