// Writes the tables of settings and of sources into the README, from the code that reads them.
import { readFileSync, writeFileSync } from "node:fs";
import { settings } from "../src/config.ts";
import { datasets } from "../src/domains/index.ts";

const [, , source = "README.md", target = source] = process.argv;
const begin = "<!-- settings: written by make generate -->";
const end = "<!-- /settings -->";

const lines = [
  "| Variable | Default | Meaning |",
  "|---|---|---|",
  ...settings.map(
    ({ name, fallback, meaning }) => `| \`${name}\` | ${fallback === "" ? "" : `\`${fallback}\``} | ${meaning} |`,
  ),
  "",
  "| Source | Dataset | Needs | Terms |",
  "|---|---|---|---|",
  ...datasets.flatMap((dataset) =>
    dataset.sources.map(({ name, variables, licence }) => {
      const needs = variables.map((variable) => `\`${variable}\``).join(", ");
      return `| ${name} | ${dataset.name} | ${needs} | ${licence.kind}: ${licence.terms} |`;
    }),
  ),
];

const text = readFileSync(source, "utf8");
const from = text.indexOf(begin);
const to = text.indexOf(end);
if (from < 0 || to < from) throw new Error(`${source} has no place for the settings`);
writeFileSync(target, `${text.slice(0, from + begin.length)}\n${lines.join("\n")}\n${text.slice(to)}`);
