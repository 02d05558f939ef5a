import { create, type Message } from "@bufbuild/protobuf";
import type { Principal } from "../../access/keys/api-key.ts";
import { saysUnavailable } from "../../contract/availability.ts";
import type { Operation } from "../../contract/catalog.ts";
import { offeredFormats } from "../../contract/file-format.ts";
import type { Implementation } from "../../contract/implementation.ts";
import { jsonWriter } from "../../contract/json.ts";
import { nextCursorHeader, nextCursorReader } from "../../contract/paging.ts";
import { plainMaker } from "../../contract/plain.ts";
import { asOfKey, dataStatusKey, isTransientKey, updatedAfterKey } from "../../contract/request-context.ts";
import { tablesOf } from "../../contract/tables.ts";
import { RequestAborted } from "../../errors.ts";
import type { Project } from "../../interceptors/project.ts";
import { withoutHeader } from "../exchange.ts";
import type { RequestQueue } from "../load/request-queue.ts";
import type { ReadRequest } from "../read-request.ts";
import { cachePolicy, cachePolicyAt, noStore } from "./cache-policy.ts";
import { dataLinks } from "./data-links.ts";
import { allPagesSender, type SendAllPages } from "./formats/all-pages.ts";
import { type FilePlanner, filePlanner, fileWriter } from "./formats/file-response.ts";
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
  /** Throws `Overloaded` if there is no room for the caller. A request that was never read has no cached response. */
  readonly requireRoom: (requested: ReadRequest, principal: Principal | undefined) => void;
  /** Synchronous if there is room and its data is in memory. */
  readonly respond: (
    requested: ReadRequest,
    request: Decoded,
    principal: Principal | undefined,
  ) => PreparedResponse | Promise<PreparedResponse>;
  /** Writes all pages as one file. Absent if there are no pages. */
  readonly sendAllPages: SendAllPages | undefined;
}

export interface ReadOperationParts {
  readonly queue: RequestQueue;
  readonly requests: RequestCache;
  readonly responseCache: ResponseCache;
  readonly project: Project;
  readonly licenses: (operation: Operation, named?: readonly string[]) => readonly string[];
  readonly datasets: (operation: Operation) => readonly string[];
  readonly withheld: (operation: Operation) => Withheld;
  readonly allowance: WalkAllowance;
  /** Whether only some origins are allowed. Each response then names the origin of its request only. */
  readonly variesByOrigin: boolean;
  readonly storedGenerations: (datasets: readonly string[]) => Promise<ReadonlyMap<string, number>>;
}

export function createReadOperation(
  operation: Operation,
  implementation: Implementation,
  parts: ReadOperationParts,
): ReadOperation {
  const { method } = operation;
  const plan = filePlanner(operation, (named) => parts.licenses(operation, named), parts.withheld(operation));
  const derive = deriver(operation, plan, parts);
  const datasets = parts.datasets(operation);
  const links = [
    ...(parts.licenses(operation).length > 0 ? dataLinks(operation, datasets) : []),
    ...surrogateKeys(operation, datasets),
  ];
  const varies = variesOf(operation, parts.variesByOrigin);
  const run = runner(operation, implementation, { derive, links, varies });
  const retains = cachePolicy(operation) !== noStore && !operation.live;

  const work = async (requested: ReadRequest, request: Decoded, principal: Principal | undefined) => {
    const epoch = parts.responseCache.epoch();
    const caller = () => callerOf(requested, principal);
    const context = new RestContext(method, requested, caller);
    context.values.set(asOfKey, request.asOf).set(updatedAfterKey, request.updatedAfter);
    const { response, lasting, flagged } = await run(request, context);
    if (flagged) requested.cause = "flagged";
    if (retains && lasting && request.repeated) parts.responseCache.put(request.key, response, epoch);
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

  const storedOf = ({ key }: Decoded, now: number) => (retains ? parts.responseCache.get(key, now) : undefined);
  const once = onceForAll();
  const fresh = (requested: ReadRequest, request: Decoded, principal: Principal | undefined) =>
    parts.queue.run(requested, principal, operation, () => {
      // Another request may have created it while this one was queued.
      const stored = storedOf(request, requested.now);
      if (stored || !retains || !request.derived) return stored ?? work(requested, request, principal);
      const make = () => derivedFromStored(request, requested.now) ?? work(requested, request, principal);
      return "file" in request.derived ? once(`${parts.responseCache.epoch()} ${request.key}`, make) : make();
    });

  return {
    decode: createRequestDecoder(operation, parts.requests),
    requireRoom: parts.queue.requireRoom,
    sendAllPages: allPagesSender(operation, implementation, {
      ...parts,
      plan,
      headers: [...varies, ...links],
    }),
    respond: (requested, request, principal) =>
      storedOf(request, requested.now) ?? fresh(requested, request, principal),
  };
}

type Made = PreparedResponse | Promise<PreparedResponse>;

/** Creates slow files once for all clients that wait for the same file. The first client may disconnect. */
function onceForAll() {
  const making = new Map<string, Promise<PreparedResponse>>();
  return (name: string, make: () => Made): Made => {
    const underWay = making.get(name);
    if (underWay !== undefined)
      return underWay.catch((error: unknown) => {
        if (error instanceof RequestAborted) return make();
        throw error;
      });
    const response = make();
    if (!(response instanceof Promise)) return response;
    const made = response.finally(() => making.delete(name));
    making.set(name, made);
    return made;
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
    // A table other than the paged one is complete on each page.
    const isWhole = derived.file.table.name !== paged?.name;
    const lasting = isWhole ? withoutHeader(basis.lasting, nextCursorHeader) : basis.lasting;
    const form = writeFile(derived.file, message, basis);
    const finish = (written: Form) => finishForm({ ...basis, lasting }, written);
    return form instanceof Promise ? form.then(finish) : finish(form);
  };
}

/** Returns the `Vary` headers. An operation without access control does not vary by key. */
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
    const own = context.ownHeaders();
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
      plain: () => plain(result),
    };
    const { derived } = request;
    const response = derived ? await derive(request.message, derived, basis) : finishResponse(basis, write(result));
    return { response, lasting, flagged: isUnconfirmed };
  };
}
