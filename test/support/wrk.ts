import { spawnSync } from "node:child_process";

/** Whether the load generator is on this machine. */
export const hasWrk = spawnSync("wrk", ["-v"]).error === undefined;
