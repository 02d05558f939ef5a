import type { Database } from "../store/database.ts";
import type { JobKind, Queue, Send } from "./queue.ts";

export interface Sender extends AsyncDisposable {
  /** Connects to the queue. Call it before a transaction, because an embedded database has no second connection. */
  readonly ready: () => Promise<Send>;
}

/** Returns a sender. It loads the queue library at first use, because many processes never add a job. */
export function jobSender(
  database: Database,
  options: { readonly kinds: readonly JobKind[]; readonly log: (message: string) => void },
): Sender {
  let opening: Promise<Queue> | undefined;
  const open = async () => (await import("./queue.ts")).openQueue(database, { ...options, role: "send" });
  return {
    async ready() {
      opening ??= open();
      try {
        return (await opening).send;
      } catch (error) {
        opening = undefined;
        throw error;
      }
    },
    async [Symbol.asyncDispose]() {
      await (await opening?.catch(() => undefined))?.close();
    },
  };
}
