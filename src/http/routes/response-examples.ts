import type { Operation } from "../../contract/catalog.ts";
import type { OperationInputs } from "../../ingest/graph.ts";
import { exampleAddress, exampleRequest } from "../../pages/reference/example-request.ts";
import type { ExampleResponse } from "../../pages/reference/example-response.ts";
import { within } from "../../reference/deadline.ts";
import { type Exchange, headerOf } from "../exchange.ts";
import { readResponse } from "../rest/prepared-response.ts";
import type { ReadOperation } from "../rest/read-operation.ts";
import type { ResponseCache } from "../rest/response-cache.ts";

export interface ResponseExamples {
  readonly epoch: () => number;
  /** Returns an example of a response; undefined if none may be public or is available now. */
  readonly of: (exchange: Exchange, operation: Operation) => Promise<ExampleResponse | undefined>;
}

/** Time after which the page shows another example, if the store has not responded. */
const timeoutMs = 1_000;

export interface ResponseExamplesParts {
  readonly reads: readonly { readonly operation: Operation; readonly readOperation: ReadOperation }[];
  readonly inputs: readonly OperationInputs[];
  readonly responseCache: ResponseCache;
  /** True if all data is sample data, which may be public. */
  readonly isSample: boolean;
}

export function responseExamples({ reads, inputs, responseCache, isSample }: ResponseExamplesParts): ResponseExamples {
  const fromDatasets = new Set(
    inputs.filter(({ datasets, lookups }) => datasets.length > 0 && lookups.length === 0).map(({ method }) => method),
  );
  const readOperations = new Map(
    reads
      .filter(({ operation }) => fromDatasets.has(operation.method) && (isSample || operation.access.anonymous))
      .map(({ operation, readOperation }) => [operation, readOperation]),
  );
  return {
    epoch: responseCache.epoch,
    async of(exchange, operation) {
      const readOperation = readOperations.get(operation);
      if (!readOperation || operation.inPath.length > 0) return undefined;
      const [, query = ""] = exampleAddress(operation, exampleRequest(operation)).split("?");
      try {
        const request = readOperation.decode(query);
        const response = await within(timeoutMs, Promise.resolve(readOperation.respond(exchange, request, undefined)));
        const isSampleData = headerOf(response.identity.headers, "X-Data-Origin") === "sample";
        return { body: readResponse(response), from: "service", isSample: isSampleData };
      } catch {
        // The data is missing or takes too long, so the page shows the example in the contract.
        return undefined;
      }
    },
  };
}
