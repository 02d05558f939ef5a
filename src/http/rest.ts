import { create, type Message } from "@bufbuild/protobuf";
import { LRUCache } from "lru-cache";
import type { Principal } from "../access/api-key.ts";
import type { Caller } from "../access/caller.ts";
import { saysUnavailable } from "../contract/availability.ts";
import type { Operation } from "../contract/catalog.ts";
import { parameterHeaders, usesDeprecated } from "../contract/deprecation.ts";
import type { Implementation } from "../contract/implementation.ts";
import { jsonWriter } from "../contract/json.ts";
import { plainMaker } from "../contract/plain.ts";
import { queryDecoder } from "../contract/query.ts";
import { unknownRefuser } from "../contract/strict.ts";
import type { Project } from "../interceptors/project.ts";
import { validate } from "../interceptors/validate.ts";
import { chooseEncoding } from "./accept-encoding.ts";
import { type Answer, type Answers, compressOnce, deriveAnswer, finishAnswer } from "./answers.ts";
import { cachePolicy, noStore } from "./cache-policy.ts";
import { noneMatch } from "./entity-tag.ts";
import { type Exchange, send } from "./exchange.ts";
import type { Gate, Pass } from "./gate.ts";
import { addLimits } from "./limit-headers.ts";
import { pathReader } from "./path-parameters.ts";
import { postedQuery } from "./post-as-get.ts";
import { RestContext } from "./rest-context.ts";
import { handleStrictly } from "./strict-handling.ts";

/** Serves one read as plain JSON. Throws; the caller translates. */
export type RestRoute = (exchange: Exchange) => number | Promise<number>;

export interface RestParts {
  readonly gate: Gate;
  readonly answers: Answers;
  readonly project: Project;
}

/** A request as decoded and validated, and the name of its answer. */
interface Decoded {
  readonly message: Message;
  readonly key: string;
  /** What is to be made of the answer, and the name of the answer it is made from. */
  readonly projection?: { readonly expression: string; readonly whole: string };
  /** It uses a deprecated parameter. */
  readonly deprecated: boolean;
  /** Only what is asked for again is worth keeping: requests that never repeat would push out all others. */
  repeated: boolean;
}

/** Bounds the memory of remembered request lines: their number, and the characters of all and of each. */
const rememberedRequests = 10_000;
const rememberedCharacters = 512 * rememberedRequests;
/** Room for the longest expression with every byte percent-encoded. */
const longestRemembered = 4096;
/** Bodies from here on are worth a cheap compression even for a single request. */
const worthCompressing = 16_384;

const vary = ["Vary", "X-Service-Key, X-Api-Key, Origin, Accept-Encoding"];

export function restRoute(operation: Operation, implementation: Implementation, parts: RestParts): RestRoute {
  const { method, inPath } = operation;
  const decode = requestDecoder(operation);
  const readPath = pathReader(operation.path);
  const run = runner(operation, implementation, parts.project);
  const refuseUnknown = unknownRefuser(method.input.fields, ["jmespath"]);
  const requests = new LRUCache<string, Decoded>({
    max: rememberedRequests,
    maxSize: rememberedCharacters,
    sizeCalculation: (_, query) => query.length + 1,
  });
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

  const work = async (exchange: Exchange, request: Decoded, principal: Principal | undefined) => {
    const epoch = parts.answers.epoch();
    const caller = () => callerOf(exchange, principal);
    const { answer, lasting } = await run(request, new RestContext(method, exchange, caller));
    if (keeps && lasting && request.repeated) parts.answers.put(request.key, answer, epoch);
    return writeFresh(exchange, answer);
  };

  /** Makes a projection from the whole answer where that one is kept. */
  const projected = ({ key, projection, repeated }: Decoded, now: number): Answer | undefined => {
    const whole = projection && parts.answers.get(projection.whole, now);
    if (!whole) return undefined;
    const answer = deriveAnswer(whole, (plain) => parts.project(projection.expression, plain));
    if (repeated) parts.answers.put(key, answer, parts.answers.epoch(), projection.whole);
    return answer;
  };

  const respond = (exchange: Exchange, principal: Principal | undefined, given: string) => {
    // Of a repeated parameter the first wins: the path's own.
    const query = inPath.length === 0 ? given : `${new URLSearchParams(readPath(exchange.path))}&${given}`;
    handleStrictly(exchange, refuseUnknown, () => new URLSearchParams(query).keys());
    const request = decoded(query);
    if (request.deprecated) exchange.headers.push(...parameterHeaders);
    const prepared = keeps ? parts.answers.get(request.key, exchange.now) : undefined;
    if (prepared) return writeAnswer(exchange, prepared);
    const answer = keeps && request.projection ? projected(request, exchange.now) : undefined;
    return answer ? writeFresh(exchange, answer) : work(exchange, request, principal);
  };

  const enter = (exchange: Exchange, { principal, allowance }: Pass) => {
    if (allowance && principal) addLimits(exchange.headers, allowance, exchange.now);
    return exchange.request.method === "POST"
      ? postedQuery(exchange).then((query) => respond(exchange, principal, query))
      : respond(exchange, principal, exchange.query);
  };

  return (exchange) => {
    const pass = parts.gate.admit(operation, exchange);
    return pass instanceof Promise ? pass.then((granted) => enter(exchange, granted)) : enter(exchange, pass);
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
  const isDeprecated = usesDeprecated(method.input);
  return (query) => {
    const parameters = new URLSearchParams(query);
    const message = decode(parameters);
    validate(operation, message);
    const whole = `${method.name} ${write(message)}`;
    const plain = { message: Object.freeze(message), key: whole, deprecated: isDeprecated(message), repeated: false };
    const expression = operation.read ? parameters.get("jmespath") : null;
    return expression ? { ...plain, key: `${whole} ${expression}`, projection: { expression, whole } } : plain;
  };
}

function runner(operation: Operation, implementation: Implementation, project: Project) {
  const { output } = operation.method;
  const write = jsonWriter(output);
  const plain = plainMaker(output);
  const isUnavailable = saysUnavailable(output);
  const policy = cachePolicy(operation);
  return async ({ message, projection }: Decoded, context: RestContext) => {
    const result = create(output, await implementation(message, context));
    const own = context.ownHeaders();
    const lasting = !isUnavailable(result) && !own.includes("Cache-Control");
    const cache = own.includes("Cache-Control") ? [] : lasting ? policy : noStore;
    const text = projection ? project(projection.expression, plain(result)) : write(result);
    return { answer: finishAnswer(operation.successStatus, text, [...cache, ...vary, ...own]), lasting };
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
