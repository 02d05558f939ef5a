import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import { z } from "zod";
import { readClientConfig } from "../../config/config.ts";
import { nextCursorHeader } from "../../contract/paging.ts";
import { showProgress } from "../progress.ts";
import { requireTargetFile } from "../target-file.ts";
import type { Terminal } from "../terminal.ts";
import type { ReadAddress } from "./read-options.ts";
import { flagOf } from "./read-options.ts";

const reported = z.object({
  violations: z.array(z.object({ field: z.string(), description: z.string() })).optional(),
  message: z.string().optional(),
  error: z.union([z.string(), z.object({ message: z.string() })]).optional(),
  _jmespath_error: z.string().optional(),
});

const codes = new Map([
  [401, Code.Unauthenticated],
  [403, Code.PermissionDenied],
]);

async function rejection(response: Response): Promise<ConnectError> {
  const { status } = response;
  const words = wordsOf(await response.text().catch(() => ""));
  return new ConnectError(`${words ?? "The request was rejected"} (${status})`, codes.get(status) ?? Code.Unknown);
}

function wordsOf(text: string): string | undefined {
  const { success, data } = reported.safeParse(parsed(text));
  if (!success) return undefined;
  const { violations, message, error, _jmespath_error: projection } = data;
  if (violations) return violations.map(({ field, description }) => `${flagOf(field)}: ${description}`).join("; ");
  if (projection !== undefined) return `${flagOf("jmespath")}: ${projection}`;
  return message ?? (typeof error === "object" ? error.message : error);
}

/** Returns undefined for text that isn't JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface Download extends ReadAddress {
  /** Replaces the configured key. */
  readonly key: string | undefined;
  /** If absent, standard output. */
  readonly output: string | undefined;
  /** The advice after a broken connection. */
  readonly resume: string;
  /** The advice for the rows after a page. */
  readonly more: (cursor: string) => string;
}

/** Timeout until the response begins. The body has no timeout. */
const responseTimeoutMs = 30_000;

/** An incomplete response fails, and never gets the name of the file. */
export async function download(terminal: Terminal, wanted: Download): Promise<void> {
  const { output } = wanted;
  if (output !== undefined) await requireTargetFile(output);
  const response = await sendRequest(terminal, wanted);
  if (!response.ok) throw await rejection(response);
  if (output === undefined) await copy(terminal, response, wanted, (chunk) => print(terminal, chunk));
  else await writeFile(terminal, response, wanted, output);
  const next = response.headers.get(nextCursorHeader);
  if (next) terminal.err.write(`ids: ${wanted.more(next)}\n`);
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

async function sendRequest({ environment }: Terminal, { path, query, key }: Download): Promise<Response> {
  const { url, apiKey, port, operatorKey } = readClientConfig(environment);
  const presented = key ?? apiKey ?? operatorKey;
  const search = query.size === 0 ? "" : `?${query}`;
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), responseTimeoutMs);
  try {
    return await fetch(`${url ?? `http://127.0.0.1:${port}`}${path}${search}`, {
      headers: presented === undefined ? {} : { "X-Service-Key": presented },
      // A redirect would send the key to another server.
      redirect: "error",
      signal: waiting.signal,
    });
  } catch (error) {
    if (waiting.signal.aborted)
      throw new ConnectError(`No response within ${responseTimeoutMs / 1_000} s`, Code.DeadlineExceeded);
    throw ConnectError.from(error instanceof Error ? (error.cause ?? error) : error);
  } finally {
    clearTimeout(timer);
  }
}

/** Writes a piece. Returns false if the reader has closed. */
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

/** A reader may close its end early, which is not a failure. */
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
