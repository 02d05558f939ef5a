import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { Unavailable } from "../../../errors.ts";
import type { Cells, ParquetPlan } from "./parquet-file.ts";

export interface OpenedFile {
  readonly plan: ParquetPlan;
  /** Channel to the thread, which receives a file part by part, and sends back the bytes of each or an error. */
  readonly port: MessagePort;
}

export type Step = "begin" | Cells | "end";

/** A file that another thread encodes. Callers must await each piece before they request the next. */
interface FileInThread extends Disposable {
  readonly begin: () => Promise<Buffer>;
  readonly rows: (cells: Cells) => Promise<Buffer>;
  readonly end: () => Promise<Buffer>;
}

interface Thread {
  readonly worker: Worker;
  readonly ended: Promise<Unavailable>;
  files: number;
  idle?: NodeJS.Timeout;
}

/** An idle thread uses about 30 MB, so it ends after this time. */
const idleMs = 10_000;
/** Maximum heap for all files. The index of a file grows by 30 kB per 1,000 rows. */
const maxOldGenerationSizeMb = 512;
/** Maximum size of the heap's young generation. A larger one would use more memory but not be faster. */
const maxYoungGenerationSizeMb = 16;

/** The encoding thread of this process, if files are being written. */
let current: Thread | undefined;

/** Encodes a file in another thread, because each row group would block other requests for at least 20 ms. */
export function encodeInThread(plan: ParquetPlan): FileInThread {
  const thread = current ?? startThread();
  clearTimeout(thread.idle);
  thread.files += 1;
  const { port1: port, port2 } = new MessageChannel();
  thread.worker.postMessage({ plan, port: port2 } satisfies OpenedFile, [port2]);
  let awaited: PromiseWithResolvers<Buffer> | undefined;
  let isClosed = false;
  port.on("message", (response: Uint8Array<ArrayBuffer> | Error) => {
    if (response instanceof Error) awaited?.reject(response);
    else awaited?.resolve(Buffer.from(response.buffer));
  });
  const fail = async () => {
    isClosed = true;
    awaited?.reject(await thread.ended);
  };
  port.on("close", fail);
  const sendRequest = async (step: Step) => {
    if (isClosed) throw await thread.ended;
    awaited = Promise.withResolvers();
    port.postMessage(step);
    return await awaited.promise;
  };
  return {
    begin: () => sendRequest("begin"),
    rows: sendRequest,
    end: () => sendRequest("end"),
    [Symbol.dispose]() {
      port.off("close", fail).close();
      thread.files -= 1;
      if (thread.files > 0) return;
      thread.idle = setTimeout(() => end(thread), idleMs).unref();
    },
  };
}

function startThread(): Thread {
  const worker = new Worker(new URL("./parquet-thread-entry.ts", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb, maxYoungGenerationSizeMb },
  });
  // Without `unref`, an idle thread would keep the process running.
  worker.unref();
  let cause: unknown = new Error("The thread that encodes Parquet ended unexpectedly");
  worker.on("error", (error) => {
    cause = error;
  });
  const ended = new Promise<Unavailable>((resolve) =>
    worker.once("exit", () => {
      // The client can try again, because the next file starts another thread.
      resolve(new Unavailable("The file could not be written: try again", { cause, retryAfterSeconds: 1 }));
    }),
  );
  const thread: Thread = { worker, ended, files: 0 };
  void ended.then(() => forget(thread));
  current = thread;
  return thread;
}

function end(thread: Thread): void {
  forget(thread);
  void thread.worker.terminate();
}

function forget(thread: Thread): void {
  if (current === thread) current = undefined;
}
