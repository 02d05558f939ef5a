import { cp, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SampleFolder } from "./samples/folder.ts";

/** Writes the fixed and the generated responses to `sample/`, or to the folder that the first argument names. */
const target = process.argv[2] ?? "sample";
const sources = new URL("samples/sources/", import.meta.url);

await rm(target, { recursive: true, force: true });
await cp(new URL("samples/fixed/", import.meta.url), target, { recursive: true });

for (const file of await readdir(sources)) {
  const { sample } = (await import(new URL(file, sources).href)) as { sample: () => SampleFolder };
  const { index, files } = sample();
  const folder = join(target, file.replace(/\.ts$/, ""));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "sample.json"), `${JSON.stringify(index, null, 2)}\n`);
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}
