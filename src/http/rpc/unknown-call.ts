import { Code } from "@connectrpc/connect";
import { type Exchange, send } from "../exchange.ts";

/** Whether a request is a call of gRPC or gRPC-Web. */
export function speaksGrpc({ request }: Exchange): boolean {
  return request.method === "POST" && /^application\/grpc/.test(request.headers["content-type"] ?? "");
}

/** Answers a call of a method that does not exist as gRPC tells it, behind a 200. Returns the status for the metrics. */
export async function refuseUnknownCall(exchange: Exchange, meter: (client: Exchange) => unknown): Promise<number> {
  await meter(exchange);
  const { request, response, headers } = exchange;
  const type = request.headers["content-type"] ?? "application/grpc";
  const head = ["Content-Type", type, "Cache-Control", "no-store", ...headers];
  // gRPC wants the status behind the head; gRPC-Web has it in the head where there is nothing else.
  if ("stream" in response && !type.startsWith("application/grpc-web")) {
    response.addTrailers(Object.fromEntries(refusal));
    send(exchange, 200, head);
  } else send(exchange, 200, [...head, ...refusal.flat()]);
  return 404;
}

const refusal = [
  ["grpc-status", String(Code.Unimplemented)],
  ["grpc-message", "Unknown service or method"],
] as const;
