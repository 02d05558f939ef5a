import type { Terminal } from "./terminal.ts";

/** A line that shows the progress of a download. It is removed at the end. */
export interface Progress extends Disposable {
  readonly add: (bytes: number) => void;
}

const everyMs = 250;
const megabyte = 1_000_000;

/** Nothing is shown without a terminal, or if the line would mix with the output. */
export function showProgress({ out, err }: Terminal, toFile: boolean): Progress {
  if (!err.isTTY || (out.isTTY && !toFile)) return { add: () => undefined, [Symbol.dispose]: () => undefined };
  const begun = performance.now();
  let [bytes, shownAt] = [0, Number.NEGATIVE_INFINITY];
  return {
    add(more) {
      bytes += more;
      const now = performance.now();
      if (now - shownAt < everyMs) return;
      shownAt = now;
      err.write(`\r${progressText(bytes, now - begun)}\u{1b}[K`);
    },
    [Symbol.dispose]() {
      if (bytes > 0) err.write("\r\u{1b}[K");
    },
  };
}

function progressText(bytes: number, ms: number): string {
  const megabytes = bytes / megabyte;
  return `${megabytes.toFixed(1)} MB, ${((megabytes / Math.max(ms, 1)) * 1_000).toFixed(1)} MB/s`;
}
