// Writes the generated pages of docs/ from the contract and the code.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { catalog } from "../src/contract/catalog.ts";
import { datasets, lookups, operationOrigins } from "../src/domains/index.ts";
import { loadLimits } from "../src/http/load/load-limits.ts";
import { licensesOf } from "../src/ingest/graph.ts";
import type { SourceTerms } from "../src/ingest/source.ts";
import { missing } from "../src/ingest/upstreams.ts";
import { sentenceOf } from "../src/pages/operation-sentence.ts";
import { commandTables, exitCodesTable } from "./command-tables.ts";
import { markdownTable } from "./markdown-table.ts";
import { metricsTable } from "./metrics-table.ts";
import { packagesTable } from "./packages-table.ts";
import { retentionTable } from "./retention-table.ts";
import { settingsPage } from "./settings-page.ts";
import { accessTable, mannersTable } from "./source-tables.ts";

const [, , folder = "."] = process.argv;
const inputs = new Map(operationOrigins.map((each) => [each.method, each]));
const notice = "<!-- written by make generate -->";

const pages: Readonly<Record<string, string>> = {
  operations: page("Operations", [
    "Made from: datasets, those that these are made from, and sources that are asked while a caller waits.",
    "",
    ...markdownTable(
      ["Operation", "Path", "Key", "Made from", "Terms of the data"],
      catalog.map((operation) => {
        const { name, path, verb, access, method } = operation;
        const from = inputs.get(method);
        const names = [...(from?.datasets ?? []), ...(from?.lookups ?? [])].map((each) => each.name);
        return [
          `**${name}**: ${sentenceOf(operation)}`,
          `\`${verb} ${path}\``,
          access.anonymous ? "no" : "yes",
          names.join(", "),
          from
            ? licensesOf(from)
                .map(({ terms }) => terms)
                .join("; ")
            : "",
        ];
      }),
    ),
  ]),
  sources: page("Sources", [
    "What each source is for, which variables it needs, and its terms. `on` in a variable such as `IDS_SOURCE_FINNHUB=on` says that",
    "you have looked at restrictive terms and may use the data.",
    "",
    ...markdownTable(
      ["Source", "For", "Needs", "Terms"],
      [
        ...datasets.flatMap((dataset) => dataset.sources.map((source) => sourceLine(source, dataset.name))),
        ...lookups.map((lookup) => sourceLine(lookup, lookup.serves.map((method) => method.name).join(", "))),
      ],
    ),
    "",
    "## Where it is to be had",
    "",
    "For sources that need a key, an account or a permission, and for those that are known to refuse. `ids doctor` tells the same of",
    "those that miss something or were refused.",
    "",
    ...accessTable(),
    "",
    "## How it is asked",
    "",
    "Requests to one host are spaced, whichever sources send them; what a caller waits for goes first. After a 403 or 429 a host is left",
    "alone: as long as its `Retry-After` says, else 1 min, 5 min, 30 min, 2 h and then 6 h, until it answers; rests are kept in",
    "the store, over restarts and for all processes. What came with an `ETag` or `Last-Modified` is asked for with it again, and a 304",
    "brings what was there: each process remembers up to 64 million characters of answers, and none over a restart. Requests of a day are",
    "counted in the store, by UTC day and for all processes; spent ones are told as a failure with the moment of the next. A source",
    "whose parts are kept shows the last good rows of a part that did not come. A watched form is compared with the last good answer's.",
    "",
    ...(await mannersTable()),
  ]),
  settings: settingsPage([...datasets.flatMap(({ sources }) => sources), ...lookups]),
  architecture: filled("docs/architecture.md", { packages: packagesTable() }),
  "self-hosting": filled("docs/self-hosting.md", { commands: commandTables(), "exit codes": exitCodesTable() }),
  operating: filled("docs/operating.md", { metrics: await metricsTable(), retention: retentionTable() }),
  "under-load": filled("docs/under-load.md", {
    limits: markdownTable(
      ["What", "Bound", "Beyond it", "Protects"],
      loadLimits.map(({ what, bound, beyond, protects }) => [what, bound, beyond, protects]),
    ),
  }),
};

mkdirSync(join(folder, "docs"), { recursive: true });
for (const [name, text] of Object.entries(pages)) writeFileSync(join(folder, "docs", `${name}.md`), text);

function page(title: string, lines: readonly string[]): string {
  return `# ${title}\n\n${notice}\n\n${lines.join("\n")}\n`;
}

/** A page written by hand, with tables between their marks. */
function filled(path: string, tables: Readonly<Record<string, readonly string[]>>): string {
  let text = readFileSync(path, "utf8");
  for (const [name, lines] of Object.entries(tables)) {
    const begin = `<!-- ${name}: written by make generate -->`;
    const from = text.indexOf(begin);
    const to = text.indexOf(`<!-- /${name} -->`);
    if (from < 0 || to < from) throw new Error(`${path} has no place for the ${name}`);
    text = `${text.slice(0, from + begin.length)}\n${lines.join("\n")}\n${text.slice(to)}`;
  }
  return text;
}

function sourceLine(source: SourceTerms, of: string): string[] {
  const { name, optionalVariables = [], license } = source;
  const needs = [
    ...missing(source, () => undefined).map((variable) => `\`${variable}\``),
    ...optionalVariables.map((variable) => `optionally \`${variable}\``),
  ];
  return [name, of, needs.join(", "), `${license.kind}: ${license.terms}`];
}
