import type { Principal } from "../../access/keys/api-key.ts";
import { addLimits } from "../../allowance.ts";
import type { Operation } from "../../contract/catalog.ts";
import { citeParameter } from "../../contract/citation.ts";
import { parameterHeaders } from "../../contract/deprecation.ts";
import { isFeed } from "../../contract/file-format.ts";
import { warningHeader } from "../../contract/request/parameter-warnings.ts";
import { contradictionRejecter, unknownRejecter } from "../../contract/request/strict.ts";
import { InvalidRequest, RequestAborted } from "../../errors.ts";
import type { AccessControl, AuthContext } from "../access-control.ts";
import type { Exchange } from "../exchange.ts";
import { originOf } from "../origin.ts";
import { handleStrictly, type ReadRequest } from "../read-request.ts";
import { citationFormIn, sendCitation } from "./cite.ts";
import { acceptReader } from "./formats/file-request.ts";
import { pathReader } from "./path-parameters.ts";
import { postedQuery } from "./post-as-get.ts";
import { type PreparedResponse, sendPrepared } from "./prepared-response.ts";
import type { ReadOperation } from "./read-operation.ts";
import { type Decoded, otherParameters } from "./request-decoder.ts";

/** Serves an operation as plain JSON. Throws errors, which the server converts to responses. */
export type RestRoute = (exchange: Exchange) => number | Promise<number>;

/** Reads a response. `line` is the cache key of the request. Throws errors, which the server converts. */
export type ResponseRead = (requested: ReadRequest, query: string, line?: string) => MaybeLater<PreparedResponse>;

type MaybeLater<T> = T | Promise<T>;

const notInBatch = { field: "format", description: "value must be json in a batch" };
const noCiteInBatch = { field: citeParameter, description: "value must be absent in a batch" };

export function restRoute(
  operation: Operation,
  readOperation: ReadOperation,
  accessControl: AccessControl,
): { readonly serve: RestRoute; readonly respond: ResponseRead } {
  const { method, inPath } = operation;
  const readPath = pathReader(operation.path);
  const deprecated = parameterHeaders(operation.path);
  const adjacent = otherParameters(operation);
  const rejectUnknown = unknownRejecter(method.input.fields, adjacent);
  const rejectContradictions = contradictionRejecter(method.input.fields, adjacent);
  const acceptedIn = acceptReader(operation);

  const decode = (requested: ReadRequest, payer: Principal | undefined, given: string, line?: string): Decoded => {
    // The client may have disconnected during the lookup of its key or the reading of its body.
    if (requested.isGone()) throw new RequestAborted("The caller has gone");
    // Values of the path precede the query, because the first of repeated parameters counts.
    const query = inPath.length === 0 ? given : `${new URLSearchParams(readPath(requested.path))}&${given}`;
    handleStrictly(requested, () => {
      const parameters = new URLSearchParams(given);
      rejectUnknown(parameters.keys());
      rejectContradictions(parameters);
    });
    const mayRead = () => readOperation.requireRoom(requested, payer);
    const request = readOperation.decode(query, line, acceptedIn(requested.head.accept), mayRead);
    if (request.deprecated) requested.headers.push(...deprecated);
    if (request.ignored !== undefined) requested.headers.push("X-Ignored-Parameters", request.ignored);
    if (request.warnings.length > 0) {
      const rejected = request.warnings.filter(({ isIgnored }) => !isIgnored);
      if (rejected.length > 0)
        handleStrictly(requested, () => {
          throw new InvalidRequest(rejected);
        });
      requested.headers.push(...warningHeader(request.warnings));
    }
    return request;
  };

  const sendResponse = (exchange: Exchange, principal: Principal | undefined, given: string, line?: string) => {
    const form = citationFormIn(given);
    if (form)
      return sendCitation(
        exchange,
        principal,
        { query: given, form },
        {
          ...{ operation, ...readOperation.citing },
          respond: (query) =>
            readOperation.respond(exchange, withAddress(decode(exchange, principal, query), exchange), principal),
        },
      );
    const request = withAddress(decode(exchange, principal, given, line), exchange);
    const file = request.derived && "file" in request.derived ? request.derived.file : undefined;
    if (file?.all && readOperation.sendAllPages) return readOperation.sendAllPages(exchange, request, file, principal);
    return finish(exchange, readOperation.respond(exchange, request, principal));
  };

  const admitted = <T>(
    requested: ReadRequest,
    next: (payer: Principal | undefined) => MaybeLater<T>,
  ): MaybeLater<T> => {
    const enter = ({ principal, allowance, payer = principal }: AuthContext) => {
      if (allowance && principal) addLimits(requested.headers, allowance, requested.now);
      return next(payer);
    };
    const pass = accessControl.admit(operation, requested);
    return pass instanceof Promise ? pass.then(enter) : enter(pass);
  };

  const finish = (exchange: Exchange, response: MaybeLater<PreparedResponse>) =>
    response instanceof Promise
      ? response.then((made) => sendPrepared(exchange, made))
      : sendPrepared(exchange, response);

  return {
    serve: (exchange) =>
      admitted(exchange, (payer) =>
        exchange.request.method === "POST"
          ? postedQuery(exchange).then((query) => sendResponse(exchange, payer, query))
          : sendResponse(exchange, payer, exchange.query, exchange.request.url),
      ),
    async respond(requested, query, line) {
      const response = await admitted(requested, (payer) => {
        if (citationFormIn(query)) throw new InvalidRequest([noCiteInBatch]);
        const request = decode(requested, payer, query, line);
        if (request.derived && "file" in request.derived) throw new InvalidRequest([notInBatch]);
        return readOperation.respond(requested, request, payer);
      });
      return response;
    },
  };
}

/** A feed has absolute URLs, so the response depends on the origin that the client uses. */
function withAddress(request: Decoded, exchange: Exchange): Decoded {
  const { derived, key, timeless } = request;
  if (!derived || !("file" in derived) || !isFeed(derived.file.format)) return request;
  const feed = { origin: originOf(exchange), isOwn: exchange.requested === undefined };
  const suffix = ` ${feed.origin} ${feed.isOwn}`;
  const file = { ...derived.file, feed };
  return { ...request, key: key + suffix, timeless: timeless + suffix, derived: { ...derived, file } };
}
