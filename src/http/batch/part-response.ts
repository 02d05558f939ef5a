import { asBytes, type JsonBytes } from "../../contract/json.ts";
import type { Failure } from "../errors.ts";
import type { Body } from "../exchange.ts";
import type { PreparedResponse } from "../rest/prepared-response.ts";
import type { Part } from "./part.ts";

export interface PartResponse {
  readonly id: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON of the part up to its body, and then the body. */
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

/** Returns the header for the origin of data as a flat pair, if any part was computed from sample data. */
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

/** Converts flat pairs to an object without transfer headers. A repeated header becomes a list. */
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
