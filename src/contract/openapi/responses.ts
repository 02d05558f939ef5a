import { response_headers as responseHeaders } from "../../../gen/es/ids/options/v1/options_pb.ts";
import type { Operation } from "../catalog.ts";
import { getOption } from "../option.ts";
import type { JsonSchema } from "../schema.ts";
import { type Components, component } from "./components.ts";
import { failuresOf } from "./failures.ts";
import { type HeaderName, headerComponents, headerRefs, notModifiedHeaders, successHeaders } from "./headers.ts";
import type { MomentFacts } from "./parameters.ts";

/** The responses of an operation: its success, 304 where it can be revalidated, and every failure with its shape. */
export function responsesOf(
  operation: Operation,
  content: JsonSchema,
  moments: MomentFacts,
  components: Components,
): JsonSchema {
  const { name, aliases, queried, successStatus } = operation;
  const hasTables = "text/csv" in content;
  const headers = headerRefs([...successHeaders(operation, moments, hasTables), ...ownHeaders(operation)]);
  const success =
    successStatus === 204
      ? { description: "Success. The response has no body.", headers }
      : { description: "Success.", headers, content };
  return {
    // Older paths have the same response.
    [successStatus]: aliases.length > 0 ? component(components, "responses", `${name}Success`, success) : success,
    ...(queried ? { 304: component(components, "responses", "NotModified", notModified) } : {}),
    ...failuresOf(operation, hasTables, components),
  };
}

const notModified: JsonSchema = {
  description: "Not modified: the cached response is still current. Headers are those of the response.",
  headers: headerRefs(notModifiedHeaders),
};

/** Headers that only some operations have. Throws where one that the contract names is described nowhere. */
function ownHeaders(operation: Operation): readonly HeaderName[] {
  return getOption(operation.method, responseHeaders).map((header) => {
    if (header in headerComponents) return header as HeaderName;
    throw new Error(`${operation.name} names the header ${header}, which is not described`);
  });
}
