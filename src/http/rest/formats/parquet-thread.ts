import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { Unavailable } from "../../../errors.ts";
import type { Cells, ParquetPlan } from "./parquet-file.ts";

export interface OpenedFile {
  readonly plan: ParquetPlan;
  /** Receives one step at a time, and sends the bytes of each step or an error. */
  readonly port: MessagePort;
}

export type Step = "begin" | Cells | "end";

/** A file that the thread encodes. Await each piece before the next. */
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

/** The thread ends after this idle time, because it uses some 30 MB without a file. */
const idleMs = 10_000;
/** Maximum memory for all files. The list of row groups of each file grows by 30 kB per 1,000 rows. */
const maxOldGenerationSizeMb = 512;
/** A larger value would only use memory. */
const maxYoungGenerationSizeMb = 16;

/** The thread of this process. It exists only while files are written. */
let current: Thread | undefined;

/** Encodes a file in another thread. A row group takes 20 ms and the end takes longer, which would block requests. */
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
  // An idle thread does not keep the process running.
  worker.unref();
  let cause: unknown = new Error("The thread that encodes Parquet ended unexpectedly");
  worker.on("error", (error) => {
    cause = error;
  });
  const ended = new Promise<Unavailable>((resolve) =>
    worker.once("exit", () => {
      // The next file starts another thread.
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
