// Writes NOTICE.md: the packages that are installed with the service, with their licenses and holders. Fails on a
// license that is not allowed.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { markdownTable } from "./markdown-table.ts";

const [, , folder = "."] = process.argv;

/** Licenses that permit to run a package and to redistribute it with the service without its source. */
const allowed = new Set([
  "MIT",
  "MIT-0",
  "ISC",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "MPL-2.0",
  "Unicode-3.0",
  // Data that must be attributed, as NOTICE.md does.
  "CC-BY-4.0",
]);

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      license: z.string().optional(),
      dev: z.boolean().optional(),
      /** An optional package depends on the machine, such as the project's own Node. */
      optional: z.boolean().optional(),
    }),
  ),
});

const { packages } = lockSchema.parse(JSON.parse(readFileSync("package-lock.json", "utf8")));
const production = Object.entries(packages).filter(([path, { dev }]) => path !== "" && !dev);
const installed = production.filter(([, { optional }]) => !optional);
const rejected = production.filter(([, { license = "none" }]) => !isAllowed(license));
if (rejected.length > 0)
  throw new Error(
    `Not among the allowed licenses: ${rejected.map(([path, { license }]) => `${path} (${license})`).join(", ")}`,
  );

const rows = installed.map(([path, { version = "", license = "" }]) => [
  ...[path.replace(/^.*node_modules\//, ""), version, license, holderOf(path)],
]);
writeFileSync(
  join(folder, "NOTICE.md"),
  [
    "# Notice",
    "",
    "<!-- written by make generate -->",
    "",
    "The packages that are installed with the service, each with its own license text in its folder. `make sbom`",
    "writes the same as a bill of materials. Of the data in them: places are from GeoNames (CC BY 4.0),",
    "boundaries from the OpenStreetMap editors' country-coder, land from Natural Earth (public domain), English names of regions from",
    "Unicode CLDR (Unicode-3.0). The terms of the sources of live data are in docs/sources.md.",
    "",
    ...markdownTable(["Package", "Version", "License", "Copyright"], rows),
    "",
  ].join("\n"),
);

/** Returns whether one license of each choice (OR) is allowed, and every license of a sum (AND). */
function isAllowed(expression: string): boolean {
  const bare = expression.replace(/^\((.*)\)$/, "$1");
  if (bare.includes(" OR ")) return bare.split(" OR ").some(isAllowed);
  return bare.split(" AND ").every((license) => allowed.has(license));
}

/** Returns the line of the license that names the holder, if there is one. */
function holderOf(path: string): string {
  const file = readdirSync(path).find((name) => /^licen[cs]e(?:[.-]|$)/i.test(name));
  if (file === undefined) return "";
  const line = readFileSync(join(path, file), "utf8")
    .split("\n")
    .find((text) => /^\W*copyright (?!\[|notice|holder|license|owner|and )/i.test(text));
  return line?.replace(/^\W+/, "").replaceAll("|", "").trim() ?? "";
}
