import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** A smaller growth is not worth a collection. */
const grownBy = 1.25;

/** Call it when none is running, because V8 otherwise keeps its largest heap. */
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
