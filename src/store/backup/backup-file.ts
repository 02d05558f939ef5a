import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { UnusableBackup } from "../../errors.ts";
import { type BackupHeader, parseHeader } from "./backup-header.ts";
import { verifyChecksum } from "./checksum.ts";

/** Verifies the checksum of a backup and returns its header. Throws `UnusableBackup`. */
export async function verifiedHeader(file: string): Promise<BackupHeader> {
  const header = parseHeader(await firstLine(file));
  if (header === undefined)
    throw new UnusableBackup("The file is not a backup of this program: use one that `ids backup` wrote");
  await verifyChecksum(file);
  if ("newer" in header)
    throw new UnusableBackup(
      `The backup has format ${header.newer}, which a newer program wrote: restore it with that version or a later one`,
    );
  return header;
}

/** Maximum characters of a line, which holds one row. Rows of the service have a few million at most. */
const maxLine = 32 * 1024 * 1024;

/** Yields the lines of a backup without loading the file or all lines into memory. Throws `UnusableBackup`. */
export async function* linesOf(file: string): AsyncGenerator<string> {
  const input = createReadStream(file);
  const text = input.pipe(createGunzip());
  input.on("error", (error) => text.destroy(error));
  try {
    // A line feed within a value is written as `\n`. Other Unicode line separators do not end a line.
    let rest: string[] = [];
    let [count, length] = [1, 0];
    const chunks: AsyncIterable<string> = text.setEncoding("utf8");
    for await (const chunk of chunks) {
      const lines = chunk.split("\n");
      const last = lines.pop() ?? "";
      for (const line of lines) {
        yield rest.length === 0 ? line : rest.join("") + line;
        rest = [];
        length = 0;
        count += 1;
      }
      if (last !== "") rest.push(last);
      length += last.length;
      if (length > maxLine)
        throw new UnusableBackup(
          `Line ${count} of the backup has more than ${maxLine} characters: use a file that \`ids backup\` wrote`,
        );
    }
  } finally {
    text.destroy();
    input.destroy();
  }
}

async function firstLine(file: string): Promise<string> {
  try {
    for await (const line of linesOf(file)) return line;
  } catch (error) {
    // zlib reports an error if the backup is not compressed or is truncated.
    if (error instanceof Error && "code" in error && /^(Z_|ERR_)/.test(String(error.code))) return "";
    throw error;
  }
  return "";
}
