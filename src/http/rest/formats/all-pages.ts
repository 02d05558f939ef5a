import { setTimeout as pause } from "node:timers/promises";
import { operation as operationOption } from "../../../../gen/es/ids/options/v1/options_pb.ts";
import { isVisitor, type Principal } from "../../../access/keys/api-key.ts";
import type { Operation } from "../../../contract/catalog.ts";
import { binaryFormats, hasAllPages } from "../../../contract/file-format.ts";
import type { Implementation } from "../../../contract/implementation.ts";
import { getOption } from "../../../contract/option.ts";
import type { PagesTotal } from "../../../contract/paging.ts";
import {
  dataStatusKey,
  generationsKey,
  type PageWalk,
  pageWalkKey,
  updatedAfterKey,
} from "../../../contract/request-context.ts";
import { NotAuthenticated, Overloaded } from "../../../errors.ts";
import type { Exchange } from "../../exchange.ts";
import type { RequestQueue } from "../../load/request-queue.ts";
import type { ReadRequest } from "../../read-request.ts";
import type { Decoded } from "../request-decoder.ts";
import { callerOf, headerPairs, RestContext } from "../rest-context.ts";
import type { ExportSpool, WriteFile } from "./export-spool.ts";
import type { FileRequest } from "./file-request.ts";
import { type FilePlanner, type PlannedFile, requireConfirmed } from "./file-response.ts";
import { type PageRead, pageReader, requireSame } from "./page-reader.ts";
import { sendSpooled } from "./spooled-file.ts";
import type { WalkAllowance } from "./walk-allowance.ts";

/** Writes all pages of a read to one file, as fast as the client reads them. */
export type SendAllPages = (
  exchange: Exchange,
  request: Decoded,
  file: FileRequest,
  principal: Principal | undefined,
) => Promise<number>;

export interface AllPagesParts {
  readonly queue: RequestQueue;
  readonly allowance: WalkAllowance;
  readonly spool: ExportSpool;
  readonly storedGenerations: (datasets: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  readonly plan: FilePlanner;
  /** Whether the rows are the same for every caller, so that callers share a stored file. */
  readonly isShared: boolean;
  /** Headers of every response, as alternating names and values. */
  readonly headers: readonly string[];
}

/** Maximum duration of writing a file, and of sending it. The client can then continue from a cursor. */
const maxMs = 15 * 60_000;
/** Under overload, the file pauses for this time so that other requests run first. */
const busyPauseMs = 500;

/** Returns the function that sends all pages as one file; undefined for a read without pages. */
export function allPagesSender(
  operation: Operation,
  implementation: Implementation,
  parts: AllPagesParts,
): SendAllPages | undefined {
  const { page } = getOption(operation.method, operationOption);
  if (!page || !hasAllPages(operation)) return undefined;
  const pageReader = readerOf(operation, implementation, parts);
  return async (exchange, request, file, principal) => {
    if (!principal || isVisitor(principal))
      throw new NotAuthenticated("A key is required for all pages: their rows are counted by account");
    const read = pageReader(detached(exchange, AbortSignal.timeout(maxMs)), request, principal);
    return sendAll(exchange, { read, file, request, principal }, parts);
  };
}

/** Returns a request that isn't aborted if the client disconnects: if the client retries, it finds the file. */
function detached(exchange: Exchange, signal: AbortSignal): ReadRequest {
  const { head, request, id, now, startedAt, path } = exchange;
  const [address, edge] = [exchange.address(), exchange.edge()];
  return {
    ...{ head, id, now, startedAt, path, headers: [] },
    request: { method: "GET", url: request.url, headers: request.headers },
    address: () => address,
    edge: () => edge,
    isGone: () => signal.aborted,
    isBackedUp: () => false,
    signal: () => signal,
  };
}

type ReadNext = (cursor: string | undefined) => Promise<PageRead>;

interface Walk {
  readonly read: ReadNext;
  readonly file: FileRequest;
  readonly request: Decoded;
  readonly principal: Principal;
}

async function sendAll(exchange: Exchange, walk: Walk, parts: AllPagesParts): Promise<number> {
  const { file, request, principal } = walk;
  const { allowance, spool, isShared } = parts;
  const first = await walk.read(undefined);
  requireConfirmed(file, first.response, first);
  const generations = first.context.values.get(generationsKey);
  const own = headerPairs(first.context.responseHeader);
  const lasting = ["Cache-Control", "no-store", ...parts.headers, ...own];
  const readAt = first.context.values.get(dataStatusKey)?.readAt;
  const planned = parts.plan(file, request.message, { lasting, readAt });
  // The metadata in a file can change while its rows do not, for example when the data becomes stale, so the key
  // includes both.
  const version = JSON.stringify([...generations, planned.metadata]);
  const key = `${request.key} ${version} ${isShared ? "" : exchange.id}`;
  try {
    using spooled = await storedFile(key, exchange, { ...walk, first, planned, generations }, parts);
    return await sendSpooled(exchange, spooled, {
      lasting,
      content: ["Content-Type", planned.mediaType, "X-Content-Type-Options", "nosniff", ...planned.headers],
      isText: !binaryFormats.has(file.format),
      charge: () => allowance.charge(principal, exchange.now, spooled),
      signal: AbortSignal.any([exchange.signal(), AbortSignal.timeout(maxMs)]),
    });
  } finally {
    if (!isShared) spool.delete(key);
  }
}

interface StartedWalk extends Walk {
  readonly first: PageRead;
  readonly planned: PlannedFile;
  readonly generations: ReadonlyMap<string, number>;
}

/** Returns the stored file. Only the request that writes it counts as an export of the account. */
function storedFile(key: string, exchange: Exchange, walk: StartedWalk, parts: AllPagesParts) {
  const write: WriteFile = async (put) => {
    const release = parts.allowance.begin(walk.principal);
    try {
      return await writePages(put, exchange, walk, parts);
    } finally {
      release();
    }
  };
  return parts.spool.fetch(key, write, () => exchange.isGone());
}

async function writePages(
  put: Parameters<WriteFile>[0],
  exchange: Exchange,
  { read, file, first, planned, generations, principal }: StartedWalk,
  { allowance, storedGenerations }: AllPagesParts,
): Promise<number> {
  // If some rows are withheld, the total of the read includes them, so the rows in the file are counted as they are
  // read.
  const total = first.total?.isCapped || planned.metadata.withheld.length > 0 ? undefined : first.total;
  const requireRows = (rows: PagesTotal) => allowance.require(principal, exchange.now, rows);
  if (first.total && planned.metadata.withheld.length === 0) await requireRows(first.total);
  using stream = planned.stream();
  await put(await stream.begin());
  let count = 0;
  for (let page = first; ; ) {
    const places = planned.rowsOf(page.response);
    count += places.length;
    if (!total) await requireRows({ rows: count, isCapped: true });
    await put(await stream.rows(places));
    if (page.next === "") break;
    page = await read(page.next);
    // A page without data has no cursor, so it would look like the last page.
    requireConfirmed(file, page.response, page);
    requireSame(generations, page.context.values.get(generationsKey));
  }
  requireSame(generations, await storedGenerations([...generations.keys()]));
  await put(await stream.end());
  return count;
}

function readerOf(operation: Operation, implementation: Implementation, { queue }: AllPagesParts) {
  const readPage = pageReader(operation, implementation);
  return (requested: ReadRequest, { message, updatedAfter }: Decoded, principal: Principal): ReadNext => {
    const walk: PageWalk = {};
    const readOnce = (from: string | undefined) => {
      const context = new RestContext(operation.method, requested, () => callerOf(requested, principal));
      context.values.set(updatedAfterKey, updatedAfter).set(pageWalkKey, walk);
      return readPage(message, from, context);
    };
    return async (from) => {
      for (;;) {
        try {
          return await queue.run(requested, principal, operation, () => readOnce(from));
        } catch (error) {
          if (!(error instanceof Overloaded) || from === undefined) throw error;
          await pause(busyPauseMs, undefined, { signal: requested.signal() });
        }
      }
    };
  };
}
