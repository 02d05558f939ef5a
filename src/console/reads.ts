import { LRUCache } from "lru-cache";
import { ScopeMissing } from "../access/keys/keys.ts";
import type { Operation } from "../contract/catalog.ts";
import type { AccessControl } from "../http/access-control.ts";
import { type Part, partOf } from "../http/batch/part.ts";
import { toFailure } from "../http/errors.ts";
import { type Exchange, headerOf, splitTarget } from "../http/exchange.ts";
import { readResponse } from "../http/rest/prepared-response.ts";
import type { Readable } from "../http/rest/read-operation.ts";
import { restRoute } from "../http/rest/rest.ts";
import { within } from "../reference/deadline.ts";
import { addressOf } from "./address.ts";
import { withOwnAccess } from "./page-access.ts";
import type { Parameters, Read, ReadResponse } from "./read-response.ts";
import { rejectionIn } from "./rejection.ts";
import type { Viewer } from "./viewer.ts";

export interface ReadsParts {
  readonly reads: readonly Readable[];
  readonly access: AccessControl;
  /** Returns the sources that withhold an operation's data from the public. */
  readonly withheldSources: (operation: Operation) => readonly string[];
  /** Number that changes whenever data changes. */
  readonly epoch: () => number;
  readonly clock: () => Date;
  /** Logs a failure that the service caused. */
  readonly failed: (exchange: Exchange, operation: string, error: unknown) => void;
}

/** Maximum number of cached responses that several pages share, such as the list of datasets. */
const maxStored = 200;
const storedMs = 10_000;

/** Maximum time of a read in milliseconds. After it, the page is sent without its data. */
const timeoutMs = 8_000;

/** Creates the reads of pages: the handlers and responses of the API, with the access of the viewer. */
export function createReads({ reads, access, withheldSources, epoch, clock, failed }: ReadsParts) {
  const routes = new Map(
    reads.map(({ operation, readOperation }) => [operation, restRoute(operation, readOperation, access)] as const),
  );
  const stored = new LRUCache<string, ReadResponse, () => Promise<ReadResponse>>({
    ...{ max: maxStored, ttl: storedMs, ttlResolution: 0, ignoreFetchAbort: true },
    perf: { now: () => clock().getTime() },
    fetchMethod: (_key, _stale, { context: read }) => read(),
  });
  /** The public's responses are cached as long as pages, because all public viewers get the same. */
  const readFor =
    (exchange: Exchange, viewer: Viewer, gone?: AbortSignal): Read =>
    (operation, parameters = {}) => {
      const target = targetOf(operation, parameters);
      const withheld = withheldSources(operation);
      if (viewer.isSignedIn)
        return readAgain(exchange, withheld.length > 0 ? withOwnAccess(viewer) : viewer, operation, target, gone);
      if (withheld.length > 0)
        return Promise.resolve({
          ...{ kind: "refused", operation, target, status: 451 },
          ...{ message: withheldText(withheld), problems: new Map() },
        });
      return readOnce(exchange, viewer, operation, target);
    };
  const readOnce = async (exchange: Exchange, viewer: Viewer, operation: Operation, target: string) => {
    const key = `${epoch()} ${viewer.principal?.plan.key ?? ""} ${target}`;
    const response = await stored.forceFetch(key, { context: () => readAgain(exchange, viewer, operation, target) });
    if (response.kind === "refused") stored.delete(key);
    return response;
  };
  const readAgain = async (
    exchange: Exchange,
    viewer: Viewer,
    operation: Operation,
    target: string,
    gone?: AbortSignal,
  ): Promise<ReadResponse> => {
    const { principal } = viewer;
    const over = AbortSignal.timeout(timeoutMs);
    const requested: Part = {
      ...partOf(exchange, target, gone ? AbortSignal.any([over, gone]) : over),
      // If the client disconnects, only reads of private pages end, because other pages are shared by clients.
      isGone: () => gone?.aborted === true,
      head: {},
      ...(principal && { known: principal }),
    };
    try {
      const route = routes.get(operation);
      if (!route) throw new TypeError(`${operation.name} isn't a read`);
      const { query } = splitTarget(target);
      const response = await within(timeoutMs, Promise.resolve(route.respond(requested, query, target)));
      const { headers } = response.identity;
      return {
        kind: "answered",
        operation,
        target,
        body: readResponse(response),
        isSample: headerOf(headers, "X-Data-Origin") === "sample",
        isStale: headerOf(headers, "X-Data-Stale") === "true",
        isFlagged: requested.cause === "flagged",
        readAt: response.readAt?.getTime(),
        warning: headerOf(requested.headers, "X-Parameter-Warnings"),
        sources: headerOf(headers, "X-Data-Sources")?.split(", "),
      };
    } catch (error) {
      const { status, body, fault } = toFailure(error, exchange.now);
      if (fault) failed(exchange, operation.name, error);
      const { text: message, problems } = rejectionIn(body);
      const missing = error instanceof ScopeMissing && { missingScopes: error.scopes };
      return { kind: "refused", operation, target, status, message, problems, ...missing };
    }
  };
  return { readFor, serveOf: (operation: Operation) => routes.get(operation)?.serve };
}

/** Says that the terms of these sources do not permit public display. */
export function withheldText(sources: readonly string[]): string {
  return `The terms of ${sources.join(", ")} do not permit public display.`;
}

/** Returns the path and query of a read. Empty parameters are left out. */
function targetOf({ path }: Operation, parameters: Parameters): string {
  const pairs =
    parameters instanceof URLSearchParams
      ? [...parameters]
      : Object.entries(parameters).flatMap(([name, value]) =>
          [value].flat().map((each): [string, string] => [name, String(each ?? "")]),
        );
  const query = new URLSearchParams(pairs.filter(([, value]) => value !== ""));
  return addressOf(path, query);
}
