import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { type ArchiveFile, filesBelow, zipOf } from "./archive.ts";

interface Project {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly "requires-python": string;
  readonly dependencies: readonly string[];
}

/** Returns the Python client as a wheel, which pip installs without building it. */
export async function pythonWheel(folder: string): Promise<Buffer> {
  const { project, extras } = readManifest(readFileSync(`${folder}/pyproject.toml`, "utf8"));
  const about = `${project.name.replaceAll("-", "_")}-${project.version}.dist-info`;
  const metadata = [
    "Metadata-Version: 2.1",
    `Name: ${project.name}`,
    `Version: ${project.version}`,
    `Summary: ${project.description}`,
    `Requires-Python: ${project["requires-python"]}`,
    ...project.dependencies.map((needed) => `Requires-Dist: ${needed}`),
    ...Object.entries(extras).flatMap(([extra, needed]) => [
      `Provides-Extra: ${extra}`,
      ...needed.map((each) => `Requires-Dist: ${each}; extra == "${extra}"`),
    ]),
    "Description-Content-Type: text/markdown",
    "",
    readFileSync(`${folder}/README.md`, "utf8"),
  ];
  const wheel = [
    "Wheel-Version: 1.0",
    "Generator: intelligence-data-service",
    "Root-Is-Purelib: true",
    "Tag: py3-none-any",
  ];
  const files = [
    ...filesBelow(`${folder}/src`, ["ids_client/*.py", "ids_client/py.typed"]),
    textFile(`${about}/METADATA`, metadata),
    textFile(`${about}/WHEEL`, [...wheel, ""]),
  ];
  const record = files.map(({ name, content }) => {
    return `${name},sha256=${createHash("sha256").update(content).digest("base64url")},${content.length}`;
  });
  const recordName = `${about}/RECORD`;
  return zipOf([...files, textFile(recordName, [...record, `${recordName},,`, ""])]);
}

/** Reads the tables of `pyproject.toml` that a wheel repeats. Their values are texts and lists, written as in JSON. */
function readManifest(text: string): { project: Project; extras: Record<string, readonly string[]> } {
  const valuesOf = (table: string) => {
    const [, lines = ""] = text.split(`[${table}]\n`);
    const members = lines.split(/^\[/m)[0]?.matchAll(/^([\w-]+) = (.+)$/gm) ?? [];
    return JSON.parse(`{${[...members].map(([, name, value]) => `"${name}": ${value}`).join()}}`);
  };
  return { project: valuesOf("project"), extras: valuesOf("project.optional-dependencies") };
}

function textFile(name: string, lines: readonly string[]): ArchiveFile {
  return { name, content: Buffer.from(lines.join("\n")) };
}
