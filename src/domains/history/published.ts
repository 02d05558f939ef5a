export { keyCoverage } from "./key-coverage.ts";
export { inventedAt } from "./sample-points.ts";
