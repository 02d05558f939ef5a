import type { GetDatasetResponse } from "../../../gen/es/ids/catalog/v1/catalog_pb.ts";
import type { DatasetCoverage } from "../../../gen/es/ids/catalog/v1/coverage_pb.ts";
import type { Dataset } from "../../../gen/es/ids/catalog/v1/dataset_pb.ts";
import { type Operation, requiredTier } from "../../contract/catalog.ts";
import type { Withheld } from "../../http/rest/formats/withheld-rows.ts";
import { type GraphDataset, madeFrom, sourcesBehind } from "../../ingest/graph.ts";
import { type Site, sampleText } from "../../pages/frame/frame.ts";
import { inWords, thingsOf } from "../../pages/reference/contents.ts";
import { isoDay } from "../../reference/calendar.ts";
import { type Country, countries } from "../../reference/countries/countries.ts";
import { accessText, type DatasetTables, datasetTables, type Readable } from "./dataset-tables.ts";
import { licenseUrl } from "./licenses.ts";

export interface DescriberParts {
  readonly site: Site;
  readonly datasets: readonly GraphDataset[];
  readonly reads: readonly Readable[];
  readonly withheld: (operation: Operation) => Withheld;
}

/** A dataset in terms that schema.org and DCAT share. */
export interface DatasetDescription extends DatasetTables {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly url: string;
  readonly isSample: boolean;
  /** Subjects of the operations that read the dataset, such as `supply_chain`. */
  readonly areas: readonly string[];
  readonly keywords: readonly string[];
  readonly access: { readonly kind: "public" | "key" | "internal"; readonly isFree: boolean; readonly text: string };
  /** URLs of the licenses. If terms name no license, the URL of the dataset's page. */
  readonly licenses: readonly string[];
  readonly termsUrl: string;
  readonly sources: readonly DescribedSource[];
  /** Schedule of refreshes: a cron expression in UTC. */
  readonly schedule: string;
  readonly issued: string | undefined;
  readonly modified: string | undefined;
  /** Earliest and latest time that rows describe. */
  readonly observed: { readonly from: string; readonly to: string } | undefined;
  readonly countries: readonly Country[];
}

interface DescribedSource {
  readonly name: string;
  readonly terms: string;
  readonly license: string | undefined;
}

export type Describe = (response: GetDatasetResponse, origin: string) => DatasetDescription | undefined;

export function datasetDescriber({ site, datasets, reads, withheld }: DescriberParts): Describe {
  const byName = new Map(reads.map((read) => [read.operation.name, read]));
  return ({ dataset, coverage }, origin) => {
    if (!dataset) return undefined;
    const { name, subject, schedule } = dataset;
    const isSample = (dataset.origin ?? (site.isSample ? "sample" : "live")) === "sample";
    const own = dataset.operations.flatMap((operation) => byName.get(operation.name) ?? []);
    const operations = own.map(({ operation }) => operation);
    const tables = datasetTables(own, withheld, isSample);
    const sources = sourcesOf(name, datasets);
    const url = `${origin}/data/${name}`;
    const termsUrl = `${url}#sources`;
    const access = accessOf(tables, operations);
    const areas = [...new Set(operations.map(({ tool }) => tool.area))];
    return {
      ...tables,
      ...{ name, title: inWords(name), url, isSample, schedule, access, areas, sources, termsUrl },
      description: descriptionOf(subject, isSample, sources, tables),
      keywords: keywordsOf(name, areas, operations),
      licenses: [...new Set(sources.map(({ license }) => license ?? termsUrl))],
      ...{ issued: instant(dataset.historyFrom ?? dataset.storedAt), modified: instant(dataset.storedAt) },
      observed: observedIn(dataset, coverage),
      countries: (coverage?.countries ?? []).flatMap(({ country }) => countries.get(country) ?? []),
    };
  };
}

/** Returns the sources of a dataset and of the datasets that it is computed from. */
function sourcesOf(name: string, datasets: readonly GraphDataset[]): readonly DescribedSource[] {
  const known = datasets.find((each) => each.name === name);
  const behind = known ? sourcesBehind({ datasets: [known, ...madeFrom(known, datasets)], lookups: [] }) : [];
  const described = behind.map(({ name: source, license }) => ({
    ...{ name: source, terms: license.terms, license: licenseUrl(license) },
  }));
  return [...new Map(described.map((source) => [source.name, source])).values()];
}

function descriptionOf(
  subject: string,
  isSample: boolean,
  sources: readonly DescribedSource[],
  { tables, withheld }: DatasetTables,
): string {
  const leftOut = [...new Set(tables.flatMap(({ plan }) => plan.metadata.withheld))];
  const terms = [...new Set(sources.map((source) => source.terms))];
  return [
    subject,
    ...(isSample ? [sampleText] : []),
    ...(tables.length === 0 && withheld.length === 0
      ? ["The service has no file of this dataset, and uses it in other responses."]
      : []),
    ...withheld,
    ...(leftOut.length > 0
      ? [`Files leave out rows of ${leftOut.join(", ")}, whose terms forbid redistribution.`]
      : []),
    ...(terms.length > 0 ? [`Terms of the sources: ${terms.join("; ")}.`] : []),
  ].join(" ");
}

function accessOf({ tables }: DatasetTables, operations: readonly Operation[]): DatasetDescription["access"] {
  const offered = tables.length > 0 ? tables.map(({ operation }) => operation) : operations;
  if (offered.length === 0) return { kind: "internal", isFree: false, text: "Only other responses contain this data." };
  const isPublic = offered.some(({ access }) => access.anonymous);
  const isFree = offered.some((operation) => requiredTier(operation) === 0);
  return { kind: isPublic ? "public" : "key", isFree, text: accessText(offered) };
}

function keywordsOf(name: string, areas: readonly string[], operations: readonly Operation[]): readonly string[] {
  const words = [
    inWords(name),
    ...areas.map((area) => inWords(area.replaceAll("_", "-"))),
    ...operations.map(thingsOf),
  ];
  return [...new Map(words.map((word) => [word.toLowerCase(), word])).values()];
}

function observedIn({ sources }: Dataset, coverage: DatasetCoverage | undefined): DatasetDescription["observed"] {
  const counted = [...(coverage?.countries ?? []), ...(coverage?.sources ?? [])];
  const spans = counted.some(({ firstAt }) => firstAt !== undefined)
    ? counted.map(({ firstAt, lastAt }) => [firstAt, lastAt])
    : sources.map(({ observedFrom, observedTo }) => [observedFrom, observedTo]);
  const times = spans.flat().flatMap((time) => (time === undefined ? [] : Number(time)));
  if (times.length === 0) return undefined;
  return { from: isoDay(Math.min(...times)), to: isoDay(Math.max(...times)) };
}

function instant(ms: bigint | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(Number(ms)).toISOString();
}
