import type { Logger } from "pino";
import type { RequestLog } from "../access/request-log.ts";
import type { FailureCause } from "../error-kinds.ts";
import type { RequestSpan } from "../telemetry/tracing.ts";
import { causeOf, type Failure, helpLink, toFailure } from "./errors.ts";
import type { FaultLog } from "./load/fault-log.ts";
import type { ReadRequest } from "./read-request.ts";
import type { Route } from "./router.ts";
import type { Telemetry } from "./routes/telemetry.ts";

export interface Outcomes {
  readonly finished: (requested: Ended, operation: string, protocol: string, status: number) => void;
  /** Converts a failure to a response. Each route has its own schema for failures. */
  readonly failure: (requested: Ended, route: Route | undefined, error: unknown) => Failure;
}

interface Ended extends Pick<ReadRequest, "id" | "now" | "startedAt" | "cause" | "caller" | "cost"> {
  cause?: FailureCause;
  readonly span?: RequestSpan | undefined;
}

export interface OutcomesParts {
  readonly telemetry: Telemetry;
  readonly log: Logger;
  readonly failed: FaultLog["failed"];
  readonly note: RequestLog["note"];
}

export function createOutcomes({ telemetry, log, failed, note }: OutcomesParts): Outcomes {
  const logsAll = log.isLevelEnabled("debug");
  return {
    finished(requested, operation, protocol, status) {
      const milliseconds = performance.now() - requested.startedAt;
      requested.span?.ended(status);
      telemetry.observe(operation, protocol, status, milliseconds);
      const cause = requested.cause ?? causeOfStatus(status);
      if (cause !== undefined) telemetry.failed(operation, protocol, cause);
      const { id, now: at, caller, cost = 0 } = requested;
      if (caller) note(caller, { id, at, operation, status, cost, milliseconds });
      if (logsAll)
        log.debug(
          { requestId: requested.id, operation, protocol, status, milliseconds: Math.round(milliseconds * 10) / 10 },
          "request",
        );
    },
    failure(requested, route, error) {
      const reported = toFailure(error, requested.now);
      const failure = { ...reported, headers: [...reported.headers, ...helpLink(error)] };
      requested.cause = causeOf(error);
      if (failure.fault) failed(requested.id, route?.name, error);
      if (route?.failureBody) return { ...failure, body: route.failureBody(error, failure.body) };
      const { error: text, ...rest } = failure.body;
      // On a public operation, a parameter may need a key. Its error has the same schema as that of an operation that
      // needs a key.
      const isOfKey = failure.status === 401 || "plan" in rest;
      return route?.anonymous && !isOfKey && text !== undefined
        ? { ...failure, body: { message: text, ...rest } }
        : failure;
    },
  };
}

/** Returns whether the caller or the service caused a failure, by its status; undefined for a success. */
function causeOfStatus(status: number): FailureCause | undefined {
  if (status < 400) return undefined;
  return status < 500 ? "caller" : "service";
}
