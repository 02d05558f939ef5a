import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { nextCursorHeader } from "../../contract/paging.ts";
import { printable } from "../../reference/printable.ts";
import { requireTargetFile, type Terminal } from "../terminal.ts";
import { type ApiRequest, send } from "./exchange.ts";

export interface Download extends ApiRequest {
  /** Path of the file; undefined for standard output. */
  readonly output: string | undefined;
  /** Advice for the user if the connection breaks. */
  readonly resume: string;
  /** Returns advice on how to get the rows after this page. */
  readonly more: (cursor: string) => string;
}

/** Writes a response to a file while it arrives. If it is incomplete, it throws, and the file does not get its name. */
export async function download(terminal: Terminal, wanted: Download): Promise<void> {
  const { output } = wanted;
  if (output !== undefined) await requireTargetFile(output);
  const response = await send(terminal, wanted);
  const isJson = /\bjson\b/.test(response.headers.get("Content-Type") ?? "");
  if (output === undefined && terminal.out.isTTY && isJson) await printIndented(terminal, response, wanted);
  else if (output === undefined) await copy(terminal, response, wanted, (chunk) => print(terminal, chunk));
  else await writeFile(terminal, response, wanted, output);
  const next = response.headers.get(nextCursorHeader);
  if (next) terminal.err.write(`ids: ${wanted.more(next)}\n`);
}

/** Prints a JSON response with indentation. Without a terminal, `ids get` instead writes the bytes of the response. */
async function printIndented(terminal: Terminal, response: Response, wanted: Download): Promise<void> {
  const chunks: Uint8Array[] = [];
  await copy(terminal, response, wanted, async (chunk) => chunks.push(chunk) > 0);
  const lines = JSON.stringify(JSON.parse(Buffer.concat(chunks).toString()), null, 2).split("\n");
  await print(terminal, Buffer.from(`${lines.map(printable).join("\n")}\n`));
}

async function writeFile(terminal: Terminal, response: Response, wanted: Download, output: string): Promise<void> {
  const unfinished = `${output}.${process.pid}.part`;
  try {
    const file = await open(unfinished, "wx");
    try {
      await copy(terminal, response, wanted, (chunk) => writeAll(file, chunk));
    } finally {
      await file.close();
    }
    await rename(unfinished, output);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Writes a chunk. Returns false if the program that reads the output has closed it. */
type Write = (chunk: Uint8Array) => Promise<boolean>;

async function copy(terminal: Terminal, response: Response, { output, resume }: Download, write: Write): Promise<void> {
  using progress = showProgress(terminal, output !== undefined);
  const pieces = (response.body ?? new ReadableStream<Uint8Array>()).getReader();
  let bytes = 0;
  for (;;) {
    const piece = await pieces.read().catch(() => {
      throw new Error(`The connection broke after ${bytes} bytes, so the response is incomplete: ${resume}`);
    });
    if (piece.done) return;
    bytes += piece.value.length;
    progress.add(piece.value.length);
    if (!(await write(piece.value))) return pieces.cancel();
  }
}

const readerGone = ["EPIPE", "ERR_STREAM_DESTROYED"];

/** The program that reads standard output may close it early, such as `head`. This is not a failure. */
function print({ out }: Terminal, chunk: Uint8Array): Promise<boolean> {
  return new Promise((resolve, reject) => {
    out.write(chunk, (error: NodeJS.ErrnoException | null | undefined) => {
      if (error && !readerGone.includes(error.code ?? "")) reject(error);
      else resolve(!error);
    });
  });
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<boolean> {
  await file.appendFile(chunk);
  return true;
}

/** A line with the progress of a download. Disposing it clears the line. */
interface Progress extends Disposable {
  readonly add: (bytes: number) => void;
}

const everyMs = 250;
const megabyte = 1_000_000;

/** Shows no progress without a terminal, or if the line would mix with the output. */
function showProgress({ out, err }: Terminal, toFile: boolean): Progress {
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
