import { byte, headerBytes } from "./frontend-reader.ts";

/** Whether the backend waits for the next batch, and if so whether a transaction is open; undefined inside a batch. */
export function transactionState(output: Buffer): "none" | "open" | undefined {
  const ready = output.length - readyForQueryBytes;
  if (ready < 0 || output[ready] !== readyForQuery || output.readUInt32BE(ready + 1) !== readyForQueryBytes - 1)
    return undefined;
  return output.at(-1) === idle ? "none" : "open";
}

/** The notifications among the backend's messages, each whole. */
export function* notifications(output: Buffer): Generator<Buffer> {
  for (let offset = 0; offset + headerBytes <= output.length; ) {
    const end = offset + 1 + output.readUInt32BE(offset + 1);
    if (output[offset] === notification) yield output.subarray(offset, end);
    offset = end;
  }
}

const readyForQueryBytes = 6;
const notification = byte("A");
const readyForQuery = byte("Z");
const idle = byte("I");
