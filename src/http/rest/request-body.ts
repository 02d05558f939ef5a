import { BodyTooLarge, InvalidBody, RequestAborted } from "../../errors.ts";
import type { Request } from "../node-message.ts";

/** A byte order mark is part of what is signed, and no JSON. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The whole body as text. Throws `BodyTooLarge`, `InvalidBody`, `RequestAborted`; how long it may take is the listener's to say. */
export async function readBody(request: Request, maxBytes: number): Promise<string> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) throw new BodyTooLarge("payload_too_large", maxBytes);
  const stream = "stream" in request ? request.stream : undefined;
  // A stream of HTTP/2 that is closed early just ends, and counts as complete.
  const wasAborted = () => (stream ? stream.closed : request.destroyed && !request.complete);
  const parts: Buffer[] = [];
  let length = 0;
  try {
    // Given up half-way, the connection stays, so that the refusal can be read.
    for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
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
