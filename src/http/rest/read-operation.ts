import { create } from "@bufbuild/protobuf";
import type { Principal } from "../../access/keys/api-key.ts";
import { saysUnavailable } from "../../contract/availability.ts";
import type { Operation } from "../../contract/catalog.ts";
import type { Implementation } from "../../contract/implementation.ts";
import { jsonWriter } from "../../contract/json.ts";
import { plainMaker } from "../../contract/plain.ts";
import { standingOf } from "../../contract/standing.ts";
import type { Project } from "../../interceptors/project.ts";
import type { Admission } from "../load/admission.ts";
import { workOf } from "../load/work.ts";
import type { ReadRequest } from "../read-request.ts";
import { cachePolicy, cachePolicyAt, noStore } from "./cache-policy.ts";
import { deriveAnswer, finishAnswer, type PreparedResponse } from "./prepared-response.ts";
import { createRequestDecoder, type Decoded, type RequestCache, type RequestDecoder } from "./request-decoder.ts";
import type { ResponseCache } from "./response-cache.ts";
import { callerOf, RestContext } from "./rest-context.ts";

/** How a read is answered, whatever its question came in. */
export interface ReadOperation {
  readonly decode: RequestDecoder;
  /** Kept from before, or made in its caller's turn: at once where there is room and what it is made from is at hand. */
  readonly answer: (
    asked: ReadRequest,
    request: Decoded,
    principal: Principal | undefined,
  ) => PreparedResponse | Promise<PreparedResponse>;
}

export interface ReadOperationParts {
  readonly admission: Admission;
  readonly requests: RequestCache;
  readonly responseCache: ResponseCache;
  readonly project: Project;
}

const vary = ["Vary", "X-Service-Key, X-Api-Key, Origin, Accept-Encoding"];

export function createReadOperation(
  operation: Operation,
  implementation: Implementation,
  parts: ReadOperationParts,
): ReadOperation {
  const { method } = operation;
  const run = runner(operation, implementation, parts.project);
  const keeps = cachePolicy(operation) !== noStore && !operation.live;

  const work = async (asked: ReadRequest, request: Decoded, principal: Principal | undefined) => {
    const epoch = parts.responseCache.epoch();
    const caller = () => callerOf(asked, principal);
    const { answer, lasting, flagged } = await run(request, new RestContext(method, asked, caller));
    if (flagged) asked.cause = "flagged";
    if (keeps && lasting && request.repeated) parts.responseCache.put(request.key, answer, epoch);
    return answer;
  };

  /** Makes a projection from the whole answer where that one is kept. */
  const projected = ({ key, projection, repeated }: Decoded, now: number): PreparedResponse | undefined => {
    const whole = projection && parts.responseCache.get(projection.whole, now);
    if (!whole) return undefined;
    const answer = deriveAnswer(whole, (plain) => parts.project(projection.expression, plain));
    if (repeated) parts.responseCache.put(key, answer, parts.responseCache.epoch(), projection.whole);
    return answer;
  };

  const fresh = (asked: ReadRequest, request: Decoded, principal: Principal | undefined) =>
    parts.admission.run(workOf(asked, operation.name, principal), () => {
      const derived = keeps && request.projection ? projected(request, asked.now) : undefined;
      return derived ?? work(asked, request, principal);
    });

  return {
    decode: createRequestDecoder(operation, parts.requests),
    answer(asked, request, principal) {
      const kept = keeps ? parts.responseCache.get(request.key, asked.now) : undefined;
      return kept ?? fresh(asked, request, principal);
    },
  };
}

function runner(operation: Operation, implementation: Implementation, project: Project) {
  const { output } = operation.method;
  const write = jsonWriter(output);
  const plain = plainMaker(output);
  const isUnavailable = saysUnavailable(output);
  const policyAt = cachePolicyAt(operation);
  return async ({ message, projection }: Decoded, context: RestContext) => {
    const result = create(output, await implementation(message, context));
    context.requireCaller();
    const own = context.ownHeaders();
    const standing = standingOf(context);
    const isUnconfirmed = isUnavailable(result) || standing?.refusal !== undefined;
    const lasting = !isUnconfirmed && !own.includes("Cache-Control");
    const cache = own.includes("Cache-Control") ? [] : lasting ? policyAt(standing) : noStore;
    const text = projection ? project(projection.expression, plain(result)) : write(result);
    const answer = finishAnswer(operation.successStatus, text, [...cache, ...vary, ...own]);
    return { answer, lasting, flagged: isUnconfirmed };
  };
}
