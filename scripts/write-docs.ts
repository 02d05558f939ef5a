// Writes the generated pages of docs/ from the contract and the code.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tierNames } from "../src/access/plans.ts";
import { catalog, type Operation, requiredTier } from "../src/contract/catalog.ts";
import { datasets, lookups, operationOrigins } from "../src/domains/index.ts";
import { loadLimits } from "../src/http/load/load-limits.ts";
import type { SourceTerms } from "../src/ingest/source.ts";
import { missing } from "../src/ingest/upstreams.ts";
import { sentenceOf } from "../src/pages/operation-sentence.ts";
import { gates } from "../src/runtime/gates.ts";
import { steps } from "../src/runtime/steps.ts";
import { commandTables, exitCodesTable } from "./command-tables.ts";
import { datasetPages } from "./dataset-pages.ts";
import { markdownTable } from "./markdown-table.ts";
import { metricsTable } from "./metrics-table.ts";
import { packagesTable } from "./packages-table.ts";
import { retentionTable } from "./retention-table.ts";
import { scoreTables } from "./score-tables.ts";
import { settingsPage } from "./settings-page.ts";
import { accessTable, mannersTable } from "./source-tables.ts";

const [, , folder = "."] = process.argv;
const inputs = new Map(operationOrigins.map((each) => [each.method, each]));
const notice = "<!-- written by make generate -->";

function keyNeededBy(operation: Operation): string {
  const { operator, scope } = operation.access;
  if (operator) return "operator";
  return `${tierNames[requiredTier(operation)]}${scope === "" ? "" : `, \`${scope}\``}`;
}

const pages: Readonly<Record<string, string>> = {
  ...datasetPages(page),
  operations: page("Operations", [
    "Look up an operation. The pages of the datasets have fields, coverage, and terms. [Sources](sources.md) has the terms",
    "of sources that are requested during a call.",
    "",
    "“Key” is “no” if the operation needs no key. Otherwise, it is the lowest tier of plans whose keys may call the operation,",
    "and a scope if the key needs one. `/plans` of a running service has the plans of each tier.",
    "",
    ...markdownTable(
      ["Operation", "Path", "Key", "Datasets and sources"],
      catalog.map((operation) => {
        const { name, path, verb, access, method } = operation;
        const from = inputs.get(method);
        const links = [
          ...(from?.datasets ?? []).map((dataset) => `[${dataset.name}](datasets/${dataset.name}.md)`),
          ...(from?.lookups ?? []).map((lookup) => `[${lookup.name}](sources.md)`),
        ];
        return [
          `**${name}**: ${sentenceOf(operation)}`,
          `\`${verb} ${path}\``,
          access.anonymous ? "no" : keyNeededBy(operation),
          links.join(", "),
        ];
      }),
    ),
  ]),
  sources: page("Sources", [
    "Uses, required variables, and terms of each source. `on` in a variable such as `IDS_SOURCE_FINNHUB=on` says that",
    "you have looked at restrictive terms and may use the data. [Keys and permissions](#keys-and-permissions) has the",
    "addresses of terms that the service knows.",
    "",
    ...markdownTable(
      ["Source", "For", "Needs", "Terms"],
      [
        ...datasets.flatMap((dataset) => dataset.sources.map((source) => sourceLine(source, dataset.name))),
        ...lookups.map((lookup) => sourceLine(lookup, lookup.serves.map((method) => method.name).join(", "))),
      ],
    ),
    "",
    "## Keys and permissions",
    "",
    "Sources that need a key, an account or a permission, and sources that are known to reject requests.",
    "`ids doctor` prints the same for sources that miss a setting and for those that rejected a request.",
    "",
    ...accessTable(),
    "",
    "## Requests to sources",
    "",
    "- Requests to one host are spaced, whichever source sends them. Requests that a caller waits for are first.",
    "- After a 403 or 429 the service sends the host no requests for the time in its `Retry-After`. Without that header",
    "  the pauses are 1 min, 5 min, 30 min, 2 h, and then 6 h, until the host responds. All processes share the pauses.",
    "- A response with an `ETag` or `Last-Modified` is requested conditionally the next time. After a 304 the stored",
    "  response counts. Each process stores up to 64 million characters of responses in memory.",
    "- Requests are counted in the store by UTC day, for all processes. If the daily budget is spent, the failure says",
    "  when the next day begins.",
    "- If a part of a source with stored parts fails, its last good rows are served.",
    "- If the format is compared, a difference from the last good response is reported as drift.",
    "",
    ...(await mannersTable()),
  ]),
  settings: settingsPage([...datasets.flatMap(({ sources }) => sources), ...lookups]),
  architecture: filled("docs/architecture.md", {
    packages: packagesTable(),
    gates: markdownTable(
      ["Gate", "Rule"],
      gates.map(({ name, rule }) => [`\`${name}\``, rule]),
    ),
    steps: markdownTable(
      ["Step", "Purpose"],
      steps.map(({ name, purpose }) => [`\`${name}\``, purpose]),
    ),
  }),
  scores: filled("docs/scores.md", scoreTables()),
  commands: filled("docs/commands.md", { commands: commandTables(), "exit codes": exitCodesTable() }),
  monitoring: filled("docs/monitoring.md", { metrics: await metricsTable() }),
  retention: filled("docs/retention.md", { retention: retentionTable() }),
  "under-load": filled("docs/under-load.md", {
    limits: markdownTable(
      ["What", "Bound", "Above it", "Protects"],
      loadLimits.map(({ what, bound, beyond, protects }) => [what, bound, beyond, protects]),
    ),
  }),
};

// Pages of datasets that no longer exist are deleted.
rmSync(join(folder, "docs/datasets"), { recursive: true, force: true });
mkdirSync(join(folder, "docs/datasets"), { recursive: true });
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
