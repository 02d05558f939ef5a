import { globSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { markdownTable } from "./markdown-table.ts";

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  /** All of them are optional. */
  readonly peerDependencies: Readonly<Record<string, string>>;
}

/**
 * Returns the packages that run with the service, with the folders that use them, and those that only build and test
 * it.
 */
export function packagesTable(): readonly string[] {
  const { dependencies, devDependencies, peerDependencies }: Manifest = JSON.parse(
    readFileSync("package.json", "utf8"),
  );
  const users = new Map(Object.keys(dependencies).map((name) => [name, new Set<string>()]));
  const libraries = new Map(
    [...readFileSync(librariesFile, "utf8").matchAll(library)].map(([, key = "", name = ""]) => [key, name]),
  );
  for (const file of globSync("src/**/*.ts", { exclude: [librariesFile] }).sort()) {
    const text = readFileSync(file, "utf8");
    const imported = [...text.matchAll(importedPackage)].map(([, name = ""]) => name);
    const calledFor = [...text.matchAll(calledLibrary)].map(([, key = ""]) => libraries.get(key) ?? "");
    for (const name of [...imported, ...calledFor]) users.get(name)?.add(`\`${relative("src", file).split("/")[0]}\``);
  }
  const development = Object.keys(devDependencies).filter((name) => !(name in peerDependencies));
  return [
    ...markdownTable(
      ["Runtime package", "Used in"],
      [...users].map(([name, folders]) => [name, [...folders].join(", ")]),
    ),
    "",
    `Optional packages, which the operator installs for payments and tracing: ${Object.keys(peerDependencies).join(", ")}.`,
    "",
    `Development packages, which \`make serve\` does not install: ${development.join(", ")}.`,
  ];
}

/** Matches the package of a module that is imported or resolved by its name. */
const importedPackage = /(?:from|import|resolve)[ (]+"((?:@[\w-]+\/)?[\w.-]+)(?:\/[^"]*)?"/g;

/** This file lists the packages that are loaded at their first use, each under a key. */
const librariesFile = "src/reference/libraries.ts";
const library = /(\w+): \(\): typeof import\("([^"]+)"\)/g;
const calledLibrary = /\blibraries\.(\w+)\(\)/g;
