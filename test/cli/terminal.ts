import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, type Readable, Writable } from "node:stream";
import { run } from "../../src/cli/program.ts";
import type { DatabaseOptions } from "../../src/store/database.ts";

/** The output of a command, and its exit status. */
export interface Done {
  readonly out: string;
  readonly err: string;
  readonly status: number;
}

/** Runs `ids` with these arguments in this process; nothing of this process's environment is seen. */
export async function ids(environment: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Done> {
  return runOn(new Text(), environment, args);
}

/** The same before a terminal of `columns` columns. */
export async function idsOnTerminal(
  columns: number,
  environment: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<Done> {
  return runOn(Object.assign(new Text(), { isTTY: true, columns }), environment, args);
}

/** The same where the output goes to a file and a person watches the error stream. */
export async function idsRedirected(environment: Readonly<Record<string, string>>, ...args: readonly string[]) {
  return runOn(new Text(), environment, args, undefined, Object.assign(new Text(), { isTTY: true, columns: 80 }));
}

/** The same before a terminal at which a person types these lines, and then ends the input. */
export async function idsTyping(
  lines: readonly string[],
  environment: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<Done> {
  const input = new PassThrough();
  // A line at a time, as it is asked for.
  const left = [...lines];
  const out = Object.assign(
    new Text((text) => {
      if (!/(: |\) )$/.test(text)) return;
      const line = left.shift();
      if (line === undefined) input.end();
      else input.write(`${line}\n`);
    }),
    { isTTY: true, columns: 120 },
  );
  return runOn(out, environment, args, input);
}

async function runOn(
  out: Text,
  environment: Readonly<Record<string, string>>,
  args: readonly string[],
  input?: Readable,
  err = new Text(),
): Promise<Done> {
  const before = process.exitCode;
  try {
    await run(["node", "ids", ...args], environment, out, err, input);
    return { out: out.text, err: err.text, status: Number(process.exitCode ?? 0) };
  } finally {
    process.exitCode = before;
  }
}

/** Settings for a command that uses this database. On Postgres a command takes a tenth of a second, and otherwise about one. */
export function settingsOf({ url, directory }: DatabaseOptions): Readonly<Record<string, string>> {
  if (url === undefined) return { IDS_DATA_DIR: directory };
  return { IDS_DATA_DIR: freshFolder(), DATABASE_URL: url, IDS_SECRET_KEY: "5e".repeat(32) };
}

/** A data folder that is removed when the run ends. */
export function freshFolder(): string {
  return mkdtempSync(join(tmpdir(), "ids-cli-"));
}

class Text extends Writable {
  text = "";
  readonly #see: (text: string) => void;

  constructor(see: (text: string) => void = () => undefined) {
    super();
    this.#see = see;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
    this.#see(chunk.toString());
  }
}
