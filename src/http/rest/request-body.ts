import { BodyTooLarge, InvalidBody, RequestAborted } from "../../errors.ts";
import type { Request } from "../node-message.ts";

/** A byte order mark remains in the text, because it is part of a signed body and invalid in JSON. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Throws `BodyTooLarge`, `InvalidBody`, or `RequestAborted`. The listener limits the time. */
export async function readBody(request: Request, maxBytes: number): Promise<string> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) throw new BodyTooLarge("payload_too_large", maxBytes);
  const stream = "stream" in request ? request.stream : undefined;
  // An HTTP/2 stream that is closed early ends normally, and `complete` is true.
  const wasAborted = () => (stream ? stream.closed : request.destroyed && !request.complete);
  const parts: Buffer[] = [];
  let length = 0;
  try {
    // After an early exit the connection remains, so that the client can read the rejection.
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
