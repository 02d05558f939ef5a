import type { Step, Tracing } from "../telemetry/tracing.ts";
import type { Queue, Run } from "./queue.ts";

/** Adds tracing to the jobs of a queue. The name of a trace step contains the dataset of its job. */
export function tracedQueue(queue: Queue, tracing: Tracing): Queue {
  return {
    ...queue,
    work<Data extends object>(
      kind: Parameters<Queue["work"]>[0],
      handler: (data: Data, run: Run) => Promise<void>,
      concurrency?: number,
    ) {
      const recorded = (data: Data, run: Run) =>
        tracing.job(
          () => stepOf(kind.name, "dataset" in data ? String(data.dataset) : undefined, run),
          () => handler(data, run),
        );
      return queue.work(kind, recorded, concurrency);
    },
  };
}

function stepOf(kind: string, dataset: string | undefined, { attempt }: Run): Step {
  return {
    name: dataset === undefined ? kind : `${kind} ${dataset}`,
    attributes: { "ids.job": kind, "ids.dataset": dataset, "ids.attempt": attempt },
  };
}
