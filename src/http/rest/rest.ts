import type { Principal } from "../../access/keys/api-key.ts";
import type { Operation } from "../../contract/catalog.ts";
import { parameterHeaders } from "../../contract/deprecation.ts";
import { unknownRefuser } from "../../contract/strict.ts";
import { RequestAborted } from "../../errors.ts";
import type { AccessControl, AuthContext } from "../access-control.ts";
import type { Exchange } from "../exchange.ts";
import { addLimits } from "../limit-headers.ts";
import { acceptReader } from "./formats/file-request.ts";
import { pathReader } from "./path-parameters.ts";
import { postedQuery } from "./post-as-get.ts";
import { sendPrepared } from "./prepared-response.ts";
import type { ReadOperation } from "./read-operation.ts";
import { parametersBeside } from "./request-decoder.ts";
import { handleStrictly } from "./strict-handling.ts";

/** Serves one read as plain JSON. Throws; the caller translates. */
export type RestRoute = (exchange: Exchange) => number | Promise<number>;

export function restRoute(operation: Operation, readOperation: ReadOperation, accessControl: AccessControl): RestRoute {
  const { method, inPath } = operation;
  const readPath = pathReader(operation.path);
  const deprecated = parameterHeaders(operation.path);
  const refuseUnknown = unknownRefuser(method.input.fields, parametersBeside(operation));
  const acceptedIn = acceptReader(operation);

  const respond = (exchange: Exchange, principal: Principal | undefined, given: string, line?: string) => {
    // Who went away while its key was looked up or its body was read.
    if (exchange.isGone()) throw new RequestAborted("The caller has gone");
    // Of a repeated parameter the first wins: the path's own.
    const query = inPath.length === 0 ? given : `${new URLSearchParams(readPath(exchange.path))}&${given}`;
    handleStrictly(exchange, refuseUnknown, () => new URLSearchParams(query).keys());
    const request = readOperation.decode(query, line, acceptedIn(exchange.head.accept));
    if (request.deprecated) exchange.headers.push(...deprecated);
    if (request.ignored !== undefined) exchange.headers.push("X-Ignored-Parameters", request.ignored);
    const answer = readOperation.answer(exchange, request, principal);
    return answer instanceof Promise
      ? answer.then((made) => sendPrepared(exchange, made))
      : sendPrepared(exchange, answer);
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
