import { BodyTooLarge, InvalidBody, RequestAborted } from "../../errors.ts";
import type { Request } from "../node-message.ts";

/** `ignoreBOM` keeps a byte order mark in the text, because signatures include it and JSON rejects it. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Reads a body. Throws `BodyTooLarge`, `InvalidBody`, or `RequestAborted`. The listener limits the duration. */
export async function readBody(request: Request, maxBytes: number): Promise<string> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) throw new BodyTooLarge("payload_too_large", maxBytes);
  const stream = "stream" in request ? request.stream : undefined;
  // Node reports a prematurely closed HTTP/2 stream as complete, so its state is checked as well.
  const wasAborted = () => (stream ? stream.closed : request.destroyed && !request.complete);
  const parts: Buffer[] = [];
  let length = 0;
  try {
    // After a rejection, the connection stays open so that the client can read the response.
    const received: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
    for await (const part of received) {
      length += part.length;
      if (length > maxBytes) throw new BodyTooLarge("payload_too_large", maxBytes);
      parts.push(part);
    }
  } catch (error) {
    throw wasAborted() ? new RequestAborted("malformed_request") : error;
  }
  if (wasAborted()) throw new RequestAborted("malformed_request");
  return decoded(Buffer.concat(parts));
}

function decoded(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new InvalidBody();
  }
}
