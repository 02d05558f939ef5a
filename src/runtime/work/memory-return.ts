import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Minimum growth of the heap for which a garbage collection is worth its time. */
const grownBy = 1.25;

/** Returns a function that frees memory. Call it between tasks, because V8 otherwise keeps its largest heap. */
export function memoryReturn(): () => void {
  setFlagsFromString("--expose-gc");
  const collect: NodeJS.GCFunction = runInNewContext("gc");
  let heapAfterCollection = 0;
  return () => {
    if (process.memoryUsage().heapTotal < heapAfterCollection * grownBy) return;
    collect({ type: "major", execution: "sync", flavor: "last-resort" });
    heapAfterCollection = process.memoryUsage().heapTotal;
  };
}
