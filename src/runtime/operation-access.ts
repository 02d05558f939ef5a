import type { DescMethod } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import { callerKey, principalOf } from "../access/caller.ts";
import { catalog, requiredTier } from "../contract/catalog.ts";
import { datasets } from "../domains/index.ts";
import type { Entitle } from "../interceptors/entitle.ts";

/** Rejects callers that may not call a read from whose data a result is derived. Throws the error of that read. */
export function accessOf(
  entitle: Entitle,
  clock: () => Date,
): (method: DescMethod, context: HandlerContext) => Promise<void> {
  const operations = new Map<DescMethod, (typeof catalog)[number]>(catalog.map((each) => [each.method, each]));
  return async (method, { values }) => {
    const operation = operations.get(method);
    if (!operation) throw new Error(`${method.name} is not an operation of the contract`);
    if (operation.access.anonymous) return;
    await entitle(operation, principalOf(values.get(callerKey)), clock().getTime());
  };
}

/** Returns the lowest tier at which any read of each dataset may be called; 0 if no read serves it. */
export function datasetTiers(): ReadonlyMap<string, number> {
  return new Map(
    datasets.map(({ name, serves }) => {
      const reads = catalog.filter(({ read, method }) => read && serves.some((each) => each === method));
      return [name, reads.length === 0 ? 0 : Math.min(...reads.map(requiredTier))];
    }),
  );
}
