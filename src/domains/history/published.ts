export { compareEnds } from "./compare-ends.ts";
export { keyCoverage, keyOf } from "./key-coverage.ts";
export { inventedAt } from "./sample-points.ts";
