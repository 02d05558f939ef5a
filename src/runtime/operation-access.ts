import type { DescMethod } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import { callerKey, principalOf } from "../access/caller.ts";
import { catalog, requiredTier } from "../contract/catalog.ts";
import { datasets } from "../domains/index.ts";
import type { Entitle } from "../interceptors/entitle.ts";

/**
 * Returns a function that checks whether the caller may call the operation from whose data a result is derived. If not,
 * it throws the error that the operation would throw.
 */
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

/** Returns, for each dataset, the lowest tier that may call one of its operations; 0 if no operation returns it. */
export function datasetTiers(): ReadonlyMap<string, number> {
  return new Map(
    datasets.map(({ name, serves }) => {
      const reads = catalog.filter(({ read, method }) => read && serves.some((each) => each === method));
      return [name, reads.length === 0 ? 0 : Math.min(...reads.map(requiredTier))];
    }),
  );
}
