import type { BindRead } from "../../access/feeds/feed-url.ts";
import { type Operation, requiredTier } from "../../contract/catalog.ts";
import { unknownRejecter } from "../../contract/request/strict.ts";
import { InvalidRequest, invalidField } from "../../errors.ts";
import { NotRedistributable } from "../errors.ts";
import { splitTarget } from "../exchange.ts";
import { createRequestCache, createRequestDecoder, otherParameters } from "../rest/request-decoder.ts";

/**
 * Validates the read of a new feed URL like a request. Only the given operations are allowed. `withheldFrom` returns the
 * sources of a read whose rows the public must not receive.
 */
export function readBinder(
  operations: readonly Operation[],
  withheldFrom: (path: string) => readonly string[],
): BindRead {
  const reads = new Map(
    operations
      .filter(({ read, queried, inPath, access }) => read && queried && inPath.length === 0 && access.scope === "")
      .flatMap((operation) => [operation.path, ...operation.aliases].map((path) => [path, operation] as const)),
  );
  return (wanted) => {
    const { path, query } = splitTarget(wanted);
    const operation = reads.get(path);
    if (!operation) throw rejected("value must be the path of a read of data");
    const parameters = new URLSearchParams(query);
    if (!parameters.get("format")) parameters.set("format", "json");
    try {
      unknownRejecter(operation.method.input.fields, otherParameters(operation))(parameters.keys());
      createRequestDecoder(operation, createRequestCache())(parameters.toString());
    } catch (error) {
      if (!(error instanceof InvalidRequest)) throw error;
      throw rejected(error.violations.map(({ field, description }) => `${field}: ${description}`).join("; "));
    }
    requireRedistributable(parameters.toString(), withheldFrom(operation.path));
    return {
      target: `${operation.path}?${parameters}`,
      format: parameters.get("format") ?? "json",
      tier: requiredTier(operation),
    };
  };
}

/**
 * Throws if the feed URL would return restricted rows, because every client that has the URL can read it. Files leave
 * out restricted rows, but JSON contains all of them.
 */
export function requireRedistributable(query: string, withheld: readonly string[]): void {
  if (withheld.length > 0 && new URLSearchParams(query).get("format") === "json")
    throw new NotRedistributable(
      `A feed URL must not return rows of ${withheld.join(", ")} as JSON. Add a format that leaves them out, such as format=csv`,
    );
}

function rejected(description: string): InvalidRequest {
  return invalidField("path", description);
}
