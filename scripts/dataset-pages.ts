// The pages of docs/datasets, from the descriptors, the graph of datasets, and the examples of the sample.
import { readFileSync } from "node:fs";
import type { DescMethod } from "@bufbuild/protobuf";
import { field as fieldOption, Role, TimeEncoding } from "../gen/es/ids/options/v1/options_pb.ts";
import { tierNames } from "../src/access/plans.ts";
import { durationText } from "../src/console/view/times.ts";
import { catalog, kebab, type Operation, requiredTier } from "../src/contract/catalog.ts";
import type { Column } from "../src/contract/columns.ts";
import { labelOf } from "../src/contract/labels.ts";
import { getOption } from "../src/contract/option.ts";
import { described, firstSentence } from "../src/contract/schema.ts";
import { type Table, tablesOf } from "../src/contract/tables.ts";
import { datasets, operationOrigins } from "../src/domains/index.ts";
import { unitOf } from "../src/http/rest/formats/file-metadata.ts";
import type { SourceMetadata } from "../src/ingest/source.ts";
import { exampleAddress, exampleRequest } from "../src/pages/reference/example-request.ts";
import { servableMinutes } from "../src/store/served/dataset-age.ts";
import { seriesOf } from "./dataset-series.ts";
import { cell, markdownTable } from "./markdown-table.ts";

type AnyDataset = (typeof datasets)[number];

const examples: Readonly<Record<string, object>> = JSON.parse(readFileSync("gen/examples.json", "utf8"));
/** Cells of the first row of each table as texts, by operation and table. */
const exampleRows: Readonly<Record<string, Readonly<Record<string, string>>>> = JSON.parse(
  readFileSync("gen/example-rows.json", "utf8"),
);
const operations = new Map<DescMethod, Operation>(catalog.map((operation) => [operation.method, operation]));
const timeTexts: Readonly<Record<TimeEncoding, string>> = {
  [TimeEncoding.UNSPECIFIED]: "",
  [TimeEncoding.EPOCH_MS]: "Unix epoch ms",
  [TimeEncoding.RFC3339]: "RFC 3339",
  [TimeEncoding.DAY]: "calendar day",
  [TimeEncoding.YEAR]: "calendar year",
  [TimeEncoding.PERIOD]: "year, quarter, or month",
};

/** Returns the page of each dataset and their index, by the path below `docs` without its ending. */
export function datasetPages(page: (title: string, lines: readonly string[]) => string): Record<string, string> {
  const pages = datasets.map((dataset) => [
    `datasets/${dataset.name}`,
    page(labelOf(dataset.name), [
      `After this page you know the sources, reads, and fields of \`${dataset.name}\`. [All datasets](README.md).`,
      ...["", dataset.subject, ""],
      ...factsOf(dataset),
      ...section("Not included", notIncludedLines(dataset)),
      ...section("Sources", sourcesOf(dataset)),
      ...section("Reads", readsOf(dataset)),
      ...section("Series", seriesOf(dataset)),
      ...fieldsOf(dataset),
      ...requestOf(dataset),
    ]),
  ]);
  return { "datasets/README": page("Datasets", indexLines()), ...Object.fromEntries(pages) };
}

function indexLines(): string[] {
  return [
    "Find the dataset that has your data. Its page has the fields with their units, the sources, and a request.",
    "`GET /api/catalog/v1/get-dataset` returns the current state of a dataset, and `list-coverage` its rows by country.",
    "",
    ...markdownTable(
      ["Dataset", "Contents", "Sources", "Stale after"],
      datasets.map(({ name, subject, sources, freshForMinutes }) => [
        `[${name}](${name}.md)`,
        subject,
        [...new Set(sources.map((source) => source.name))].join(", "),
        durationText(60 * freshForMinutes),
      ]),
    ),
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", `## ${title}`, "", ...lines];
}

function notIncludedLines({ notIncluded = [] }: AnyDataset): string[] {
  const rows = notIncluded.map((each) => each.split(": "));
  return rows.length === 0 ? [] : markdownTable(["Not included", "What there is instead"], rows);
}

function factsOf(dataset: AnyDataset): string[] {
  const { name, schedule, freshForMinutes, reads = [], tables = [] } = dataset;
  const usedBy = datasets.filter((other) => other.reads?.some((read) => read.name === name));
  const times = readTables(dataset).flatMap(({ table }) => ownColumns(table).filter(({ role }) => role === Role.TIME));
  const facts: [string, string][] = [
    ["Refresh", `${frequencyText(schedule)}: \`${schedule}\` (cron, UTC)`],
    ["Stale after", durationText(60 * freshForMinutes)],
    ["Too old to serve after", durationText(60 * servableMinutes(dataset))],
    ["Rows by country and source", `\`GET /api/catalog/v1/get-dataset?name=${name}\``],
    ["Computed from", links(reads)],
    ["Used by", links(usedBy)],
    ["Tables of the program", tables.map((table) => `${table.name}${reviewed(table.reviewedAt)}`).join(", ")],
    [
      "Time of a row",
      [...new Set(times.map(({ name: column, time }) => `\`${column}\` (${timeTexts[time]})`))].join(", "),
    ],
  ];
  return markdownTable(
    ["Property", "Value"],
    facts.filter(([, value]) => value !== ""),
  );
}

/** Returns how often a cron expression runs, which names a day only for one run on it. */
function frequencyText(schedule: string): string {
  const [minute = "*", hour = "*", day = "*", , weekday = "*"] = schedule.split(" ");
  if (weekday !== "*") return "once a week";
  if (day !== "*") return "once a month";
  const runs = selected(minute, 60) * selected(hour, 24);
  if (runs === 1) return "once a day";
  return runs < 24 ? `${runs} times a day` : `every ${(24 * 60) / runs} minutes`;
}

function selected(field: string, range: number): number {
  const [values = "", step = "1"] = field.split("/");
  return (values === "*" ? range : values.split(",").length) / Number(step);
}

function reviewed(at: string | undefined): string {
  return at === undefined ? "" : ` (reviewed ${at})`;
}

function links(named: readonly { readonly name: string }[]): string {
  return named.map(({ name }) => `[${name}](${name}.md)`).join(", ");
}

function sourcesOf({ sources }: AnyDataset): string[] {
  if (sources.length === 0) return [];
  return [
    ...markdownTable(
      ["Source", "A response contains", "License"],
      sources.map((source: SourceMetadata) => [
        `${source.license.publisher} (\`${source.name}\`)`,
        source.own ? "a list of this project" : coverageOf(source),
        `${source.license.kind}: ${source.license.terms}`,
      ]),
    ),
    ...["", "[Sources](../sources.md) has their keys and quotas."],
  ];
}

function coverageOf({ covers, withheldParts = [] }: SourceMetadata): string {
  const rows =
    covers === undefined ? "a selection" : typeof covers === "string" ? covers : `the last ${covers.days} days`;
  return withheldParts.length === 0 ? rows : `${rows}; not redistributed: ${withheldParts.join(", ")}`;
}

function readsOf({ name, serves }: AnyDataset): string[] {
  const direct = serves.flatMap((method) => operations.get(method) ?? []);
  const others = operationOrigins.filter(
    ({ method, datasets: from }) => !serves.includes(method) && from.some((each) => each.name === name),
  );
  const also = others.map(({ method }) => `\`${method.name}\``).join(", ");
  return [
    ...(direct.length === 0
      ? ["No read returns the rows of this dataset."]
      : markdownTable(
          ["Operation", "Path", "Plan", "Tables", "Parameters"],
          direct.map((operation) => [
            operation.name,
            `\`${operation.verb} ${operation.path}\``,
            operation.access.anonymous ? "no key" : (tierNames[requiredTier(operation)] ?? ""),
            tablesOf(operation)
              .map((table) => `\`${table.name}\``)
              .join(", "),
            parametersOf(operation),
          ]),
        )),
    ...(also === "" ? [] : ["", `These operations also use it: ${also}.`]),
  ];
}

function parametersOf({ method }: Operation): string {
  const fields = method.input.fields.filter((field) => !getOption(field, fieldOption).ignored);
  return fields.map(({ name }) => `\`${name}\``).join(", ");
}

interface ReadTable {
  readonly operation: Operation;
  readonly table: Table;
}

function readTables({ serves }: AnyDataset): ReadTable[] {
  return serves
    .flatMap((method) => operations.get(method) ?? [])
    .flatMap((operation) => tablesOf(operation).map((table) => ({ operation, table })));
}

function fieldsOf(dataset: AnyDataset): string[] {
  return readTables(dataset).flatMap(({ operation, table }) => {
    const example = exampleRows[`${operation.name} ${table.name}`] ?? {};
    const own = ownColumns(table);
    const outer = outerOf(table);
    return section(`Fields of ${operation.name}, \`${table.name}\``, [
      ...(table.key.length === 0 ? [] : [`A row is identified by ${listOf(table.key)}.`, ""]),
      ...(own.length === table.columns.length
        ? []
        : [`Each row also has the fields of its row in \`${outer}\`, with \`${outer}.\` before their names.`, ""]),
      ...markdownTable(
        ["Field", "Type", "Unit", "Meaning", "Example (invented)"],
        own.map((column) => [
          `\`${column.name}\``,
          column.type,
          timeTexts[column.time] || (unitOf(column) ?? ""),
          meaningOf(column),
          exampleText(example[column.name]),
        ]),
      ),
    ]);
  });
}

function outerOf({ name }: Table): string {
  return name.slice(0, Math.max(0, name.lastIndexOf(".")));
}

/** Returns the columns without those of the outer row, which the table of outer rows describes. */
function ownColumns(table: Table): readonly Column[] {
  const outer = outerOf(table);
  return outer === "" ? table.columns : table.columns.filter(({ name }) => !name.startsWith(`${outer}.`));
}

function listOf(names: readonly string[]): string {
  return new Intl.ListFormat("en").format(names.map((name) => `\`${name}\``));
}

function meaningOf({ name, field }: Column): string {
  const text = field && described(`${field.parent.typeName}.${field.name}`).description;
  return text === undefined ? labelOf(name) : cell(shortened(text));
}

/** Sentences about a special value, such as "0 while the outage is ongoing." or "Otherwise empty." */
const aboutSpecialValue =
  /^(?:(?:also|always|otherwise|currently always) )?(?:empty|absent|unknown|negative|`[^`]+`(?::| if )|-?\d+ )/i;
const maxWords = 20;

/** Returns the first sentence, and those that say what a special value means. The reference has the others. */
function shortened(text: string): string {
  const first = firstSentence(text);
  const others = text
    .slice(first.length)
    .trim()
    .split(/(?<=\.)\s+/);
  return [first, ...others.filter((each) => aboutSpecialValue.test(each) && each.split(/\s+/).length <= maxWords)].join(
    " ",
  );
}

function exampleText(text: string | undefined): string {
  return text === undefined ? "" : `\`${cell(text)}\``;
}

/** Returns the first read with an example, as a request that runs and its shortened response. */
function requestOf({ serves }: AnyDataset): string[] {
  const operation = serves.flatMap((method) => operations.get(method) ?? []).find(({ name }) => examples[name]);
  if (!operation) return [];
  const address = `http://127.0.0.1:8080${exampleAddress(operation, exampleRequest(operation))}`;
  const plan = tierNames[requiredTier(operation)];
  const lines = operation.access.anonymous
    ? [`curl "${address}"`]
    : [`KEY=$(node -p "require('./.data/demo-keys.json').${plan}")`, `curl -H "X-Service-Key: $KEY" "${address}"`];
  return section("Request", [
    `${operation.name} returns this from the sample data, which is invented. The example is shortened. The page`,
    `\`/docs/${kebab(operation.name)}\` of the service describes every parameter.`,
    ...["", "```sh", ...lines, "```", "", "```json"],
    ...[JSON.stringify(examples[operation.name], null, 1), "```"],
  ]);
}
