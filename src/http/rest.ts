import { create, type Message } from "@bufbuild/protobuf";
import { LRUCache } from "lru-cache";
import type { Principal } from "../access/api-key.ts";
import type { Caller } from "../access/caller.ts";
import { saysUnavailable } from "../contract/availability.ts";
import type { Operation } from "../contract/catalog.ts";
import type { Implementation } from "../contract/implementation.ts";
import { jsonWriter } from "../contract/json.ts";
import { queryDecoder } from "../contract/query.ts";
import { refuseProjection } from "../interceptors/project.ts";
import { validate } from "../interceptors/validate.ts";
import { chooseEncoding } from "./accept-encoding.ts";
import { type Answer, type Answers, compressOnce, finishAnswer } from "./answers.ts";
import { cachePolicy, noStore } from "./cache-policy.ts";
import { noneMatch } from "./entity-tag.ts";
import { type Exchange, send } from "./exchange.ts";
import type { Gate, Pass } from "./gate.ts";
import { addLimits } from "./limit-headers.ts";
import { RestContext } from "./rest-context.ts";

/** Serves one read as plain JSON. Throws; the caller translates. */
export type RestRoute = (exchange: Exchange) => number | Promise<number>;

export interface RestParts {
  readonly gate: Gate;
  readonly answers: Answers;
}

/** A request as decoded and validated, and the name of its answer. */
interface Decoded {
  readonly message: Message;
  readonly key: string;
  /** Only what is asked for again is worth keeping: requests that never repeat would push out all others. */
  repeated: boolean;
}

/** Bounds the memory of remembered request lines, and their length. */
const rememberedRequests = 10_000;
const longestRemembered = 512;
/** Bodies from here on are worth a cheap compression even for a single request. */
const worthCompressing = 16_384;

const vary = ["Vary", "X-Service-Key, X-Api-Key, Origin, Accept-Encoding"];

export function restRoute(operation: Operation, implementation: Implementation, parts: RestParts): RestRoute {
  const { method } = operation;
  const decode = requestDecoder(operation);
  const run = runner(operation, implementation);
  const requests = new LRUCache<string, Decoded>({ max: rememberedRequests });
  const keeps = cachePolicy(operation) !== noStore && !operation.live;

  const decoded = (query: string): Decoded => {
    const known = requests.get(query);
    if (known) {
      known.repeated = true;
      return known;
    }
    const fresh = decode(query);
    if (query.length <= longestRemembered) requests.set(query, fresh);
    return fresh;
  };

  const work = async (exchange: Exchange, { message, key, repeated }: Decoded, principal: Principal | undefined) => {
    const epoch = parts.answers.epoch();
    const caller = () => callerOf(exchange, principal);
    const { answer, lasting } = await run(message, new RestContext(method, exchange, caller));
    if (keeps && lasting && repeated) parts.answers.put(key, answer, epoch);
    return writeFresh(exchange, answer);
  };

  const respond = (exchange: Exchange, { principal, allowance }: Pass) => {
    if (allowance && principal) addLimits(exchange.headers, allowance, exchange.now);
    const request = decoded(exchange.query);
    const prepared = keeps ? parts.answers.get(request.key, exchange.now) : undefined;
    return prepared ? writeAnswer(exchange, prepared) : work(exchange, request, principal);
  };

  return (exchange) => {
    const pass = parts.gate.admit(operation, exchange);
    return pass instanceof Promise ? pass.then((granted) => respond(exchange, granted)) : respond(exchange, pass);
  };
}

/** Writes a kept answer in the best encoding at hand, or a 304. */
function writeAnswer(exchange: Exchange, answer: Answer): number | Promise<number> {
  const { acceptEncoding: accepted, ifNoneMatch: condition } = exchange.head;
  const encoding = chooseEncoding(accepted, answer.gzip !== undefined, answer.br !== undefined);
  if (encoding === undefined && !answer.gzip && chooseEncoding(accepted, true, false))
    return writeGzip(exchange, answer);
  // Who takes nothing at all gets the plain bytes: they can be read, a refusal could not be either.
  const variant = answer[encoding ?? "identity"] ?? answer.identity;
  if (condition !== undefined && (condition === variant.tag || !noneMatch(condition, answer.hash))) {
    send(exchange, 304, variant.notModified.concat(exchange.headers));
    return 304;
  }
  send(exchange, answer.status, variant.headers.concat(exchange.headers), variant.body);
  return answer.status;
}

function writeFresh(exchange: Exchange, answer: Answer): number | Promise<number> {
  const { acceptEncoding: accepted } = exchange.head;
  const large = answer.identity.length >= worthCompressing && chooseEncoding(accepted, true, false) === "gzip";
  return large ? writeGzip(exchange, answer) : writeAnswer(exchange, answer);
}

async function writeGzip(exchange: Exchange, answer: Answer): Promise<number> {
  return writeAnswer(exchange, { ...answer, gzip: await compressOnce(answer) });
}

function requestDecoder(operation: Operation): (query: string) => Decoded {
  const { method } = operation;
  const decode = queryDecoder(method.input);
  const write = jsonWriter(method.input);
  return (query) => {
    const parameters = new URLSearchParams(query);
    const message = decode(parameters);
    validate(operation, message);
    refuseProjection(parameters, method.output);
    return { message: Object.freeze(message), key: `${method.name} ${write(message)}`, repeated: false };
  };
}

function runner(operation: Operation, implementation: Implementation) {
  const { output } = operation.method;
  const write = jsonWriter(output);
  const isUnavailable = saysUnavailable(output);
  const policy = cachePolicy(operation);
  return async (message: Message, context: RestContext) => {
    const result = create(output, await implementation(message, context));
    const own = context.ownHeaders();
    const lasting = !isUnavailable(result) && !own.includes("Cache-Control");
    const cache = own.includes("Cache-Control") ? [] : lasting ? policy : noStore;
    return { answer: finishAnswer(operation.successStatus, write(result), [...cache, ...vary, ...own]), lasting };
  };
}

/** What a handler may know of who calls. */
export function callerOf(exchange: Exchange, principal: Principal | undefined): Caller {
  const edge = exchange.edge();
  return {
    address: exchange.address(),
    ...(edge ? { edge } : {}),
    ...(principal ? { principal } : {}),
  };
}
