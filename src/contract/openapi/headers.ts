import type { Operation } from "../catalog.ts";
import { nextCursorHeader, pagingOf } from "../paging.ts";
import type { TimeMetadata } from "./parameters.ts";

const text = { type: "string" };
const integer = { type: "integer" };

export const headerComponents = {
  "X-Request-Id": {
    description:
      "Id of this request. The caller's own id if it is 1 to 64 characters of `A-Za-z0-9_-`, otherwise a new id.",
    schema: text,
  },
  ETag: { description: "Strong validator of the response bytes. Send it in `If-None-Match`.", schema: text },
  "Repr-Digest": {
    description: "SHA-256 of the whole response body in its encoding (RFC 9530): `sha-256=:…:`, in base64.",
    schema: text,
  },
  "Accept-Ranges": {
    description: "`bytes` with a file format: send `Range` to get a part of the uncompressed file.",
    schema: { type: "string", enum: ["bytes"] },
  },
  "Content-Range": {
    description: "Position of the part and length of the file, such as `bytes 0-99/2048`; `bytes */2048` with 416.",
    schema: text,
  },
  "Cache-Control": {
    description: "How long the response may be cached. Errors and responses without data are `no-store`.",
    schema: text,
  },
  "CDN-Cache-Control": { description: "How long a content delivery network may cache the response.", schema: text },
  "Surrogate-Key": {
    description: "Datasets of a public response, space-separated, for shared caches.",
    schema: text,
  },
  Vary: { description: "Request headers on which the response depends.", schema: text },
  "X-Data-Origin": {
    description: "`sample` if the response is from sample data, whose values are invented. Otherwise absent.",
    schema: { type: "string", enum: ["sample"] },
  },
  "X-Data-Age": {
    description:
      "Seconds since the last successful read of the data. Present only if the data is older than it should be.",
    schema: integer,
  },
  "X-Data-Stale": {
    description: "`true` if the data is older than it should be. Such a response may be cached for at most one minute.",
    schema: { type: "string", enum: ["true"] },
  },
  "X-Data-Missing": {
    description:
      "What the data lacks, comma-separated: sources that were never read, rows before the held period, countries without a score.",
    schema: text,
  },
  "X-Data-Sources": {
    description: "Sources of the values in this response, comma-separated, if they depend on the request.",
    schema: text,
  },
  "X-As-Of": {
    description: "Time of which the response is, ISO 8601 in UTC. Present only if `as_of` was sent.",
    schema: text,
  },
  "X-Updated-At": {
    description:
      "Time of the last change of the data, ISO 8601 in UTC. Send it as `updated_after` to get the rows that appear or change later. Present if the read supports `updated_after` in addition to its own fields.",
    schema: text,
  },
  "X-Data-Withheld": {
    description:
      "Sources whose rows were left out of the file because their terms do not permit redistribution, comma-separated.",
    schema: text,
  },
  "X-Next-Cursor": {
    description:
      "Cursor of the next page of a paged list, in every format. Absent from the last page and if `all=true`.",
    schema: text,
  },
  "X-Unknown-Keys": {
    description:
      "Keys without any point in the series: percent-encoded, comma-separated. Absent if all are known; a known key without a row has no points in the time.",
    schema: text,
  },
  "X-Bbox": {
    description: "`missing` if no corner of the map box was sent.",
    schema: { type: "string", enum: ["missing"] },
  },
  "X-Bbox-Missing": { description: "Corner parameters that were not sent, comma-separated.", schema: text },
  "X-Flight-Upstream": {
    description: "`unavailable` if the flight provider failed.",
    schema: { type: "string", enum: ["unavailable"] },
  },
  "X-RateLimit-Limit": { description: "Requests allowed in the window.", schema: integer },
  "X-RateLimit-Remaining": { description: "Requests remaining in the window.", schema: integer },
  "X-RateLimit-Reset": { description: "End of the window, Unix epoch milliseconds.", schema: integer },
  "RateLimit-Policy": { description: 'The quota and its window in seconds: `"default";q=60;w=60`.', schema: text },
  RateLimit: {
    description: 'Remaining requests and seconds until the window ends: `"default";r=59;t=42`.',
    schema: text,
  },
  "RateLimit-Limit": { description: "Requests allowed in the window.", schema: integer },
  "RateLimit-Remaining": { description: "Requests remaining in the window.", schema: integer },
  "RateLimit-Reset": { description: "Seconds until the window ends.", schema: integer },
  "Retry-After": { description: "Seconds to wait before retrying.", schema: integer },
  "X-Should-Retry": { description: "`false` if a retry cannot help.", schema: text },
  "X-Billing-Verification": {
    description: "State of the billing verification. Same as `code` in the body.",
    schema: text,
  },
  "X-Validation-Mode": { description: "`degraded` while keys cannot be validated.", schema: text },
  "X-RateLimit-Mode": { description: "`degraded` while a required rate limit cannot be checked.", schema: text },
  "Idempotency-Key": {
    description: "Of a write: key under which the response is stored for 24 hours, for this API key.",
    schema: text,
  },
  "Idempotent-Replayed": {
    description:
      "Of a write: `true` if this is the stored response of an earlier call with the same `Idempotency-Key`.",
    schema: { type: "string", enum: ["true", "false"] },
  },
  "WWW-Authenticate": { description: "How to authenticate.", schema: text },
  "X-Ignored-Parameters": {
    description:
      "Query parameters that were ignored: unknown ones, and those with several values, of which only the first counts. Percent-encoded, comma-separated, at most 20; `+3` at the end stands for three more.",
    schema: text,
  },
  "X-Parameter-Warnings": {
    description:
      "Parameters that were accepted, but are probably mistakes or have no effect, such as `start looks like seconds; milliseconds are expected` or `start must not be after end`.",
    schema: text,
  },
  "Preference-Applied": { description: "The `Prefer` value that was applied: `handling=strict`.", schema: text },
  Deprecation: {
    description: "Time since which the path or a request parameter is deprecated: `@` and Unix seconds (RFC 9745).",
    schema: text,
  },
  Link: {
    description:
      "Documentation (`help`), contract (`service-desc`), datasets (`about`) and terms of the sources (`license`) of the data; the description of the columns of a file in any format (`describedby`); the path to use instead of a deprecated one (RFC 8288).",
    schema: text,
  },
  "Content-Disposition": { description: "Name of the file: not with JSON.", schema: text },
  Location: { description: "URL of the status of the started job.", schema: text },
  "X-Content-Type-Options": {
    description: "Always `nosniff`: the media type is as it is stated.",
    schema: { type: "string", enum: ["nosniff"] },
  },
  "X-Robots-Tag": {
    description: "`noindex` in sample mode, because the values are invented, and for feed URLs, which are secret.",
    schema: { type: "string", enum: ["noindex"] },
  },
  Allow: { description: "Methods that the path supports.", schema: text },
} as const;

/** Headers that HTTP clients and caches process. The document describes them once instead of per response. */
export const commonHeaders: readonly HeaderName[] = [
  ...(["Cache-Control", "CDN-Cache-Control", "Surrogate-Key", "Vary", "X-Content-Type-Options"] as const),
  "X-Robots-Tag",
  ...(["Preference-Applied", "Deprecation", "Repr-Digest", "Accept-Ranges"] as const),
];

/** Headers of every response, including failures. */
export const ofAny: readonly HeaderName[] = [
  ...(["X-Request-Id", "Link", "X-Ignored-Parameters", "X-Parameter-Warnings"] as const),
  ...(["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "RateLimit"] as const),
];

export const ofWrites: readonly HeaderName[] = ["Idempotency-Key", "Idempotent-Replayed"];

/** Headers about the age and origin of the data. Over RPC, metadata has the same names. */
export const ofData: readonly HeaderName[] = [
  "X-Data-Origin",
  "X-Data-Age",
  "X-Data-Stale",
  "X-Data-Missing",
  "X-Data-Sources",
];

const ofFiles: readonly HeaderName[] = ["Content-Disposition", "X-Data-Withheld"];

export const partHeaders: readonly HeaderName[] = [
  ...[...ofAny, ...ofData, ...ofFiles],
  ...(["Content-Range", "ETag", "X-As-Of", "X-Updated-At", nextCursorHeader] as const),
];

/** Returns the headers of a success that several operations share. */
export function successHeaders(operation: Operation, times: TimeMetadata, hasTables: boolean): readonly HeaderName[] {
  return [
    ...ofAny,
    ...(operation.queried ? (["ETag"] as const) : []),
    ...(operation.read ? ofData : ofWrites),
    ...(times.hasPast ? (["X-As-Of"] as const) : []),
    ...(times.hasUpdates ? (["X-Updated-At"] as const) : []),
    ...(hasTables ? ofFiles : []),
    ...(pagingOf(operation) ? ([nextCursorHeader] as const) : []),
  ];
}

export const notModifiedHeaders: readonly HeaderName[] = [
  ...[...commonHeaders, ...ofAny, ...ofData, ...ofFiles],
  ...(["ETag", "X-As-Of", "X-Updated-At", nextCursorHeader, "X-Bbox", "X-Bbox-Missing", "X-Unknown-Keys"] as const),
];

export type HeaderName = keyof typeof headerComponents;

export function headerRefs(names: readonly HeaderName[]): Record<string, { readonly $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
