import { fromJson } from "@bufbuild/protobuf";
import { CatalogService, GetDatasetResponseSchema } from "../../../../gen/es/ids/catalog/v1/catalog_pb.ts";
import type { Dataset } from "../../../../gen/es/ids/catalog/v1/dataset_pb.ts";
import type { Operation } from "../../../contract/catalog.ts";
import { isNeeded } from "../../../contract/rules/field-rules.ts";
import { tablesOf } from "../../../contract/tables.ts";
import { lastSegment } from "../../../http/rest/path-parameters.ts";
import { type Html, html } from "../../../pages/html.ts";
import { operationFor, operationNamed } from "../../facts.ts";
import type { Sections } from "../../sections.ts";
import { catalogState, stateMarkup } from "../../view/availability.ts";
import { type Block, blockMaker, provenanceOf } from "../../view/block.ts";
import { labelOf } from "../../view/labels.ts";
import type { MakePage } from "../../visit.ts";
import { coverageMarkup } from "./coverage.ts";
import { fieldsMarkup } from "./field-list.ts";
import { freshnessMarkup } from "./freshness.ts";
import type { Lack } from "./no-rows.ts";
import { parametersOf, rowsBlocks } from "./rows.ts";
import { citationMarkup, sourcesMarkup } from "./terms.ts";

const getDataset = operationFor(CatalogService.method.getDataset);

/** What such pages take of their addresses: what their reads take, and what of it is shown. */
export function datasetParameters({ operations }: Sections): readonly string[] {
  return ["op", "rows", "order", ...operations.flatMap(parametersOf)];
}

/** `/data/<dataset>`: its rows, fields, freshness, sources, terms and files. */
export function datasetPage(sections: Sections): MakePage {
  return async (visit) => {
    const name = lastSegment(visit.path);
    const answer = await visit.read(getDataset, { name });
    if (answer.kind === "refused") return undefined;
    const { dataset, coverage } = fromJson(GetDatasetResponseSchema, answer.body);
    if (!dataset) return undefined;
    const block = blockMaker(visit, sections.facts);
    const operations = readsOf(dataset, sections);
    const wanted = visit.query.get("op");
    const operation = wanted === null ? operations[0] : operations.find((each) => each.name === wanted);
    if (wanted !== null && !operation) return undefined;
    const { blocks: rows, lack } = operation
      ? await rowsBlocks({ dataset, operations, operation, visit, block })
      : { blocks: [] };
    const covered = { ...provenanceOf(answer), isSample: dataset.origin === "sample" };
    const about = (...tables: readonly string[]) => ({ ...covered, tables });
    const explained: readonly Block[] = [
      block({
        id: "freshness",
        title: "Freshness",
        content: freshnessMarkup(dataset, visit.now),
        provenance: about(),
        span: "half",
      }),
      block({
        id: "sources",
        title: "Sources and terms",
        content: sourcesMarkup(dataset, visit.now),
        provenance: about("dataset.sources"),
        span: "half",
      }),
      block({
        id: "citation",
        title: "Citation",
        content: citationMarkup(dataset, visit),
        provenance: undefined,
        span: "half",
      }),
      ...(coverage
        ? [
            block({
              id: "coverage",
              title: "Coverage",
              content: coverageMarkup(coverage),
              provenance: covered,
              span: "half",
            }),
          ]
        : []),
      ...(operation
        ? [block({ id: "fields", title: "Fields", content: fieldsMarkup(operation), provenance: undefined })]
        : []),
    ];
    const blocks = [...rows, ...explained];
    const body = html`<main id="content" tabindex="-1"><header class="top"><p class="crumbs"><a href="/data">Data</a> / ${name}</p><h1>${labelOf(name)}</h1><p class="lead">${dataset.subject} ${headStates(dataset, lack)}</p></header>
${dataset.reason !== undefined && html`<div class="notice bad"><p>${dataset.reason}</p></div>`}
${rows.length === 0 && internalMarkup(dataset, sections)}
<div class="grid">${blocks.map(({ markup }) => markup)}</div></main>`;
    return { title: labelOf(name), description: dataset.subject, body, blocks };
  };
}

/** How the dataset stands; where the rows below are lacking all the same, how each of both. */
function headStates({ state }: Dataset, lack: Lack | undefined): Html {
  const own = catalogState(state);
  if (lack?.availability.tone !== "bad") return stateMarkup(own);
  return html`${stateMarkup({ ...own, word: `Last read: ${own.word}` })} ${stateMarkup({ ...lack.availability, word: `Rows: ${lack.availability.word.toLowerCase()}` })}`;
}

/** Reads of it that are tables and need no right but a plan. */
function readsOf({ operations }: Dataset, sections: Sections): readonly Operation[] {
  const shown = operations.flatMap(({ name }) => {
    const operation = operationNamed(name);
    const isShown = operation?.read && tablesOf(operation).length > 0 && operation.access.scope === "";
    return isShown && sections.operations.includes(operation) ? [operation] : [];
  });
  // Those that answer with everything come first.
  const isAsking = ({ method }: Operation) => Number(method.input.fields.some(isNeeded));
  return [...shown].sort((a, b) => isAsking(a) - isAsking(b));
}

function internalMarkup({ name }: Dataset, { inputs }: Sections) {
  const users = inputs.filter(({ datasets }) => datasets.some((each) => each.name === name));
  return html`<div class="notice"><p>This dataset has no rows of its own to show: other answers are computed from it.${
    users.length > 0 &&
    html` It is part of ${users.slice(0, 6).map(({ method }, index) => html`${index > 0 && ", "}${method.name}`)}.`
  }</p></div>`;
}
