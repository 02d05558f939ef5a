import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SampleFolder } from "./samples/folder.ts";

/** Writes the folders of the sample that are made from its world into `sample/`, or into another folder. */
const target = process.argv[2] ?? "sample";
const sources = new URL("samples/sources/", import.meta.url);

for (const file of await readdir(sources)) {
  const { sample } = (await import(new URL(file, sources).href)) as { sample: () => SampleFolder };
  const { index, files } = sample();
  const folder = join(target, file.replace(/\.ts$/, ""));
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "sample.json"), `${JSON.stringify(index, null, 2)}\n`);
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}
