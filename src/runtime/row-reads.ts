import { setImmediate as turn } from "node:timers/promises";
import { clone, type Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import type { HandlerContext } from "@connectrpc/connect";
import { CatalogService } from "../../gen/es/ids/catalog/v1/catalog_pb.ts";
import { callerKey, principalOf } from "../access/caller.ts";
import type { Principal } from "../access/keys/api-key.ts";
import type { Operation } from "../contract/catalog.ts";
import type { Place } from "../contract/columns.ts";
import { type Implemented, implementationsOf, type Served } from "../contract/implementation.ts";
import { plainMaker } from "../contract/plain.ts";
import type { JsonObject } from "../contract/request/body.ts";
import { warningHeader } from "../contract/request/parameter-warnings.ts";
import {
  asOfKey,
  dataStatusKey,
  generationsKey,
  isSampleKey,
  markSample,
  noteDataStatus,
  noteGeneration,
  type PageWalk,
  pageWalkKey,
  updatedAfterKey,
} from "../contract/request-context.ts";
import { rowLimitOf } from "../contract/row-limit.ts";
import { type Table, tablesOf } from "../contract/tables.ts";
import type { ReadRows } from "../domains/catalog/count-rows.ts";
import { lookups, originsOf } from "../domains/index.ts";
import { InvalidRequest, invalidField, NothingToServe, type Violation } from "../errors.ts";
import { splitTarget } from "../http/exchange.ts";
import { type PageRead, pageReader, type ReadPage, requireSame } from "../http/rest/formats/page-reader.ts";
import {
  createRequestCache,
  createRequestDecoder,
  type Decoded,
  type RequestDecoder,
} from "../http/rest/request-decoder.ts";
import { sourcesBehind } from "../ingest/graph.ts";
import type { Entitle } from "../interceptors/entitle.ts";
import { innerContext } from "./operation-calls.ts";

interface RowReadParts {
  readonly entitle: Entitle;
  readonly clock: () => Date;
  /** Counts the inner read against the limits of its operation. Throws `QuotaExceeded`. */
  readonly meterInner: (operation: Operation, principal: Principal, address: string) => Promise<void>;
  /** Charges the inner reads to an account. Throws `QuotaExceeded`. */
  readonly chargeReads: (principal: Principal, reads: number) => Promise<void>;
}

interface Readable extends Served {
  readonly decode: RequestDecoder;
  readonly readPage: ReadPage;
  readonly plainRequest: (message: Message) => JsonObject;
}

/** Maximum number of rows that are counted, which takes seconds. Other requests run in between. */
const maxCountedRows = 200_000;
/** Number of rows per further call that is charged to the account. */
const rowsInCall = 10_000;
/** Number of rows that are grouped at once. More would delay other requests. */
const rowsInStep = 2_000;

/** Returns a function with which a handler reads the rows of another operation, under the rules of that operation. */
export function createRowReads(implemented: readonly Implemented[], parts: RowReadParts): ReadRows {
  const requests = createRequestCache();
  const readable = implemented.flatMap(implementationsOf).filter(({ operation }) => isReadable(operation));
  const reads = new Map(
    readable.flatMap(({ operation, implementation }) => {
      const decode = createRequestDecoder(operation, requests);
      const read: Readable = {
        ...{ operation, implementation, decode },
        readPage: pageReader(operation, implementation),
        plainRequest: plainMaker(operation.method.input),
      };
      return [operation.path, ...operation.aliases].map((path) => [path, read] as const);
    }),
  );
  return async ({ path, list: wanted }, context) => {
    const target = splitTarget(path);
    const read = reads.get(target.path);
    if (!read) throw invalidField("path", `${target.path} is not the path of a read whose rows can be counted`);
    const { operation, readPage, plainRequest } = read;
    const caller = context.values.get(callerKey);
    const principal = principalOf(caller);
    const now = parts.clock().getTime();
    if (!operation.access.anonymous) await parts.entitle(operation, principal, now);
    const request = widest(operation, decoded(read, target.query));
    const table = tableNamed(operation, wanted);
    await parts.meterInner(operation, principal, caller.address);
    const walk: PageWalk = {};
    const readAt = (cursor: string | undefined) => {
      const inner = innerContext(operation.method, context);
      inner.values.set(asOfKey, request.asOf).set(updatedAfterKey, request.updatedAfter).set(pageWalkKey, walk);
      return readPage(request.message, cursor, inner);
    };
    const first = await readAt(undefined);
    requireConfirmed(table, first);
    if (first.context.responseHeader.has("X-Bbox"))
      throw invalidField("path", "the read returns no rows without a box: set its edges");
    report(first, context);
    if (request.warnings.length > 0) context.responseHeader.set(...warningHeader(request.warnings));
    const origins = originsOf(operation.method);
    const own = origins ? sourcesBehind(origins).map(({ name }) => name) : [];
    const sources = first.context.responseHeader.get(sourcesHeader) ?? own.join(", ");
    if (sources !== "") context.responseHeader.set(sourcesHeader, sources);
    const shared = !operation.live && !request.asOf && request.updatedAfter === undefined;
    const generations = first.context.values.get(generationsKey);
    return {
      table,
      method: request.asOf ? undefined : operation.method,
      at: new Date(Math.min(request.asOf ? request.asOf.at + 1 : now, now)),
      response: first.response,
      version: shared && generations.size > 0 ? JSON.stringify([request.key, ...generations]) : undefined,
      pages: () =>
        allRows({
          ...{ operation, table, first, read: readAt, request: plainRequest(request.message) },
          charge: (calls) => parts.chargeReads(principal, calls),
        }),
    };
  };
}

const sourcesHeader = "X-Data-Sources";

/** Returns whether the rows of an operation can be counted: it returns stored data and has no path parameters. */
function isReadable({ read, method, inPath }: Operation): boolean {
  // CountRows cannot count its own rows, because it would call itself without end.
  if (method === CatalogService.method.countRows) return false;
  const isLookup = lookups.some(({ serves }) => serves.includes(method));
  return read && !isLookup && inPath.length === 0 && tablesOf({ method }).length > 0;
}

/** Parses the query of the inner read. Throws `InvalidRequest`, whose reason names the parameters of that read. */
function decoded({ decode }: Readable, query: string): Decoded {
  let request: Decoded;
  try {
    request = decode(query);
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    throw new InvalidRequest(error.violations.map(({ field, description }) => pathViolation(field, description)));
  }
  if (request.derived) throw invalidField("path", "value must not set format, rows, or jmespath");
  if (request.ignored !== undefined)
    throw invalidField("path", `${request.ignored}: the read has no such parameter, or it occurs twice`);
  return request;
}

function pathViolation(field: string, description: string): Violation {
  return { field: "path", description: `${field}: ${description}` };
}

function tableNamed(operation: Operation, name: string): Table {
  const tables = tablesOf(operation);
  const table = name === "" ? tables[0] : tables.find((each) => each.name === name);
  if (table) return table;
  throw invalidField("list", `value must be one of ${tables.map((each) => each.name).join(", ")}`);
}

/** Throws `NothingToServe` if the rows are returned only with a flag (such as expired), which counts do not have. */
function requireConfirmed(table: Table, { response, isUnconfirmed, isExpired }: PageRead): void {
  if (isExpired || (isUnconfirmed && table.rowsIn(response, {}).length === 0))
    throw new NothingToServe("The read has no confirmed rows to count now. Send it to see its flags");
}

/** Copies the origin, age, missing parts, and dataset versions of the inner read to the response. */
function report({ context: { values } }: PageRead, outer: HandlerContext): void {
  if (values.get(isSampleKey)) markSample(outer);
  const status = values.get(dataStatusKey);
  if (status) noteDataStatus(outer, status);
  for (const [dataset, generation] of values.get(generationsKey)) noteGeneration(outer, dataset, generation);
}

/** Sets the parameters that request the most rows that an unpaged read can return. */
function widest(operation: Operation, request: Decoded): Decoded {
  const limit = rowLimitOf(operation);
  if (limit?.widest === undefined) return request;
  const message = clone(operation.method.input, request.message);
  reflect(operation.method.input, message).set(limit.field, limit.widest);
  return { ...request, message };
}

/** Rejects an unpaged read that may have left out rows, because a count would not be complete. */
function requireComplete(operation: Operation, rows: number, { response }: PageRead): void {
  const max = rowLimitOf(operation)?.max ?? Number.POSITIVE_INFINITY;
  if (rows >= max || response.truncated === true)
    throw invalidField(
      "path",
      `the read returns at most ${rows} of its rows, which would be counted in part: narrow the filters`,
    );
}

interface Walk {
  readonly operation: Operation;
  readonly table: Table;
  readonly request: JsonObject;
  readonly first: PageRead;
  readonly read: (cursor: string) => Promise<PageRead>;
  readonly charge: (calls: number) => Promise<void>;
}

async function* allRows({ operation, table, request, first, read, charge }: Walk): AsyncGenerator<readonly Place[]> {
  requireCountable(first.total?.rows ?? 0);
  const generations = first.context.values.get(generationsKey);
  requireComplete(operation, table.rowsIn(first.response, request).length, first);
  let [rows, paid] = [0, rowsInCall];
  for (let page = first; ; ) {
    const places = table.rowsIn(page.response, request);
    rows += places.length;
    requireCountable(rows);
    const calls = Math.ceil((rows - paid) / rowsInCall);
    if (calls > 0) await charge(calls);
    paid += Math.max(calls, 0) * rowsInCall;
    for (let from = 0; from < places.length; from += rowsInStep) {
      yield places.slice(from, from + rowsInStep);
      await turn();
    }
    if (page.next === "") return;
    page = await read(page.next);
    requireConfirmed(table, page);
    requireSame(generations, page.context.values.get(generationsKey));
  }
}

function requireCountable(rows: number): void {
  if (rows > maxCountedRows)
    throw invalidField(
      "path",
      `the read has more than ${maxCountedRows.toLocaleString("en")} rows: narrow the filters`,
    );
}
