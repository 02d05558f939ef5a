import { contentHeaders, type Exchange, send } from "../exchange.ts";
import { chooseEncoding, noneMatch } from "./encoding.ts";
import { gzipOnce } from "./gzip.ts";
import { worthCompressingOnce } from "./prepared-response.ts";

export interface SingleResponse {
  readonly headers: readonly string[];
  readonly body: Buffer;
  /** Media type; undefined for JSON. */
  readonly mediaType?: string;
  /** Identifies the content without what differs in each response, such as a time. The `ETag` is therefore weak. */
  readonly hash?: string;
}

/** Sends a body that no other response shares. A large one is compressed if the client prefers gzip. */
export async function sendOnce(exchange: Exchange, response: SingleResponse): Promise<number> {
  const { body, mediaType, hash } = response;
  const { acceptEncoding, ifNoneMatch } = exchange.head;
  const headers = [...(hash === undefined ? [] : ["ETag", `W/"${hash}"`]), ...response.headers];
  if (hash !== undefined && ifNoneMatch !== undefined && !noneMatch(ifNoneMatch, hash)) {
    send(exchange, 304, [...headers, ...exchange.headers]);
    return 304;
  }
  const isZipped = body.length >= worthCompressingOnce && chooseEncoding(acceptEncoding, true, false) === "gzip";
  const bytes = isZipped ? await gzipOnce(body) : body;
  const content = [...contentHeaders(bytes.length, mediaType), ...(isZipped ? ["Content-Encoding", "gzip"] : [])];
  send(exchange, 200, [...headers, ...content, ...exchange.headers], bytes);
  return 200;
}
