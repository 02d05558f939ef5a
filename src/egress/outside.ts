import { AsyncLocalStorage } from "node:async_hooks";

/** The place that a piece of work holds among those done at the same time. */
export interface WorkSlot {
  /** While it waits for something outside, others may go on. */
  readonly leave: () => void;
  readonly comeBack: () => void;
}

/** The place of the work under way; there is none where nothing bounds it. */
export const place = new AsyncLocalStorage<WorkSlot>();

/** Waits for a name server or an upstream: whoever is slow out there holds up nobody who needs the store. */
export async function outside<T>(wait: () => Promise<T>): Promise<T> {
  const own = place.getStore();
  own?.leave();
  try {
    return await wait();
  } finally {
    own?.comeBack();
  }
}
