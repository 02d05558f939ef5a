import { globSync, readFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { packTar } from "modern-tar";
import { ZipFile } from "yazl";

/** A file in an archive. */
export interface ArchiveFile {
  readonly name: string;
  readonly content: Buffer;
}

/**
 * Time of every file, so that the same contents are always the same archive. A zip file has the local time, and no time
 * before 1980.
 */
const fileTime = new Date(1980, 0, 1);
const unixTime = new Date("1985-10-26T08:15:00Z");

/** Reads the files of a folder that match a pattern, in the order of their names. */
export function filesBelow(
  folder: string,
  patterns: readonly string[],
  exclude: readonly string[] = [],
): ArchiveFile[] {
  const names = globSync([...patterns], { cwd: folder, exclude: [...exclude] });
  return names.sort().map((name) => ({ name, content: readFileSync(`${folder}/${name}`) }));
}

export async function zipOf(files: readonly ArchiveFile[]): Promise<Buffer> {
  const zip = new ZipFile();
  for (const { name, content } of files)
    zip.addBuffer(content, name, { mtime: fileTime, forceDosTimestamp: true, mode: 0o100644 });
  zip.end();
  return buffer(zip.outputStream);
}

/** Returns a compressed tar archive whose files are in one folder. */
export async function tarballOf(folder: string, files: readonly ArchiveFile[]): Promise<Buffer> {
  const entries = files.map(({ name, content }) => ({
    header: { name: `${folder}/${name}`, size: content.length, mtime: unixTime },
    body: content,
  }));
  return gzipSync(await packTar(entries), { level: 9 });
}
