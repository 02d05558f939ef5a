import type { BindRead } from "../../access/feeds/feed-url.ts";
import { type Operation, requiredTier } from "../../contract/catalog.ts";
import { unknownRejecter } from "../../contract/request/strict.ts";
import { InvalidRequest } from "../../errors.ts";
import { splitTarget } from "../exchange.ts";
import { createRequestCache, createRequestDecoder, otherParameters } from "../rest/request-decoder.ts";

/** Validates the read of a new feed URL like a request. Only the given operations are allowed. */
export function readBinder(operations: readonly Operation[]): BindRead {
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
    return {
      target: `${operation.path}?${parameters}`,
      format: parameters.get("format") ?? "json",
      tier: requiredTier(operation),
    };
  };
}

function rejected(description: string): InvalidRequest {
  return new InvalidRequest([{ field: "path", description }]);
}
