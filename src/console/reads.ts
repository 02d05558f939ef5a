import { LRUCache } from "lru-cache";
import { ScopeMissing } from "../access/keys/scope-missing.ts";
import { within } from "../access/quotas/deadline.ts";
import type { Operation } from "../contract/catalog.ts";
import { type Part, partOf } from "../http/batch/part.ts";
import { toFailure } from "../http/errors.ts";
import { type Exchange, headerOf, splitTarget } from "../http/exchange.ts";
import { readResponse } from "../http/rest/prepared-response.ts";
import type { ReadOperation } from "../http/rest/read-operation.ts";
import { restRoute } from "../http/rest/rest.ts";
import { addressOf } from "./address.ts";
import { type PageAccess, withOwnAccess } from "./page-access.ts";
import { createPageGate, pageReadLimits } from "./page-queue.ts";
import type { Parameters, Read, ReadResponse } from "./read-response.ts";
import { rejectionIn } from "./rejection.ts";
import type { Viewer } from "./viewer.ts";

export interface Readable {
  readonly operation: Operation;
  readonly readOperation: ReadOperation;
}

export interface ReadsParts {
  readonly reads: readonly Readable[];
  readonly access: PageAccess;
  readonly withheldSources: (operation: Operation) => readonly string[];
  readonly epoch: () => number;
  readonly failed: (exchange: Exchange, operation: string, error: unknown) => void;
  /** Before each read: programs go first. */
  readonly pause: () => Promise<void>;
}

interface StoredResponse {
  readonly response: Promise<ReadResponse>;
  readonly epoch: number;
  readonly until: number;
}

/** Answers that several pages read, such as the list of datasets. */
const maxStored = 200;
const storedMs = 10_000;

/** A page does not wait longer for one of its parts. */
const timeoutMs = 8_000;

export function createReads({ reads, access, withheldSources, epoch, failed, pause }: ReadsParts) {
  const routes = new Map(
    reads.map(({ operation, readOperation }) => [operation, restRoute(operation, readOperation, access)] as const),
  );
  const { inTurn } = createPageGate(pageReadLimits);
  const stored = new LRUCache<string, StoredResponse>({ max: maxStored });
  /** All public viewers get the same response, for as long as a page is cached. */
  const readFor =
    (exchange: Exchange, viewer: Viewer): Read =>
    (operation, parameters = {}) => {
      const target = targetOf(operation, parameters);
      const withheld = withheldSources(operation);
      if (viewer.isSignedIn)
        return readAgain(exchange, withheld.length > 0 ? withOwnAccess(viewer) : viewer, operation, target);
      if (withheld.length > 0)
        return Promise.resolve({
          ...{ kind: "refused", operation, target, status: 451 },
          ...{ message: withheldText(withheld), problems: new Map() },
        });
      const key = `${viewer.principal?.plan.key ?? ""} ${target}`;
      const found = stored.get(key);
      if (found && found.epoch === epoch() && exchange.now < found.until) return found.response;
      const response = readAgain(exchange, viewer, operation, target);
      stored.set(key, { response, epoch: epoch(), until: exchange.now + storedMs });
      void response.then(({ kind }) => kind === "refused" && stored.delete(key));
      return response;
    };
  const readAgain = async (
    exchange: Exchange,
    viewer: Viewer,
    operation: Operation,
    target: string,
  ): Promise<ReadResponse> => {
    const { principal } = viewer;
    const requested: Part = {
      ...partOf(exchange, target, AbortSignal.timeout(timeoutMs)),
      // Others wait for the same page, or will ask for it.
      isGone: () => false,
      head: {},
      ...(principal && { known: principal }),
    };
    try {
      const route = routes.get(operation);
      if (!route) throw new TypeError(`${operation.name} isn't a read`);
      const { query } = splitTarget(target);
      const response = await within(
        timeoutMs,
        inTurn(async () => {
          await pause();
          return route.respond(requested, query, target);
        }),
      );
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

export function withheldText(sources: readonly string[]): string {
  return `The terms of ${sources.join(", ")} do not permit public display.`;
}

/** The address of a read; an empty parameter is left out. */
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
