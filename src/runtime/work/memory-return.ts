import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Less than this is not worth a collection. */
const grownBy = 1.25;

/** Gives back what a start or refreshes took, to be called when none is under way: V8 by itself keeps the heap of the largest ones. */
export function memoryReturn(): () => void {
  setFlagsFromString("--expose-gc");
  const collect: NodeJS.GCFunction = runInNewContext("gc");
  let stored = 0;
  return () => {
    if (process.memoryUsage().heapTotal < stored * grownBy) return;
    collect({ type: "major", execution: "sync", flavor: "last-resort" });
    stored = process.memoryUsage().heapTotal;
  };
}
