import type { DescField } from "@bufbuild/protobuf";
import { CreateAccountRequestSchema, SetSubscriptionRequestSchema } from "../../gen/es/ids/account/v1/account_pb.ts";
import {
  ChangesTriggerSchema,
  SeriesTriggerSchema,
  StalenessTriggerSchema,
} from "../../gen/es/ids/alerts/v1/trigger_pb.ts";
import { GetDatasetRequestSchema } from "../../gen/es/ids/catalog/v1/catalog_pb.ts";
import { ListStatesRequestSchema } from "../../gen/es/ids/catalog/v1/states_pb.ts";
import { ListChangesRequestSchema, WatchChangesRequestSchema } from "../../gen/es/ids/changes/v1/changes_pb.ts";
import { ListConflictEventsRequestSchema } from "../../gen/es/ids/conflict/v1/conflict_pb.ts";
import { GetEuGasStorageRequestSchema } from "../../gen/es/ids/economic/v1/economic_pb.ts";
import { ListGlobalTendersRequestSchema } from "../../gen/es/ids/economic/v1/tenders_pb.ts";
import { GetSeriesRequestSchema, ListSeriesRequestSchema } from "../../gen/es/ids/history/v1/history_pb.ts";
import { RunScenarioRequestSchema } from "../../gen/es/ids/scenario/v1/scenario_job_pb.ts";
import { RegisterWebhookRequestSchema } from "../../gen/es/ids/shipping/v2/webhook_pb.ts";
import { GetMultiSectorCostShockRequestSchema } from "../../gen/es/ids/supply_chain/v1/cost_shock_pb.ts";
import { givenPlans } from "../access/plans.ts";
import { requestTimeForm } from "../contract/request/request-time.ts";
import type { KnownBound, KnownBounds } from "../contract/schema.ts";
import { datasets } from "../domains/index.ts";
import { templates } from "../domains/scenario/templates.ts";
import type { ScheduledDataset } from "../ingest/schedule/scheduled.ts";
import { chokepoints } from "../reference/trade/chokepoints.ts";

const all: readonly ScheduledDataset[] = datasets;
const chokepointId = oneOf("ChokepointId", idsOf(chokepoints));
const scenarioId = oneOf("ScenarioId", idsOf(templates));
const datasetName = oneOf(
  "DatasetName",
  all.map(({ name }) => name),
);
const seriesId = oneOf("SeriesId", idsOf(all.flatMap(({ series }) => series?.series ?? [])));
const plan = oneOf("PlanKey", givenPlans);
const instant: KnownBound = { bound: { pattern: requestTimeForm.source } };

const tenders = ListGlobalTendersRequestSchema.field;

/** Derived from the lists and the formats that operations check. */
export const knownBounds: KnownBounds = new Map<DescField, KnownBound>([
  [GetMultiSectorCostShockRequestSchema.field.chokepointId, chokepointId],
  [RegisterWebhookRequestSchema.field.chokepointIds, chokepointId],
  [RunScenarioRequestSchema.field.scenarioId, scenarioId],
  [GetDatasetRequestSchema.field.name, datasetName],
  [ListStatesRequestSchema.field.dataset, datasetName],
  [ListSeriesRequestSchema.field.dataset, datasetName],
  [ListChangesRequestSchema.field.datasets, datasetName],
  [WatchChangesRequestSchema.field.datasets, datasetName],
  [ChangesTriggerSchema.field.datasets, datasetName],
  [StalenessTriggerSchema.field.datasets, datasetName],
  [GetSeriesRequestSchema.field.series, seriesId],
  [SeriesTriggerSchema.field.series, seriesId],
  [CreateAccountRequestSchema.field.plan, { bound: { enum: ["", ...givenPlans] } }],
  [SetSubscriptionRequestSchema.field.plan, plan],
  [GetSeriesRequestSchema.field.from, instant],
  [GetSeriesRequestSchema.field.to, instant],
  [ListConflictEventsRequestSchema.field.updatedAfter, instant],
  [tenders.deadlineFrom, instant],
  [tenders.deadlineTo, instant],
  [tenders.publishedFrom, instant],
  [tenders.publishedTo, instant],
  [tenders.updatedAfter, instant],
  [GetEuGasStorageRequestSchema.field.country, { bound: { enum: ["EU"] } }],
]);

function idsOf(known: readonly { readonly id: string }[]): string[] {
  return known.map(({ id }) => id);
}

function oneOf(name: string, values: readonly string[]): KnownBound {
  return { name, bound: { enum: values } };
}
