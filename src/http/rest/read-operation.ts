import { create } from "@bufbuild/protobuf";
import type { Principal } from "../../access/keys/api-key.ts";
import { saysUnavailable } from "../../contract/availability.ts";
import type { Operation } from "../../contract/catalog.ts";
import { usesDeprecated } from "../../contract/deprecation.ts";
import type { Implementation } from "../../contract/implementation.ts";
import { jsonWriter } from "../../contract/json.ts";
import { plainMaker } from "../../contract/plain.ts";
import { queryDecoder } from "../../contract/query.ts";
import { standingOf } from "../../contract/standing.ts";
import { ignoredNames } from "../../contract/strict.ts";
import type { Project } from "../../interceptors/project.ts";
import { validate } from "../../interceptors/validate.ts";
import type { Exchange } from "../exchange.ts";
import type { Admission } from "../load/admission.ts";
import { workOf } from "../load/work.ts";
import { cachePolicy, cachePolicyAt, noStore } from "./cache-policy.ts";
import type { Decoded } from "./decoded.ts";
import type { Requests } from "./request-cache.ts";
import { deriveAnswer, finishAnswer, type PreparedResponse, type ResponseCache } from "./response-cache.ts";
import { callerOf, RestContext } from "./rest-context.ts";

/** How a read is answered, whatever its question came in. */
export interface ReadOperation {
  /** Throws `InvalidRequest`. `line` names the request among all that are remembered; absent, the query does. */
  readonly decode: (query: string, line?: string) => Decoded;
  /** Laid out before. */
  readonly prepared: (request: Decoded, now: number) => PreparedResponse | undefined;
  /** Made for this request in its caller's turn, at once where there is room and what it is made from is at hand. */
  readonly fresh: (
    exchange: Exchange,
    request: Decoded,
    principal: Principal | undefined,
  ) => PreparedResponse | Promise<PreparedResponse>;
}

export interface ReadOperationParts {
  readonly admission: Admission;
  readonly requests: Requests;
  readonly responseCache: ResponseCache;
  readonly project: Project;
}

/** Room for the longest expression with every byte percent-encoded. */
const maxRemembered = 4096;
const vary = ["Vary", "X-Service-Key, X-Api-Key, Origin, Accept-Encoding"];

export function createReadOperation(
  operation: Operation,
  implementation: Implementation,
  parts: ReadOperationParts,
): ReadOperation {
  const { method } = operation;
  const { admission, requests } = parts;
  const decode = requestDecoder(operation);
  const run = runner(operation, implementation, parts.project);
  const keeps = cachePolicy(operation) !== noStore && !operation.live;

  const work = async (exchange: Exchange, request: Decoded, principal: Principal | undefined) => {
    const epoch = parts.responseCache.epoch();
    const caller = () => callerOf(exchange, principal);
    const { answer, lasting } = await run(request, new RestContext(method, exchange, caller));
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

  return {
    decode(query, line = `${method.name}?${query}`) {
      const known = requests.get(line);
      if (known) {
        known.repeated = true;
        return known;
      }
      const made = decode(query);
      if (line.length <= maxRemembered) requests.set(line, made);
      return made;
    },
    prepared: (request, now) => (keeps ? parts.responseCache.get(request.key, now) : undefined),
    fresh: (exchange, request, principal) =>
      admission.run(workOf(exchange, operation.name, principal), () => {
        const derived = keeps && request.projection ? projected(request, exchange.now) : undefined;
        return derived ?? work(exchange, request, principal);
      }),
  };
}

function requestDecoder(operation: Operation): (query: string) => Decoded {
  const { method } = operation;
  const decode = queryDecoder(method.input);
  const write = jsonWriter(method.input);
  const isDeprecated = usesDeprecated(method.input);
  const ignoredIn = ignoredNames(method.input.fields, ["jmespath"]);
  return (query) => {
    const parameters = new URLSearchParams(query);
    const message = decode(parameters);
    validate(operation, message);
    const whole = `${method.name} ${write(message)}`;
    const plain = {
      message: Object.freeze(message),
      key: whole,
      deprecated: isDeprecated(message),
      repeated: false,
      ignored: ignoredIn(parameters.keys()),
    };
    const expression = operation.read ? parameters.get("jmespath") : null;
    return expression ? { ...plain, key: `${whole} ${expression}`, projection: { expression, whole } } : plain;
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
    return { answer: finishAnswer(operation.successStatus, text, [...cache, ...vary, ...own]), lasting };
  };
}
