import { type IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { helpOn } from "./error-guide.ts";
import { requestId } from "./exchange.ts";

/** A refused peer may still be sending; cut at once, it would lose the refusal as well. */
const lingerMs = 1_000;

/** Answers what cannot be read as HTTP, and cuts it. */
export function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) return;
  const current = "_httpMessage" in socket ? socket._httpMessage : undefined;
  if (current instanceof ServerResponse) {
    // What follows a whole request is broken: the answer to that request goes out first.
    if (current.req.complete) {
      current.once("close", () => socket.destroySoon());
      return;
    }
    if (current.headersSent) {
      socket.destroy();
      return;
    }
  }
  const status =
    error.code === "HPE_HEADER_OVERFLOW"
      ? "431 Request Header Fields Too Large"
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? "408 Request Timeout"
        : "400 Bad Request";
  const { head, body } = refusal(status.slice(4));
  const lines = [`HTTP/1.1 ${status}`, "Connection: close", ...head.map((header) => header.join(": "))];
  socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`);
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

/** Head and body of an answer to what is no request. */
export function refusal(error: string) {
  const body = JSON.stringify({ error });
  const head = [
    ["Cache-Control", "no-store"],
    ["X-Request-Id", requestId(undefined)],
    ["Content-Type", "application/json; charset=utf-8"],
    ["Content-Length", String(body.length)],
    helpOn("message-refused"),
  ] as const;
  return { head, body };
}

/** An `Expect` that nothing here can meet. */
export function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const { head, body } = refusal("Expectation Failed");
  response.writeHead(417, Object.fromEntries(head)).end(body);
}
