// Writes the README's tables of operations, settings and sources, and docs/settings.md, from the contract and the code.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { settings } from "../src/config/settings.ts";
import { catalog } from "../src/contract/catalog.ts";
import { datasets, lookups } from "../src/domains/index.ts";
import { loadLimits } from "../src/http/load/load-limits.ts";
import type { SourceTerms } from "../src/ingest/source.ts";
import { missing } from "../src/ingest/upstreams.ts";
import { sentenceOf } from "../src/pages/landing.ts";
import { defaultCell, settingsPage } from "./settings-page.ts";

const [, , folder = "."] = process.argv;
const source = "README.md";

const tables: Readonly<Record<string, readonly string[]>> = {
  operations: [
    "| Operation | Path | Key |",
    "|---|---|---|",
    ...catalog.map((operation) => {
      const { name, path, verb, access } = operation;
      return `| **${name}**: ${sentenceOf(operation)} | \`${verb} ${path}\` | ${access.anonymous ? "no" : "yes"} |`;
    }),
  ],
  settings: [
    "| Variable | Default | Meaning |",
    "|---|---|---|",
    ...settings.map((setting) => `| \`${setting.name}\` | ${defaultCell(setting)} | ${setting.meaning} |`),
  ],
  limits: [
    "| What | Bound | Beyond it | Protects |",
    "|---|---|---|---|",
    ...loadLimits.map(({ what, bound, beyond, protects }) => `| ${what} | ${bound} | ${beyond} | ${protects} |`),
  ],
  sources: [
    "| Source | For | Needs | Terms |",
    "|---|---|---|---|",
    ...datasets.flatMap((dataset) => dataset.sources.map((source) => sourceLine(source, dataset.name))),
    ...lookups.map((lookup) => sourceLine(lookup, lookup.serves.map((method) => method.name).join(", "))),
  ],
};

let text = readFileSync(source, "utf8");
for (const [name, lines] of Object.entries(tables)) {
  const begin = `<!-- ${name}: written by make generate -->`;
  const from = text.indexOf(begin);
  const to = text.indexOf(`<!-- /${name} -->`);
  if (from < 0 || to < from) throw new Error(`${source} has no place for the ${name}`);
  text = `${text.slice(0, from + begin.length)}\n${lines.join("\n")}\n${text.slice(to)}`;
}
writeFileSync(join(folder, source), text);
mkdirSync(join(folder, "docs"), { recursive: true });
writeFileSync(
  join(folder, "docs/settings.md"),
  settingsPage([...datasets.flatMap(({ sources }) => sources), ...lookups]),
);

function sourceLine(source: SourceTerms, of: string): string {
  const { name, optionalVariables = [], licence } = source;
  const needs = [
    ...missing(source, () => undefined).map((variable) => `\`${variable}\``),
    ...optionalVariables.map((variable) => `optionally \`${variable}\``),
  ].join(", ");
  return `| ${name} | ${of} | ${needs} | ${licence.kind}: ${licence.terms} |`;
}
