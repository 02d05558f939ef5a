import { once } from "node:events";
import { constants } from "node:http2";
import { type Exchange, send } from "../../exchange.ts";
import { writeHead, writeTo } from "../../node-message.ts";
import { acceptRanges, partHeaders, selectPart } from "../byte-range.ts";
import { chooseEncoding, digestHeader, entityTag, hashOf } from "../encoding.ts";
import { gzipStream } from "../gzip.ts";
import type { SpooledFile } from "./export-spool.ts";

interface FileOptions {
  /** Headers of the response with the file and of the response 304, as alternating names and values. */
  readonly lasting: readonly string[];
  /** Headers that describe the content of the file, as alternating names and values. */
  readonly content: readonly string[];
  /** Whether compression helps. Parquet is already compressed. */
  readonly isText: boolean;
  /** Charges the export to the account's quota before the first byte is sent. */
  readonly charge: () => Promise<void>;
  readonly signal: AbortSignal;
}

/** Sends a stored file, or the part of it that the client selects, as fast as the client reads it. */
export async function sendSpooled(exchange: Exchange, file: SpooledFile, options: FileOptions): Promise<number> {
  const { acceptEncoding, range } = exchange.head;
  const { lasting, content, isText } = options;
  const { length, digest } = file;
  const isZipped = isText && range === undefined && chooseEncoding(acceptEncoding, true, false) === "gzip";
  const hash = hashOf(digest);
  const tag = entityTag(hash, isZipped ? "gzip" : "identity");
  const part = selectPart(exchange, { tag, hash, length });
  const known = ["ETag", tag, ...lasting];
  if (part === "not modified") {
    send(exchange, 304, [...known, ...exchange.headers]);
    return 304;
  }
  const sized = isZipped ? ["Content-Encoding", "gzip"] : ["Content-Length", String(length), ...digestHeader(digest)];
  const whole = [...known, ...content, ...acceptRanges, ...sized];
  const isPart = part !== "whole";
  const status = isPart ? 206 : 200;
  const headers = [...(isPart ? partHeaders(whole, part, length) : whole), ...exchange.headers];
  if (exchange.request.method === "HEAD") {
    send(exchange, status, headers);
    return status;
  }
  await options.charge();
  writeHead(exchange.response, status, headers);
  const bytes = isPart ? file.read(part) : file.read();
  await sendBytes(exchange.response, bytes, { isZipped, signal: options.signal });
  return status;
}

interface SendOptions extends Pick<FileOptions, "signal"> {
  readonly isZipped: boolean;
}

async function sendBytes(
  response: Exchange["response"],
  bytes: AsyncIterable<Buffer>,
  { isZipped, signal }: SendOptions,
): Promise<void> {
  using gzip = isZipped ? gzipStream() : undefined;
  try {
    for await (const piece of bytes) await put(response, gzip ? await gzip.piece(piece) : piece, signal);
    if (gzip) await put(response, await gzip.end(""), signal);
    response.end();
  } catch (error) {
    // The connection is broken off, so that the client does not take the truncated file as complete.
    breakOff(response);
    throw error;
  }
}

/** Sends bytes and waits until the client has read earlier ones. Throws if the client disconnects or stalls. */
async function put(response: Exchange["response"], bytes: Buffer, signal: AbortSignal): Promise<void> {
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
