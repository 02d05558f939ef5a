import { response_headers as responseHeaders } from "../../../gen/es/ids/options/v1/options_pb.ts";
import { namesOf } from "../../reference/named.ts";
import type { Operation } from "../catalog.ts";
import { getOption } from "../option.ts";
import type { JsonSchema } from "../rules/json-schema.ts";
import { type Components, component } from "./components.ts";
import { failuresOf } from "./failures.ts";
import {
  type HeaderName,
  headerComponents,
  headerRefs,
  notModifiedHeaders,
  partHeaders,
  successHeaders,
} from "./headers.ts";
import type { TimeMetadata } from "./parameters.ts";

/** Describes the responses of an operation by status. */
export function responsesOf(
  operation: Operation,
  content: JsonSchema,
  times: TimeMetadata,
  components: Components,
): JsonSchema {
  const { name, aliases, queried, successStatus } = operation;
  const hasTables = "text/csv" in content;
  const headers = headerRefs([...successHeaders(operation, times, hasTables), ...ownHeaders(operation)]);
  const success =
    successStatus === 204
      ? { description: "Success. The response has no body.", headers }
      : { description: "Success.", headers, content };
  return {
    // The deprecated paths of an operation refer to the same response.
    [successStatus]: aliases.length > 0 ? component(components, "responses", `${name}Success`, success) : success,
    ...(queried ? { 304: component(components, "responses", "NotModified", notModified) } : {}),
    ...(hasTables ? { 206: component(components, "responses", "FilePart", filePart) } : {}),
    ...failuresOf(operation, hasTables, components),
  };
}

const filePart: JsonSchema = {
  description:
    "The part of a file that `Range` selects. Send the `ETag` in `If-Range` to combine parts of one version.",
  headers: headerRefs(partHeaders),
};

const notModified: JsonSchema = {
  description: "Not modified: the cached response is still current. Headers are those of the response.",
  headers: headerRefs(notModifiedHeaders),
};

/** Returns headers that only some operations have. Throws if a header of the contract has no description. */
function ownHeaders(operation: Operation): readonly HeaderName[] {
  return getOption(operation.method, responseHeaders).map((header) => {
    const known = namesOf(headerComponents).find((name) => name === header);
    if (known) return known;
    throw new Error(`${operation.name} names the header ${header}, which is not described`);
  });
}
