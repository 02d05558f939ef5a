import { Role, TimeEncoding } from "../../../gen/es/ids/options/v1/options_pb.ts";
import { kebab } from "../../contract/catalog.ts";
import { type CellType, type Column, itemType } from "../../contract/columns.ts";
import { mediaTypes } from "../../contract/file-format.ts";
import { described, firstSentence } from "../../contract/schema.ts";
import { separator } from "../../http/rest/formats/csv.ts";
import { unitOf } from "../../http/rest/formats/file-metadata.ts";
import { sampleText } from "../../pages/frame/frame.ts";
import type { DatasetDescription } from "./dataset-description.ts";
import type { DatasetTable } from "./dataset-tables.ts";
import type { Publisher } from "./publisher.ts";

/** The JSON-LD context that the specification of Croissant 1.1 recommends. Programs compare it with their own copy. */
const context = {
  ...{ "@language": "en", "@vocab": "https://schema.org/", sc: "https://schema.org/" },
  ...{ cr: "http://mlcommons.org/croissant/", rai: "http://mlcommons.org/croissant/RAI/" },
  ...{ dct: "http://purl.org/dc/terms/", conformsTo: "dct:conformsTo" },
  ...{ name: { "@container": "@language" }, description: { "@container": "@language" } },
  ...{ data: { "@id": "cr:data", "@type": "@json" }, examples: { "@id": "cr:examples", "@type": "@json" } },
  dataType: { "@id": "cr:dataType", "@type": "@vocab" },
  ...ofCroissant("arrayShape", "citeAs", "column", "containedIn", "equivalentProperty", "extract", "field"),
  ...ofCroissant("fileProperty", "fileObject", "fileSet", "format", "includes", "isArray", "isLiveDataset"),
  ...ofCroissant("jsonPath", "key", "md5", "parentField", "path", "recordSet", "references", "regex", "repeated"),
  ...ofCroissant("replace", "samplingRate", "separator", "source", "subField", "transform"),
};

function ofCroissant(...names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, `cr:${name}`]));
}

/** Returns a dataset as schema.org `Dataset` in JSON-LD that conforms to Croissant 1.1. */
export function croissant(dataset: DatasetDescription, publisher: Publisher): object {
  const { title, description, url, isSample, access, tables, issued, modified, observed, sources } = dataset;
  const organization = { "@type": "Organization", name: publisher.name, url: publisher.page };
  return {
    "@context": context,
    "@type": "Dataset",
    conformsTo: "http://mlcommons.org/croissant/1.1",
    ...{ name: title, alternateName: dataset.name, description, url, inLanguage: "en" },
    ...{ license: dataset.licenses, usageInfo: dataset.termsUrl, creator: organization, publisher: organization },
    isBasedOn: sources.map(({ name, terms, license }) => ({
      ...{ "@type": "CreativeWork", name, creditText: terms, license },
    })),
    ...{ keywords: dataset.keywords, isAccessibleForFree: access.isFree, conditionsOfAccess: access.text },
    creativeWorkStatus: isSample ? "Invented sample data" : undefined,
    citeAs: isSample ? `Do not cite. ${sampleText}` : `${title}. ${publisher.name}, ${url}`,
    ...{ version: publisher.version, isLiveDataset: true, datePublished: issued, dateModified: modified },
    temporalCoverage: observed && `${observed.from}/${observed.to}`,
    spatialCoverage: dataset.countries.map(({ name, alpha2 }) => ({ "@type": "Country", name, identifier: alpha2 })),
    includedInDataCatalog: { "@type": "DataCatalog", name: publisher.service, url: publisher.catalog },
    variableMeasured: tables.slice(0, 1).flatMap(({ plan }) => plan.table.columns.filter(isMeasured).map(variable)),
    distribution: tables.flatMap((table) => fileObjects(table, publisher.origin)),
    recordSet: tables.map(recordSet),
  };
}

/** Describes the files of a table. As the specification recommends for files that change, they have no checksum. */
function fileObjects({ files, note }: DatasetTable, origin: string): object[] {
  return files.map(({ format, name, path }) => ({
    ...{ "@type": "cr:FileObject", "@id": name, name, description: note },
    ...{ contentUrl: origin + path, encodingFormat: mediaTypes[format] },
  }));
}

/** Describes the rows of a table by the columns of its CSV file. */
function recordSet({ operation, plan, files }: DatasetTable): object {
  const { table, metadata } = plan;
  const id = `${kebab(operation.name)}/${table.name}`;
  const csv = files.find(({ format }) => format === "csv")?.name;
  return {
    ...{ "@type": "cr:RecordSet", "@id": id, name: table.name, description: metadata.title },
    ...(table.key.length > 0 && { key: table.key.map((name) => ({ "@id": `${id}/${name}` })) }),
    field: table.columns.map((column) => ({
      ...{ "@type": "cr:Field", "@id": `${id}/${column.name}`, name: column.name, description: textOf(column) },
      dataType: dataTypeOf(column.type === "list" ? itemType(column) : column.type, column.time),
      ...(column.type === "list" && { isArray: true }),
      source: {
        fileObject: { "@id": csv },
        extract: { column: column.name },
        ...(column.type === "list" && { transform: { separator } }),
      },
    })),
  };
}

const textTypes: ReadonlyMap<TimeEncoding, string> = new Map([
  [TimeEncoding.RFC3339, "sc:DateTime"],
  [TimeEncoding.DAY, "sc:Date"],
]);

function dataTypeOf(type: CellType, time: TimeEncoding): string {
  if (type === "boolean") return "sc:Boolean";
  if (type === "integer" || type === "bigint") return "sc:Integer";
  if (type === "number") return "sc:Float";
  return textTypes.get(time) ?? "sc:Text";
}

function isMeasured({ type, role, time }: Column): boolean {
  return ["integer", "bigint", "number"].includes(type) && role === Role.UNSPECIFIED && time === 0;
}

function variable(column: Column): object {
  return { "@type": "PropertyValue", name: column.name, description: textOf(column), unitText: unitOf(column) };
}

function textOf({ name, field }: Column): string {
  const text = field && described(`${field.parent.typeName}.${field.name}`).description;
  return text === undefined ? name : firstSentence(text).replaceAll(/[\s`]+/g, (found) => (found === "`" ? "" : " "));
}
