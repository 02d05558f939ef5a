import { configuredPlans } from "../../../src/access/plans.ts";
import { sendDigests } from "../../../src/domains/alerts/digest/send-digests.ts";
import { evaluateChanges } from "../../../src/domains/alerts/evaluation/evaluate-changes.ts";
import { evaluatePoints } from "../../../src/domains/alerts/evaluation/evaluate-points.ts";
import type { EvaluationParts } from "../../../src/domains/alerts/evaluation/evaluation-parts.ts";
import { watched } from "../../../src/domains/alerts/rules/rule-trigger.ts";
import { datasets } from "../../../src/domains/index.ts";
import { datasetTiers } from "../../../src/runtime/operation-access.ts";
import type { Database } from "../../../src/store/database.ts";
import { type TestApp, testTime } from "../app.ts";

/** What rules are evaluated with, in a test that sends nothing. */
function evaluationParts({ kysely }: Database, rest: Partial<EvaluationParts> = {}): EvaluationParts {
  return {
    database: kysely,
    clock: () => testTime,
    send: async () => undefined,
    plans: configuredPlans(new Map()),
    watched: watched(datasets, datasetTiers(), () => []),
    data: "live",
    admits: () => true,
    warn: () => undefined,
    ...rest,
  };
}

/** Looks at everything that is new. */
export async function evaluate(database: Database, rest: Partial<EvaluationParts> = {}): Promise<void> {
  const parts = evaluationParts(database, rest);
  const { signal } = new AbortController();
  await evaluateChanges(parts, undefined, signal);
  await evaluatePoints(parts, signal);
  await sendDigests(parts);
}

export interface ListedDelivery {
  readonly id: string;
  readonly endpointId: string;
  readonly type: string;
  readonly state: string;
  readonly body: string;
}

/** Calls of a caller about rules and endpoints, over HTTP. */
export function alertCalls(app: TestApp, key: string) {
  const call = async <Body = Record<string, unknown>>(
    operation: string,
    body: object = {},
  ): Promise<{ status: number; body: Body }> => {
    const path = `/api/alerts/v1/${operation}`;
    const response = operation.startsWith("list-")
      ? await app.get(`${path}?${new URLSearchParams(body as Record<string, string>)}`, { key })
      : await app.get(path, { method: "POST", key, body: JSON.stringify(body) });
    return { status: response.status, body: (await response.json()) as Body };
  };
  return {
    call,
    async feed(name = "desk"): Promise<string> {
      const { body } = await call<{ endpoint: { id: string } }>("create-endpoint", { name, kind: "feed" });
      return body.endpoint.id;
    },
    async rule(trigger: object, rest: object = {}): Promise<string> {
      const { status, body } = await call<{ rule: { id: string } }>("create-rule", { name: "watch", trigger, ...rest });
      if (status !== 201) throw new Error(`create-rule answered ${status}: ${JSON.stringify(body)}`);
      return body.rule.id;
    },
    /** Oldest first. */
    async deliveries(endpointId = ""): Promise<ListedDelivery[]> {
      const { body } = await call<{ deliveries: ListedDelivery[] }>(
        "list-deliveries",
        endpointId ? { endpointId } : {},
      );
      return body.deliveries.toReversed();
    },
  };
}
