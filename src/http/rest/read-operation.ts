import { create, type Message } from "@bufbuild/protobuf";
import { LRUCache } from "lru-cache";
import type { Principal } from "../../access/keys/api-key.ts";
import { type AsOf, asOfHeader, rejectPast, storedTime } from "../../contract/as-of.ts";
import { saysUnavailable } from "../../contract/availability.ts";
import type { Operation } from "../../contract/catalog.ts";
import type { SourceTerms } from "../../contract/citation.ts";
import { offeredFormats } from "../../contract/file-format.ts";
import type { Implementation } from "../../contract/implementation.ts";
import { jsonWriter } from "../../contract/json.ts";
import { nextCursorHeader, nextCursorReader } from "../../contract/paging.ts";
import { plainMaker } from "../../contract/plain.ts";
import type { JsonObject } from "../../contract/request/body.ts";
import {
  asOfKey,
  dataStatusKey,
  generationsKey,
  isTransientKey,
  updatedAfterKey,
} from "../../contract/request-context.ts";
import { tablesOf } from "../../contract/tables.ts";
import { RequestAborted } from "../../errors.ts";
import type { Project } from "../../interceptors/project.ts";
import { withoutHeader } from "../exchange.ts";
import type { RequestQueue } from "../load/request-queue.ts";
import type { ReadRequest } from "../read-request.ts";
import { cachePolicy, cachePolicyAt, noStore } from "./cache-policy.ts";
import type { CitedHistory, CiteParts } from "./cite.ts";
import { dataLinks, datasetPages } from "./data-links.ts";
import { allPagesSender, type SendAllPages } from "./formats/all-pages.ts";
import type { ExportSpool } from "./formats/export-spool.ts";
import { type FilePlanner, filePlanner, fileWriter } from "./formats/file-response.ts";
import { type RowPlanner, rowPlanner } from "./formats/row-plan.ts";
import type { WalkAllowance } from "./formats/walk-allowance.ts";
import type { Withheld } from "./formats/withheld-rows.ts";
import {
  type Basis,
  basisOf,
  type Form,
  finishForm,
  finishResponse,
  type PreparedResponse,
} from "./prepared-response.ts";
import {
  createRequestDecoder,
  type Decoded,
  type Derived,
  type RequestCache,
  type RequestDecoder,
} from "./request-decoder.ts";
import type { ResponseCache } from "./response-cache.ts";
import { callerOf, RestContext } from "./rest-context.ts";
import { surrogateKeys } from "./surrogate-key.ts";

export interface ReadOperation {
  readonly decode: RequestDecoder;
  readonly planRows: RowPlanner;
  /** Throws `Overloaded` if the caller's queue is full. Called for requests that cannot have a cached response. */
  readonly requireRoom: (requested: ReadRequest, principal: Principal | undefined) => void;
  /** The result is synchronous if the queue has room and the data is in memory. */
  readonly respond: (
    requested: ReadRequest,
    request: Decoded,
    principal: Principal | undefined,
  ) => PreparedResponse | Promise<PreparedResponse>;
  /** Writes all pages to one file; undefined for a read without pages. */
  readonly sendAllPages: SendAllPages | undefined;
  readonly citing: Pick<CiteParts, "history" | "licenses">;
}

/** A read of the contract, and how it is served. */
export interface Readable {
  readonly operation: Operation;
  readonly readOperation: ReadOperation;
}

export interface ReadOperationParts {
  readonly queue: RequestQueue;
  readonly requests: RequestCache;
  readonly responseCache: ResponseCache;
  readonly project: Project;
  readonly licenses: (operation: Operation, named?: readonly string[]) => readonly SourceTerms[];
  readonly datasets: (operation: Operation) => readonly string[];
  /** Returns which sources and IDs must be left out of the file for a request. */
  readonly withheld: (operation: Operation) => (request: JsonObject) => Withheld;
  readonly allowance: WalkAllowance;
  readonly spool: ExportSpool;
  /** Whether CORS allows only some origins. Responses then differ by origin and say so in `Vary`. */
  readonly variesByOrigin: boolean;
  /**
   * Returns the versions of the data at a past time, as a part of the response's cache key; undefined if the read does
   * not support past times. Throws `NotEntitled` if the caller's plan does not go back that far.
   */
  readonly pastKey: (operation: Operation, at: number, principal: Principal | undefined) => Promise<string | undefined>;
  readonly history: CitedHistory;
  readonly storedGenerations: (datasets: readonly string[]) => Promise<ReadonlyMap<string, number>>;
}

export function createReadOperation(
  operation: Operation,
  implementation: Implementation,
  parts: ReadOperationParts,
): ReadOperation {
  const { method } = operation;
  const datasets = parts.datasets(operation);
  const licenses = (named?: readonly string[]) => parts.licenses(operation, named);
  const planRows = rowPlanner(operation, termsIn(licenses), parts.withheld(operation), datasetPages(datasets)[0]);
  const plan = filePlanner(planRows);
  const derive = deriver(operation, plan, parts);
  const links = [
    ...(licenses().length > 0 ? dataLinks(operation, datasets) : []),
    ...surrogateKeys(operation, datasets),
  ];
  const varies = variesOf(operation, parts.variesByOrigin);
  const run = runner(operation, implementation, { derive, links, varies });
  const retains = cachePolicy(operation) !== noStore && !operation.live;

  const cacheKey = cacheKeyOf(retains);

  const work = async (requested: ReadRequest, request: Decoded, principal: Principal | undefined) => {
    const epoch = parts.responseCache.epoch();
    const caller = () => callerOf(requested, principal);
    const context = new RestContext(method, requested, caller);
    context.values.set(asOfKey, request.asOf).set(updatedAfterKey, request.updatedAfter);
    const { response, lasting, flagged } = await run(request, context);
    if (flagged) requested.cause = "flagged";
    const key = cacheKey(requested, request, principal);
    if (key !== undefined && (!retains || (lasting && request.repeated))) parts.responseCache.put(key, response, epoch);
    return response;
  };

  const derivedFromStored = ({ key, derived, repeated, message }: Decoded, now: number) => {
    const whole = derived && parts.responseCache.get(derived.whole, now);
    if (!whole) return undefined;
    const epoch = parts.responseCache.epoch();
    const response = derive(message, derived, basisOf(whole));
    const retain = (made: PreparedResponse) => {
      if (repeated) parts.responseCache.put(key, made, epoch, derived.whole);
      return made;
    };
    return response instanceof Promise ? response.then(retain) : retain(response);
  };

  /**
   * Returns a response for a past time. Requests for different times share a cached response if the data has the same
   * versions; the requested time is added afterwards.
   */
  const respondPast = async (
    requested: ReadRequest,
    request: Decoded & { readonly asOf: AsOf },
    principal: Principal | undefined,
  ): Promise<PreparedResponse> => {
    const at = storedTime(request.asOf, requested.now);
    const versions = await parts.pastKey(operation, at, principal);
    const key = versions === undefined ? undefined : `${request.timeless} @${versions}`;
    const stored = key && parts.responseCache.get(key, requested.now);
    const epoch = parts.responseCache.epoch();
    const create = () => parts.queue.run(requested, principal, operation, () => work(requested, request, principal));
    const response = stored || (await (key ? once(`${epoch} ${key}`, create) : create()));
    if (key && !stored) parts.responseCache.put(key, response, epoch);
    requested.headers.push(asOfHeader, new Date(at).toISOString());
    return response;
  };

  const storedOf = (requested: ReadRequest, request: Decoded, principal: Principal | undefined) => {
    const key = cacheKey(requested, request, principal);
    return key === undefined ? undefined : parts.responseCache.get(key, requested.now);
  };
  const once = onceForAll();
  const fresh = (requested: ReadRequest, request: Decoded, principal: Principal | undefined) =>
    parts.queue.run(requested, principal, operation, () => {
      // Another request may have created the same response while this one was queued.
      const stored = storedOf(requested, request, principal);
      if (stored || !retains || !request.derived) return stored ?? work(requested, request, principal);
      const make = () => derivedFromStored(request, requested.now) ?? work(requested, request, principal);
      return "file" in request.derived ? once(`${parts.responseCache.epoch()} ${request.key}`, make) : make();
    });

  return {
    decode: createRequestDecoder(operation, parts.requests),
    planRows,
    citing: { history: parts.history, licenses },
    requireRoom: parts.queue.requireRoom,
    sendAllPages: allPagesSender(operation, implementation, {
      ...parts,
      plan,
      isShared: retains,
      headers: [...varies, ...links],
    }),
    respond: (requested, request, principal) =>
      isPast(request)
        ? respondPast(requested, request, principal).catch(request.asOf.at < requested.now ? rejectPast : undefined)
        : (storedOf(requested, request, principal) ?? fresh(requested, request, principal)),
  };
}

/**
 * Returns the cache key of a response; undefined if it is not cached. A file that changes with each request is cached
 * only for its caller, and only for HEAD and range requests, so that all ranges come from the same version.
 */
function cacheKeyOf(retains: boolean) {
  return (requested: ReadRequest, { key, derived }: Decoded, principal: Principal | undefined) => {
    if (retains) return key;
    const isFile = derived !== undefined && "file" in derived;
    const isInParts = requested.request.method === "HEAD" || requested.head.range !== undefined;
    return isFile && isInParts ? `${principal?.account ?? requested.address()} ${key}` : undefined;
  };
}

function isPast(request: Decoded): request is Decoded & { readonly asOf: AsOf } {
  return request.asOf !== undefined;
}

type Made = PreparedResponse | Promise<PreparedResponse>;

const maxConcurrentResponses = 1_000;

/** Computes a slow response once for all waiting clients. If the first one disconnects, each computes its own. */
function onceForAll() {
  const responses = new LRUCache<string, PreparedResponse, () => Made>({
    max: maxConcurrentResponses,
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context: make }) => make(),
  });
  return async (name: string, make: () => Made): Promise<PreparedResponse> => {
    try {
      return await responses.forceFetch(name, { context: make });
    } catch (error) {
      if (error instanceof RequestAborted) return make();
      throw error;
    } finally {
      // Finished responses are removed here, because the response cache retains them.
      responses.delete(name);
    }
  };
}

function deriver(operation: Operation, plan: FilePlanner, { project }: ReadOperationParts) {
  const writeFile = fileWriter(plan);
  const [paged] = tablesOf(operation);
  return (message: Message, derived: Derived, basis: Basis): PreparedResponse | Promise<PreparedResponse> => {
    if (!("file" in derived)) {
      const projected = project(derived.expression, basis.plain());
      return projected.then((json) => finishResponse(basis, json));
    }
    // A table without pages is complete on every page, so its file has no cursor of a next page.
    const isWhole = derived.file.table.name !== paged?.name;
    const lasting = isWhole ? withoutHeader(basis.lasting, nextCursorHeader) : basis.lasting;
    const form = writeFile(derived.file, message, basis);
    const finish = (written: Form) => finishForm({ ...basis, lasting }, written);
    return form instanceof Promise ? form.then(finish) : finish(form);
  };
}

/** Returns the `Vary` header. Responses of public operations do not depend on the key. */
function variesOf(operation: Operation, variesByOrigin: boolean): readonly string[] {
  const names = [
    ...(operation.access.anonymous ? [] : ["X-Service-Key", "X-Api-Key"]),
    ...(variesByOrigin ? ["Origin"] : []),
    "Accept-Encoding",
    ...(offeredFormats(tablesOf(operation)).length > 0 ? ["Accept"] : []),
  ];
  return ["Vary", names.join(", ")];
}

interface RunnerParts {
  readonly derive: ReturnType<typeof deriver>;
  readonly links: readonly string[];
  readonly varies: readonly string[];
}

function runner(operation: Operation, implementation: Implementation, { derive, links, varies }: RunnerParts) {
  const { output } = operation.method;
  const write = jsonWriter(output);
  const plain = plainMaker(output);
  const isUnavailable = saysUnavailable(output);
  const policyAt = cachePolicyAt(operation);
  const nextCursor = nextCursorReader(operation);
  return async (request: Decoded, context: RestContext) => {
    const result = create(output, await implementation(request.message, context));
    context.requireCaller();
    // The header with the requested time is added later, because requests for different times share the cached
    // response.
    const own = withoutHeader(context.ownHeaders(), asOfHeader);
    const dataStatus = context.values.get(dataStatusKey);
    const isUnconfirmed = isUnavailable(result) || dataStatus?.rejection !== undefined;
    const lasting = !isUnconfirmed && !context.values.get(isTransientKey);
    const cache = lasting ? policyAt(dataStatus) : noStore;
    const next = nextCursor(result);
    const basis = {
      status: operation.successStatus,
      lasting: [...cache, ...varies, ...links, ...own, ...(next === "" ? [] : [nextCursorHeader, next])],
      readAt: dataStatus?.readAt,
      isUnconfirmed,
      isExpired: dataStatus?.rejection !== undefined,
      generations: context.values.get(generationsKey),
      plain: () => plain(result),
    };
    const { derived } = request;
    const response = derived ? await derive(request.message, derived, basis) : finishResponse(basis, write(result));
    return { response, lasting, flagged: isUnconfirmed };
  };
}

/** Returns a function that returns only the terms of use from the licenses of sources. */
function termsIn(licenses: CiteParts["licenses"]) {
  return (named?: readonly string[]) => licenses(named).map(({ terms }) => terms);
}
