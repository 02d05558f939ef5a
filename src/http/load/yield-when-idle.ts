import { setImmediate as nextTurn } from "node:timers/promises";

/** Work that is done in pieces waits here between two of them. */
export class Pauses {
  readonly #isQuiet: () => boolean;
  readonly #maxMs: number;
  readonly #waiting = new Set<() => void>();

  constructor(isQuiet: () => boolean, maxMs: number) {
    this.#isQuiet = isQuiet;
    this.#maxMs = maxMs;
  }

  async pause(): Promise<void> {
    await nextTurn();
    if (this.#isQuiet()) return;
    await new Promise<void>((resolve) => {
      const goOn = () => {
        clearTimeout(late);
        this.#waiting.delete(goOn);
        resolve();
      };
      const late = setTimeout(goOn, this.#maxMs);
      this.#waiting.add(goOn);
    });
  }

  /** To be called when something has ended. */
  end(): void {
    if (this.#waiting.size === 0 || !this.#isQuiet()) return;
    // The response of the completed work is not written yet.
    for (const goOn of this.#waiting) setImmediate(goOn);
  }
}
