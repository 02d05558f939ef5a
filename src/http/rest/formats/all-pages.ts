import { once } from "node:events";
import { constants } from "node:http2";
import { setTimeout as pause, setImmediate as turn } from "node:timers/promises";
import { clone, create, type DescField, type JsonObject, type Message } from "@bufbuild/protobuf";
import { operation as operationOption, type Page } from "../../../../gen/es/ids/options/v1/options_pb.ts";
import { isVisitor, type Principal } from "../../../access/keys/api-key.ts";
import type { Refund } from "../../../access/quotas/quotas.ts";
import { saysUnavailable } from "../../../contract/availability.ts";
import type { Operation } from "../../../contract/catalog.ts";
import type { Place } from "../../../contract/columns.ts";
import { hasAllPages, mediaTypes } from "../../../contract/file-format.ts";
import type { Implementation } from "../../../contract/implementation.ts";
import { getOption } from "../../../contract/option.ts";
import { nextCursorReader, type PagesTotal, pagesTotalReader } from "../../../contract/paging.ts";
import { plainMaker } from "../../../contract/plain.ts";
import {
  dataStatusKey,
  generationsKey,
  type PageWalk,
  pageWalkKey,
  updatedAfterKey,
} from "../../../contract/request-context.ts";
import { NotAuthenticated, Overloaded, Unavailable } from "../../../errors.ts";
import type { Exchange } from "../../exchange.ts";
import type { RequestQueue } from "../../load/request-queue.ts";
import { writeTo } from "../../node-message.ts";
import { chooseEncoding } from "../encoding.ts";
import { gzipStream } from "../gzip.ts";
import type { Decoded } from "../request-decoder.ts";
import { callerOf, RestContext } from "../rest-context.ts";
import type { FileRequest } from "./file-request.ts";
import { type FilePlanner, requireConfirmed, withheldHeader } from "./file-response.ts";
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
  readonly storedGenerations: (datasets: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  readonly plan: FilePlanner;
  /** Headers of every response, as flat pairs. */
  readonly headers: readonly string[];
}

/** Rows per page. A client that stops reading holds one page in memory, which is less than a megabyte. */
const rowsInPage = 100;
/** Maximum duration of a file. The client can then continue from a cursor. */
const maxMs = 15 * 60_000;
/** Under overload, the file pauses for this time so that other requests run first. */
const busyPauseMs = 500;

/** Returns undefined for a read without pages. */
export function allPagesSender(
  operation: Operation,
  implementation: Implementation,
  parts: AllPagesParts,
): SendAllPages | undefined {
  const { page } = getOption(operation.method, operationOption);
  if (!page || !hasAllPages(operation)) return undefined;
  const pageReader = readerOf(operation, implementation, page, parts);
  return async (exchange, request, file, principal) => {
    if (!principal || isVisitor(principal))
      throw new NotAuthenticated("A key is required for all pages: their rows are counted by account");
    const release = parts.allowance.begin(principal);
    const signal = AbortSignal.any([exchange.signal(), AbortSignal.timeout(maxMs)]);
    try {
      return await write(
        exchange,
        { read: pageReader(exchange, request, principal), file, request, principal, signal },
        parts,
      );
    } catch (error) {
      // The connection is broken off, so that the client does not take the truncated file as complete.
      if (exchange.response.headersSent) breakOff(exchange.response);
      throw error;
    } finally {
      release();
    }
  };
}

interface PageRead {
  readonly response: JsonObject;
  /** Cursor of the next page; empty after the last page. */
  readonly next: string;
  readonly total: PagesTotal | undefined;
  readonly context: RestContext;
  readonly isUnconfirmed: boolean;
  readonly isExpired: boolean;
}

type ReadPage = (cursor: string | undefined) => Promise<PageRead>;

interface Walk {
  readonly read: ReadPage;
  readonly file: FileRequest;
  readonly request: Decoded;
  readonly principal: Principal;
  readonly signal: AbortSignal;
}

async function write(exchange: Exchange, walk: Walk, parts: AllPagesParts): Promise<number> {
  const { read, file, request, principal, signal } = walk;
  const { response } = exchange;
  const first = await read(undefined);
  requireConfirmed(file, first.response, first);
  const generations = first.context.values.get(generationsKey);
  const lasting = ["Cache-Control", "no-store", ...parts.headers, ...first.context.ownHeaders()];
  const readAt = first.context.values.get(dataStatusKey)?.readAt;
  const { mediaType, headers, rowsOf, stream } = parts.plan(file, request.message, { status: 200, lasting, readAt });
  const charge = (places: readonly Place[], isFirst = false) =>
    parts.allowance.charge(principal, exchange.now, places.length, isFirst);
  // If rows are withheld, the quota for the whole file is unknown, because their number is unknown.
  if (first.total && !headers.includes(withheldHeader))
    await parts.allowance.require(principal, exchange.now, first.total);
  let places = rowsOf(first.response);
  let refund = await charge(places, true);
  const wantsGzip = isText(mediaType) && chooseEncoding(exchange.head.acceptEncoding, true, false) === "gzip";
  const fileHeaders = ["Content-Type", mediaType, "X-Content-Type-Options", "nosniff", ...lasting, ...headers];
  begin(response, [...fileHeaders, ...(wantsGzip ? ["Content-Encoding", "gzip"] : []), ...exchange.headers]);
  using gzip = wantsGzip ? gzipStream() : undefined;
  const putPiece = async (bytes: string | Buffer) =>
    put(response, gzip && bytes.length > 0 ? await gzip.piece(bytes) : bytes, signal);
  try {
    if (exchange.request.method === "HEAD") await refund();
    else {
      using rows = stream();
      await putPiece(await rows.begin());
      for (let { next } = first; ; ) {
        await putPiece(await rows.rows(places));
        refund = noRefund;
        if (next === "") break;
        const page = await read(next);
        // A failed page would look like the last page, because it has no cursor.
        requireConfirmed(file, page.response, page);
        requireSame(generations, page.context.values.get(generationsKey));
        places = rowsOf(page.response);
        refund = await charge(places);
        next = page.next;
      }
      requireSame(generations, await parts.storedGenerations([...generations.keys()]));
      const last = await rows.end();
      await put(response, gzip ? await gzip.end(last) : last, signal);
    }
  } catch (error) {
    await refund();
    throw error;
  }
  response.end();
  return 200;
}

/** Sent rows stay charged. */
const noRefund: Refund = () => {};

/** Returns whether compression helps. Parquet is already compressed. */
function isText(mediaType: string): boolean {
  return mediaType !== mediaTypes.parquet;
}

/** Sets the response head. Node sends it with the first bytes. */
function begin(response: Exchange["response"], headers: readonly string[]): void {
  response.statusCode = 200;
  for (let index = 0; index + 1 < headers.length; index += 2)
    response.appendHeader(headers[index] ?? "", headers[index + 1] ?? "");
}

/** Sends bytes and waits until the client has read earlier ones. Throws if the client disconnects or stalls. */
async function put(response: Exchange["response"], bytes: string | Buffer, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (bytes.length === 0 || writeTo(response, bytes)) return;
  await once(response, "drain", { signal }).catch((error: unknown) => {
    throw signal.aborted ? signal.reason : error;
  });
}

/** Breaks off a response. For HTTP/2 and HTTP/1.0, a normal end would look like the end of the file. */
function breakOff(response: Exchange["response"]): void {
  if ("stream" in response) response.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  else if (response.socket) response.socket.resetAndDestroy();
}

/** Requires the same generations for all pages. Throws `Unavailable` if the data has changed since the first page. */
function requireSame(first: ReadonlyMap<string, number>, now: ReadonlyMap<string, number>): void {
  for (const [dataset, generation] of first)
    if (now.get(dataset) !== generation)
      throw new Unavailable(`${dataset} was refreshed while all pages were read: start again`);
}

function readerOf(operation: Operation, implementation: Implementation, page: Page, { queue }: AllPagesParts) {
  const { input, output } = operation.method;
  const fieldNamed = (name: string) => input.fields.find((field) => field.name === name);
  const [cursor, size] = [fieldNamed(page.cursor), fieldNamed(page.size)];
  if (!cursor || !size) throw new Error(`${operation.name} has no fields for its pages`);
  const plain = plainMaker(output);
  const isUnavailable = saysUnavailable(output);
  const nextCursor = nextCursorReader(operation);
  const totalOf = pagesTotalReader(operation);
  return (exchange: Exchange, { message, updatedAfter }: Decoded, principal: Principal): ReadPage => {
    const walk: PageWalk = {};
    const readOnce = async (from: string | undefined): Promise<PageRead> => {
      const request = withValues(input, message, [
        [size, rowsInPage],
        ...(from === undefined ? [] : [[cursor, from] as const]),
      ]);
      const context = new RestContext(operation.method, exchange, () => callerOf(exchange, principal));
      context.values.set(updatedAfterKey, updatedAfter).set(pageWalkKey, walk);
      // Other requests run between the steps, because each step takes milliseconds.
      const result = create(output, await implementation(request, context));
      context.requireCaller();
      await turn();
      const response = plain(result);
      await turn();
      const isExpired = context.values.get(dataStatusKey)?.rejection !== undefined;
      const isUnconfirmed = isUnavailable(result) || isExpired;
      // A request that starts at a cursor leaves out earlier rows.
      const isWhole = Reflect.get(request, cursor.localName) === "";
      const total = isWhole ? totalOf(result) : undefined;
      return { response, next: nextCursor(result), total, context, isUnconfirmed, isExpired };
    };
    return async (from) => {
      for (;;) {
        try {
          return await queue.run(exchange, principal, operation, () => readOnce(from));
        } catch (error) {
          if (!(error instanceof Overloaded) || from === undefined) throw error;
          await pause(busyPauseMs, undefined, { signal: exchange.signal() });
        }
      }
    };
  };
}

/** Sets the page size without validation. Only this program requests pages larger than the contract allows. */
function withValues(
  input: Operation["method"]["input"],
  message: Message,
  values: readonly (readonly [DescField, unknown])[],
): Message {
  const copy = clone(input, message);
  return Object.assign(copy, Object.fromEntries(values.map(([field, value]) => [field.localName, value])));
}
