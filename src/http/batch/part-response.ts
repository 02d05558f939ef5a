import { asBytes, type JsonBytes } from "../../contract/json.ts";
import type { Failure } from "../errors.ts";
import type { Body } from "../exchange.ts";
import type { PreparedResponse } from "../rest/prepared-response.ts";
import type { Part } from "./part.ts";

export interface PartResponse {
  readonly id: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The response to one read of the batch as JSON: the text up to the body of the response, and then this body. */
  readonly start: JsonBytes;
  readonly body: Body;
}

export function responded(id: string, { headers }: Part, { status, identity }: PreparedResponse): PartResponse {
  return partResponse(id, status, [...identity.notModified, ...headers], identity.body);
}

export function rejected(id: string, part: Part, { status, headers, body }: Failure): PartResponse {
  const reported = ["Cache-Control", "no-store", ...part.headers, ...headers];
  return partResponse(id, status, reported, asBytes(JSON.stringify(body)));
}

/** Returns the `X-Data-Origin` header as name and value, if any read of the batch was computed from sample data. */
export function originOf(responses: readonly PartResponse[]): readonly string[] {
  const origin = responses.find(({ headers }) => headers["X-Data-Origin"])?.headers["X-Data-Origin"];
  return origin === undefined ? [] : ["X-Data-Origin", origin];
}

export function sizeOf({ start, body }: PartResponse): number {
  return start.length + body.length + 2;
}

function partResponse(id: string, status: number, pairs: readonly string[], body: Body): PartResponse {
  const headers = headersOf(pairs);
  const start = asBytes(`{"id":${JSON.stringify(id)},"status":${status},"headers":${JSON.stringify(headers)},"body":`);
  return { id, status, headers, start, body };
}

/** Converts alternating names and values to an object. Leaves out `Vary`, and joins values of repeated headers. */
function headersOf(pairs: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let index = 0; index + 1 < pairs.length; index += 2) {
    const [name = "", value = ""] = pairs.slice(index, index + 2);
    if (name === "Vary") continue;
    const known = headers[name];
    headers[name] = known === undefined ? value : `${known}, ${value}`;
  }
  return headers;
}
