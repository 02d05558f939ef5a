import type { Message } from "@bufbuild/protobuf";
import { LRUCache } from "lru-cache";
import { type AsOf, asOfParameter, readAsOf } from "../../contract/as-of.ts";
import type { Operation } from "../../contract/catalog.ts";
import { citeParameter } from "../../contract/citation.ts";
import { usesDeprecated } from "../../contract/deprecation.ts";
import type { FileFormat } from "../../contract/file-format.ts";
import { jsonWriter } from "../../contract/json.ts";
import { countryParameter, countryReader, twinOfCountry } from "../../contract/request/country-parameter.ts";
import { namesOf } from "../../contract/request/parameter-names.ts";
import { type ParameterWarning, parameterWarner } from "../../contract/request/parameter-warnings.ts";
import { queryDecoder } from "../../contract/request/query.ts";

import { ignoredNames } from "../../contract/request/strict.ts";
import {
  invalidUpdatedAfter,
  readUpdatedAfter,
  selectsUpdates,
  updatedAfterParameter,
} from "../../contract/updated-after.ts";
import { invalidField } from "../../errors.ts";
import { validate } from "../../interceptors/validate.ts";
import { type FileRequest, fileParameters, fileRequestReader } from "./formats/file-request.ts";

export interface Decoded {
  readonly message: Message;
  readonly key: string;
  /** Cache key of the same request without `as_of` and `updated_after`. */
  readonly timeless: string;
  readonly derived?: Derived;
  /** Value of `as_of`; undefined for current data. */
  readonly asOf: AsOf | undefined;
  /** Value of `updated_after` if the message has no such field; undefined selects all rows. */
  readonly updatedAfter: number | undefined;
  readonly deprecated: boolean;
  readonly ignored: string | undefined;
  /** Parameters that are accepted, but that are probably mistakes or have no effect. */
  readonly warnings: readonly ParameterWarning[];
  /** True after a second request. The response to a single request is not cached, because it would evict others. */
  repeated: boolean;
}

/**
 * Result derived from a JSON response (the output of an expression, or a file), with the cache key `whole` of that
 * response.
 */
export type Derived = { readonly whole: string } & ({ readonly expression: string } | { readonly file: FileRequest });

/**
 * Reads queries of one operation. Throws `InvalidRequest`. `line` is the cache key of the request; the default is the
 * query. `accepted` is the format that the `Accept` header prefers to JSON. `mayRead` is called for a request that
 * isn't cached, and throws if it must not be read.
 */
export type RequestDecoder = (query: string, line?: string, accepted?: FileFormat, mayRead?: () => void) => Decoded;

export type RequestCache = LRUCache<string, Decoded>;

/** Returns the parameters of a read that are not fields of its request message. */
export function otherParameters({ method }: Operation): readonly string[] {
  return [
    "jmespath",
    asOfParameter,
    updatedAfterParameter,
    citeParameter,
    ...fileParameters,
    ...(twinOfCountry(method.input) ? [countryParameter] : []),
  ];
}

/** Maximum memory of cached requests, and the estimated size of one without its texts. */
const rememberedBytes = 16_000_000;
const messageBytes = 2_048;
/** Maximum length of a cached query: the longest expression with each byte percent-encoded. */
const maxRemembered = 4096;

export function createRequestCache(): RequestCache {
  return new LRUCache<string, Decoded>({
    // `max` would allocate space for all entries at the start, but `maxSize` does not.
    maxSize: rememberedBytes,
    sizeCalculation: ({ key }, line) => line.length + key.length + messageBytes,
  });
}

export function createRequestDecoder(operation: Operation, requests: RequestCache): RequestDecoder {
  const { method } = operation;
  const decode = queryDecoder(method.input);
  const write = jsonWriter(method.input);
  const isDeprecated = usesDeprecated(method.input);
  const ignoredIn = ignoredNames(method.input.fields, otherParameters(operation));
  const warningsOf = parameterWarner(method.input.fields);
  const readCountry = countryReader(method.input);
  const fileIn = fileRequestReader(operation);
  const readsUpdates = operation.read && !selectsUpdates(operation);

  const read = (query: string, accepted: FileFormat | undefined): Decoded => {
    const parameters = new URLSearchParams(query);
    const ignored = ignoredIn(parameters);
    readCountry(parameters);
    const message = decode(parameters);
    validate(operation, message);
    const asOf = operation.read ? asOfIn(parameters) : undefined;
    const updatedAfter = readsUpdates ? updatedAfterIn(parameters) : undefined;
    // Responses for a past time are cached without `updated_after`, so a cached one would not be filtered. The
    // combination is rejected.
    if (asOf && updatedAfter !== undefined) throw invalidUpdatedAfter(`value must be absent with ${asOfParameter}`);
    // The characters `@` and `>` keep the cache keys unique, because no serialized message starts with them.
    const times = `${asOf ? `@${asOf.at}` : ""}${updatedAfter === undefined ? "" : `>${updatedAfter}`}`;
    const timeless = `${method.name} ${write(message)}`;
    const whole = `${timeless}${times}`;
    const plain = {
      asOf,
      updatedAfter,
      message: Object.freeze(message),
      key: whole,
      timeless,
      deprecated: isDeprecated(message),
      repeated: false,
      ignored,
      warnings: warningsOf(({ name, jsonName }) => parameters.get(name) ?? parameters.get(jsonName)),
    };
    const expression = operation.read ? parameters.get("jmespath") : null;
    const file = operation.read ? fileIn(parameters, accepted) : undefined;
    if (file?.all && asOf) throw invalidField("all", "value must be absent with as_of");
    const derived = file ? { file, whole } : expression ? { expression, whole } : undefined;
    if (!derived) return plain;
    const suffix = file ? nameOf(file) : expression;
    return { ...plain, key: `${whole} ${suffix}`, timeless: `${timeless} ${suffix}`, derived };
  };

  return (query, given = `${method.name}?${query}`, accepted, mayRead) => {
    const line = accepted ? `${accepted} ${given}` : given;
    const known = requests.get(line);
    if (known) {
      known.repeated = true;
      return known;
    }
    mayRead?.();
    const made = read(query, accepted);
    if (line.length <= maxRemembered) requests.set(line, made);
    return made;
  };
}

function asOfIn(parameters: URLSearchParams): AsOf | undefined {
  const text = textIn(parameters, asOfParameter);
  return text ? readAsOf(text) : undefined;
}

function updatedAfterIn(parameters: URLSearchParams): number | undefined {
  const text = textIn(parameters, updatedAfterParameter);
  return text ? readUpdatedAfter(text) : undefined;
}

function textIn(parameters: URLSearchParams, name: string): string | undefined {
  const [own, twin] = namesOf(name);
  return parameters.get(own) || parameters.get(twin) || undefined;
}

/** Returns the part of a cache key for a file. No expression starts with the same characters. */
function nameOf({ format, table, raw, all, columns }: FileRequest): string {
  return `=${format} ${table.name} ${columns}${raw ? " raw" : ""}${all ? " all" : ""}`;
}
