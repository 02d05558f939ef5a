export { inventedAt } from "./sample-points.ts";
