// Gives a program the same time and the same random bytes in every run, so that it writes the same files. It is loaded
// with `--import`, also by the threads of the program.
import crypto, { createHash } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

const now = Date.UTC(2026, 0, 1);
let blocks = 0;

const OwnDate = Date;
globalThis.Date = new Proxy(OwnDate, {
  construct: (target, parameters) => Reflect.construct(target, parameters.length === 0 ? [now] : parameters),
});
Date.now = () => now;
performance.now = () => 1000;
Math.random = () => 0.5;
crypto.randomFillSync = fill;
globalThis.crypto.getRandomValues = fill;
syncBuiltinESMExports();

function fill<View extends ArrayBufferView | null>(view: View): View {
  if (!view) return view;
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  for (let start = 0; start < bytes.length; start += 32) {
    const block = createHash("sha256").update(`block ${blocks++}`).digest();
    bytes.set(block.subarray(0, bytes.length - start), start);
  }
  return view;
}
