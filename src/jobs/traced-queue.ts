import type { Step, Tracing } from "../telemetry/tracing.ts";
import type { Queue, Run } from "./queue.ts";

/** Wraps a queue so that its jobs are traced. The name of a step includes the dataset of the job. */
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
