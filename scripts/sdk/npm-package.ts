import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { basename, extname } from "node:path";
import { type ArchiveFile, filesBelow, tarballOf } from "./archive.ts";

/** Builds the TypeScript client, which needs the compiler, and returns it as an archive of npm. */
export async function npmPackage(folder: string): Promise<Buffer> {
  execFileSync(process.execPath, [`${folder}/build.mjs`], { stdio: ["ignore", "inherit", "inherit"] });
  const files = filesBelow(folder, ["package.json", "README.md", "dist/**/*.{js,d.ts,json}"]);
  rmSync(`${folder}/dist`, { recursive: true });
  // The archive is a third smaller if the two kinds of modules of a file are next to each other.
  const key = ({ name }: ArchiveFile) => `${extname(name)} ${basename(name)} ${name}`;
  return tarballOf(
    "package",
    files.toSorted((one, other) => (key(one) < key(other) ? -1 : 1)),
  );
}
