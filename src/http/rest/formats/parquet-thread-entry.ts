import { parentPort } from "node:worker_threads";
import { type ParquetFile, parquetFile } from "./parquet-file.ts";
import type { OpenedFile, Step } from "./parquet-thread.ts";

parentPort?.on("message", ({ plan, port }: OpenedFile) => {
  const file = parquetFile(plan);
  port.on("message", (step: Step) => {
    try {
      const bytes = encoded(file, step);
      port.postMessage(bytes, [bytes.buffer]);
    } catch (error) {
      port.postMessage(error);
    }
  });
});

function encoded({ begin, rows, end }: ParquetFile, step: Step) {
  if (step === "begin") return begin();
  return step === "end" ? end() : rows(step);
}
