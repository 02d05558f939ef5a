import { createReadStream } from "node:fs";
import { copyFile, mkdir, open, readdir, rename } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import type { ArchiveStore } from "./archive-store.ts";

export function folderStore(folder: string): ArchiveStore {
  return {
    async list(prefix) {
      const below = join(folder, dirname(`${prefix}x`));
      const entries = await readdir(below, { recursive: true, withFileTypes: true }).catch(noneIfMissing);
      return entries
        .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
        .filter((path) => path.startsWith(prefix));
    },
    async read(path) {
      const file = await open(join(folder, path)).catch(noneIfMissing);
      return "createReadStream" in file ? createReadStream("", { fd: file }) : undefined;
    },
    async put(path, { path: source }) {
      const target = join(folder, path);
      await mkdir(dirname(target), { recursive: true });
      // Programs that read the folder ignore names that start with a dot.
      const partial = join(dirname(target), `.${basename(target)}.${process.pid}`);
      await copyFile(source, partial);
      await synced(partial);
      await rename(partial, target);
      await synced(dirname(target));
    },
  };
}

/** Flushes a file or folder to disk, so that it survives a power failure. */
async function synced(path: string): Promise<void> {
  await using file = await open(path);
  await file.sync();
}

function noneIfMissing(error: NodeJS.ErrnoException): [] {
  if (error.code === "ENOENT") return [];
  throw error;
}
