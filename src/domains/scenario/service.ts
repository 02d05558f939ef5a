import { fromJson } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import { type RunScenarioRequest, ScenarioResultSchema } from "../../../gen/es/ids/scenario/v1/scenario_job_pb.ts";
import { ScenarioService } from "../../../gen/es/ids/scenario/v1/scenario_pb.ts";
import { accountOf } from "../../access/caller.ts";
import { operationsOf } from "../../contract/catalog.ts";
import { markSample } from "../../contract/request-context.ts";
import { Congested, InvalidRequest, NotEnqueued, NotFound, type Violation } from "../../errors.ts";
import type { Send } from "../../jobs/queue.ts";
import { useOneOf } from "../../reference/allowed-values.ts";
import type { Store } from "../../store/tables.ts";
import { addJob, type JobLimits, jobOf } from "./job-store.ts";
import { scenarioJob, scenarioJobs, scenarioSweep } from "./jobs.ts";
import { isTariff, type Template, templateById, templates } from "./templates.ts";

interface ScenarioParts {
  readonly database: Store;
  readonly clock: () => Date;
  readonly randomBytes: (size: number) => Buffer;
  /** Connects to the job queue. Call it before the transaction that adds a job. */
  readonly sender: () => Promise<Send>;
  readonly scenarios: JobLimits;
  readonly data: "live" | "sample";
}

const { getScenarioStatus } = ScenarioService.method;
const statusPath = operationsOf(ScenarioService).find(({ method }) => method === getScenarioStatus)?.path ?? "";
const jobIdName = getScenarioStatus.input.field.jobId.jsonName;

export const scenario = { jobKinds: [scenarioJob, scenarioSweep], jobs: scenarioJobs, implement };

function implement({
  database,
  clock,
  randomBytes,
  sender,
  scenarios: limits,
  data,
}: ScenarioParts): ServiceImpl<typeof ScenarioService> {
  return {
    listScenarioTemplates: () => ({
      templates: templates.map((template) => ({
        ...template,
        affectedChokepointIds: [...template.affectedChokepointIds],
        affectedHs2: [...template.affectedHs2],
      })),
    }),

    async runScenario(request, context) {
      const template = checked(request);
      const { iso2, disruptionPct = template.disruptionPct } = request;
      const account = accountOf(context);
      const now = clock();
      const id = `scenario:${String(now.getTime()).padStart(13, "0")}:${randomBytes(16).toString("hex")}`;
      const row = { id, account, scenario_id: template.id, iso2, disruption_pct: disruptionPct, created_at: now };
      try {
        const send = await sender();
        await database.transaction().execute(async (transaction) => {
          await addJob(transaction, row, limits);
          await send(scenarioJob, {}, { transaction });
        });
      } catch (error) {
        if (error instanceof Congested) throw error;
        throw new NotEnqueued("Failed to enqueue scenario job", { cause: error });
      }
      const statusUrl = `${statusPath}?${new URLSearchParams({ [jobIdName]: id })}`;
      context.responseHeader.set("Location", statusUrl);
      return { jobId: id, status: "pending", statusUrl };
    },

    async getScenarioStatus({ jobId }, context) {
      const job = await jobOf(database, accountOf(context), jobId, clock());
      // In live mode, a result that was computed from samples is not returned.
      if (!job || (job.from_samples && data === "live")) throw new NotFound("Scenario job not found");
      if (job.from_samples) markSample(context);
      return {
        status: job.status,
        error: job.error,
        ...(job.status === "done"
          ? { result: fromJson(ScenarioResultSchema, job.result, { ignoreUnknownFields: true }) }
          : {}),
      };
    },
  };
}

function checked({ scenarioId, disruptionPct }: RunScenarioRequest): Template {
  const template = templateById(scenarioId);
  const violations: Violation[] = [];
  if (!template)
    violations.push({ field: "scenarioId", description: `Unknown scenario: ${scenarioId}${useOneOf(templates)}` });
  if (template && isTariff(template) && disruptionPct !== undefined)
    violations.push({ field: "disruptionPct", description: "A tariff blocks no traffic: omit disruptionPct" });
  if (!template || violations.length > 0) throw new InvalidRequest(violations);
  return template;
}
