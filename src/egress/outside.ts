import { AsyncLocalStorage } from "node:async_hooks";

/** A slot of work with limited concurrency. */
export interface WorkSlot {
  /** Releases the slot during an external wait, so that other work can continue. */
  readonly leave: () => void;
  readonly reenter: () => void;
}

/** Slot of the current work; undefined if concurrency is not limited. */
export const workSlot = new AsyncLocalStorage<WorkSlot>();

/** Releases the slot, so that a slow server does not block work that needs the store. */
export async function outside<T>(wait: () => Promise<T>): Promise<T> {
  const own = workSlot.getStore();
  own?.leave();
  try {
    return await wait();
  } finally {
    own?.reenter();
  }
}
