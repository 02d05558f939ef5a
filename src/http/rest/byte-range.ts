import { combineRanges, parse } from "range-parser";
import { PreconditionFailed, RangeNotSatisfiable } from "../errors.ts";
import type { Exchange } from "../exchange.ts";
import { noneMatch } from "./encoding.ts";

/** Positions of the first and last byte. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** One encoding of a version of a file. */
interface Representation {
  readonly tag: string;
  /** The part of the tag that all encodings of the version share. */
  readonly hash: string;
  readonly length: number;
}

/** Header which says that the client may request ranges of the file. */
export const acceptRanges: readonly string[] = ["Accept-Ranges", "bytes"];

/**
 * Evaluates the conditions and the range of a request for a file, in the order of RFC 9110 13.2.2. Throws
 * `PreconditionFailed` or `RangeNotSatisfiable`.
 */
export function selectPart(
  { head, request }: Pick<Exchange, "head" | "request">,
  { tag, hash, length }: Representation,
): "not modified" | "whole" | ByteRange {
  const { ifMatch, ifNoneMatch, range, ifRange } = head;
  if (ifMatch !== undefined && !names(ifMatch, tag))
    throw new PreconditionFailed(`If-Match: value must be the ETag of the current version, ${tag}`);
  if (ifNoneMatch !== undefined && !noneMatch(ifNoneMatch, hash)) return "not modified";
  if (range === undefined || request.method !== "GET") return "whole";
  // No response has `Last-Modified`, so a date in `If-Range` never matches.
  if (ifRange !== undefined && ifRange.trim() !== tag) return "whole";
  const part = rangeIn(range, length);
  if (part === "unsatisfiable") throw new RangeNotSatisfiable(length);
  return part;
}

/** Returns the range; `whole` for a malformed header or several separate ranges, which a server may ignore. */
function rangeIn(header: string, length: number): "whole" | "unsatisfiable" | ByteRange {
  const { type, code, ranges } = parse(length, header);
  if (type !== "bytes" || (code & malformed) !== 0) return "whole";
  const [first, ...others] = combineRanges(ranges);
  if (!first) return "unsatisfiable";
  return others.length === 0 ? { start: first.start, end: first.end } : "whole";
}

/** Bit in the result of the parser for a header that is malformed. */
const malformed = 1;

/** Compares an `If-Match` header strongly with a tag, as in RFC 9110 13.1.1. */
function names(ifMatch: string, tag: string): boolean {
  return ifMatch.trim() === "*" || ifMatch.split(",").some((each) => each.trim() === tag);
}

/** Returns the headers of a part of a file, from those of the whole file, as alternating names and values. */
export function partHeaders(whole: readonly string[], { start, end }: ByteRange, length: number): readonly string[] {
  const headers = [...whole, "Content-Range", `bytes ${start}-${end}/${length}`];
  headers[headers.indexOf("Content-Length") + 1] = String(end - start + 1);
  return headers;
}
