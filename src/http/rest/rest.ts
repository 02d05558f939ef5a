import type { Principal } from "../../access/keys/api-key.ts";
import type { Operation } from "../../contract/catalog.ts";
import { parameterHeaders } from "../../contract/deprecation.ts";
import { unknownRefuser } from "../../contract/strict.ts";
import { RequestAborted } from "../../errors.ts";
import type { AccessControl, AuthContext } from "../access-control.ts";
import { type Exchange, send } from "../exchange.ts";
import { addLimits } from "../limit-headers.ts";
import { chooseEncoding } from "./accept-encoding.ts";
import { noneMatch } from "./entity-tag.ts";
import { pathReader } from "./path-parameters.ts";
import { postedQuery } from "./post-as-get.ts";
import type { ReadOperation } from "./read-operation.ts";
import { compressOnce, type PreparedResponse } from "./response-cache.ts";
import { handleStrictly } from "./strict-handling.ts";

/** Serves one read as plain JSON. Throws; the caller translates. */
export type RestRoute = (exchange: Exchange) => number | Promise<number>;

/** Bodies from here on are worth a cheap compression even for a single request. */
const worthCompressing = 16_384;

export function restRoute(operation: Operation, readOperation: ReadOperation, accessControl: AccessControl): RestRoute {
  const { method, inPath } = operation;
  const readPath = pathReader(operation.path);
  const deprecated = parameterHeaders(operation.path);
  const refuseUnknown = unknownRefuser(method.input.fields, ["jmespath"]);

  const respond = (exchange: Exchange, principal: Principal | undefined, given: string, line?: string) => {
    // Who went away while its key was looked up or its body was read.
    if (exchange.isGone()) throw new RequestAborted("The caller has gone");
    // Of a repeated parameter the first wins: the path's own.
    const query = inPath.length === 0 ? given : `${new URLSearchParams(readPath(exchange.path))}&${given}`;
    handleStrictly(exchange, refuseUnknown, () => new URLSearchParams(query).keys());
    const request = readOperation.decode(query, line);
    if (request.deprecated) exchange.headers.push(...deprecated);
    if (request.ignored !== undefined) exchange.headers.push("X-Ignored-Parameters", request.ignored);
    const prepared = readOperation.prepared(request, exchange.now);
    if (prepared) return writeAnswer(exchange, prepared);
    const fresh = readOperation.fresh(exchange, request, principal);
    return fresh instanceof Promise
      ? fresh.then((answer) => writeFresh(exchange, answer))
      : writeFresh(exchange, fresh);
  };

  const enter = (exchange: Exchange, { principal, allowance, payer = principal }: AuthContext) => {
    if (allowance && principal) addLimits(exchange.headers, allowance, exchange.now);
    return exchange.request.method === "POST"
      ? postedQuery(exchange).then((query) => respond(exchange, payer, query))
      : respond(exchange, payer, exchange.query, exchange.request.url);
  };

  return (exchange) => {
    const pass = accessControl.admit(operation, exchange);
    return pass instanceof Promise ? pass.then((granted) => enter(exchange, granted)) : enter(exchange, pass);
  };
}

/** Writes a kept answer in the best encoding at hand, or a 304. */
function writeAnswer(exchange: Exchange, answer: PreparedResponse): number | Promise<number> {
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

function writeFresh(exchange: Exchange, answer: PreparedResponse): number | Promise<number> {
  const { acceptEncoding: accepted } = exchange.head;
  const large = answer.identity.length >= worthCompressing && chooseEncoding(accepted, true, false) === "gzip";
  return large ? writeGzip(exchange, answer) : writeAnswer(exchange, answer);
}

async function writeGzip(exchange: Exchange, answer: PreparedResponse): Promise<number> {
  return writeAnswer(exchange, { ...answer, gzip: await compressOnce(answer) });
}
