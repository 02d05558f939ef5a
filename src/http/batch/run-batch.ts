import type { BatchedRead } from "../../../gen/es/ids/batch/v1/batch_pb.ts";
import { BodyTooLarge, InvalidRequest, Overloaded, RequestAborted, type Violation } from "../../errors.ts";
import { type Exchange, splitTarget } from "../exchange.ts";
import type { Outcomes } from "../outcomes.ts";
import type { ReadRequest } from "../read-request.ts";
import type { Route } from "../router.ts";
import { type Part, partOf } from "./part.ts";
import { type PartResponse, rejected, responded, sizeOf } from "./part-response.ts";

/** Runs the reads of a batch in parallel, each like a separate request. Throws if the batch itself is invalid. */
export type RunBatch = (
  exchange: Exchange,
  reads: readonly Pick<BatchedRead, "id" | "path">[],
) => Promise<readonly PartResponse[]>;

export interface BatchParts {
  readonly find: (path: string) => Route | undefined;
  readonly reject: (requested: ReadRequest) => Promise<never>;
  readonly outcomes: Outcomes;
  readonly limits: BatchLimits;
}

export interface BatchLimits {
  /** Timeout of one read of a batch, so that it does not delay the response to the batch. */
  readonly deadlineMs: number;
  readonly maxBytes: number;
}

/** `proto/ids/batch/v1/batch.proto` documents these limits. */
export const batchLimits: BatchLimits = { deadlineMs: 10_000, maxBytes: 4_000_000 };

interface Ended {
  readonly id: string;
  readonly part: Part;
  readonly route: Route | undefined;
  readonly response: PartResponse;
}

export function createRunBatch(parts: BatchParts): RunBatch {
  const { deadlineMs, maxBytes } = parts.limits;
  return async (exchange, reads) => {
    requireReads(reads, parts.find);
    const late = new AbortController();
    const fail = () => late.abort(new Overloaded("This read took too long for a batch", deadlineMs / 1000));
    // If the event loop was blocked, Node runs expired timers first. `setImmediate` lets finished responses win over
    // the timeout.
    const timer = setTimeout(() => setImmediate(fail), deadlineMs);
    const over = AbortSignal.any([late.signal, exchange.signal()]);
    const given = rejectionOf(over);
    try {
      const ended = await Promise.all(
        reads.map(({ id, path }) => runPart(id, partOf(exchange, path, over), given, parts)),
      );
      if (exchange.isGone()) throw new RequestAborted("The caller has gone");
      return fitted(ended, maxBytes, parts.outcomes);
    } finally {
      clearTimeout(timer);
    }
  };
}

async function runPart(id: string, part: Part, over: Promise<never>, parts: BatchParts): Promise<Ended> {
  const route = parts.find(part.path);
  const { outcomes } = parts;
  const end = (response: PartResponse): Ended => {
    outcomes.finished(part, route?.name ?? "other", "batch", response.status);
    return { id, part, route, response };
  };
  try {
    const response = route?.respond?.(part, part.query, part.target) ?? parts.reject(part);
    return end(responded(id, part, response instanceof Promise ? await Promise.race([response, over]) : response));
  } catch (error) {
    return end(rejected(id, part, outcomes.failure(part, route, error)));
  }
}

function rejectionOf(over: AbortSignal): Promise<never> {
  const rejection = new Promise<never>((_resolve, reject) => {
    over.addEventListener("abort", () => reject(over.reason), { once: true });
  });
  // If no read waits for the timeout any more, Node would report the rejection as unhandled.
  rejection.catch(() => undefined);
  return rejection;
}

/** Throws `InvalidRequest` if a read is invalid for every caller. */
function requireReads(reads: Parameters<RunBatch>[1], find: BatchParts["find"]): void {
  const known = new Set<string>();
  const violations = reads.flatMap(({ id, path }, index): Violation[] => {
    const isTwice = id !== "" && known.has(id);
    known.add(id);
    const route = find(splitTarget(path).path);
    return [
      ...(isTwice ? [{ field: `requests[${index}].id`, description: "value must differ from those before" }] : []),
      ...(route && !route.respond
        ? [{ field: `requests[${index}].path`, description: "value must be the path of a read, and not of a batch" }]
        : []),
    ];
  });
  if (violations.length > 0) throw new InvalidRequest(violations);
}

/** Replaces a response that exceeds the remaining size by an error. A later, smaller response may still fit. */
function fitted(ended: readonly Ended[], maxBytes: number, outcomes: Outcomes): readonly PartResponse[] {
  const responses = ended.map(({ response }) => response);
  // The size of the JSON around the responses, minus one, because the last response has no comma after it.
  const frame = '{"responses":[]}'.length - 1;
  if (frame + bytesOf(responses) <= maxBytes) return responses;
  const error = new BodyTooLarge("The batch has no room for this response: send the request separately", maxBytes);
  const rejections = ended.map(({ id, part, route }) => rejected(id, part, outcomes.failure(part, route, error)));
  let left = maxBytes - frame - bytesOf(rejections);
  return responses.map((response, index) => {
    const rejection = rejections[index] ?? response;
    const more = sizeOf(response) - sizeOf(rejection);
    if (more > left) return rejection;
    left -= more;
    return response;
  });
}

function bytesOf(responses: readonly PartResponse[]): number {
  return responses.reduce((sum, response) => sum + sizeOf(response), 0);
}
