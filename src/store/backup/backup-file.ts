import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { UnusableBackup } from "../../errors.ts";
import { type BackupHeader, parseHeader } from "./backup-header.ts";
import { verifyChecksum } from "./checksum.ts";

/** The header of a backup whose every byte is as it was written. Throws `UnusableBackup`. */
export async function verifiedHeader(file: string): Promise<BackupHeader> {
  const header = parseHeader(await firstLine(file));
  if (header === undefined)
    throw new UnusableBackup("The file is no backup of this program: give one that `ids backup` wrote");
  await verifyChecksum(file);
  if ("newer" in header)
    throw new UnusableBackup(
      `The backup has format ${header.newer}, which a newer program wrote: restore it with that version or a later one`,
    );
  return header;
}

/** Characters of a row. Those that the service stores have a few million at most. */
const maxLine = 32 * 1024 * 1024;

/** The lines of a backup one after the other; neither they nor the file are ever whole in memory. Throws `UnusableBackup`. */
export async function* linesOf(file: string): AsyncGenerator<string> {
  const input = createReadStream(file);
  const text = input.pipe(createGunzip());
  input.on("error", (error) => text.destroy(error));
  try {
    // A line feed within a value is written as \n, and other marks of a line's end are values' own.
    let rest: string[] = [];
    let [count, length] = [1, 0];
    text.setEncoding("utf8");
    for await (const chunk of text as AsyncIterable<string>) {
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
    // Of what is not compressed, or is cut within its first bytes.
    if (error instanceof Error && "code" in error && /^(Z_|ERR_)/.test(String(error.code))) return "";
    throw error;
  }
  return "";
}
