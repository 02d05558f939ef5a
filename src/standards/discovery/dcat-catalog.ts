import { mediaTypes } from "../../contract/file-format.ts";
import { sampleText } from "../../pages/frame/frame.ts";
import { pageOf } from "../../pages/reference/contents.ts";
import type { DatasetDescription } from "./dataset-description.ts";
import type { DatasetTable } from "./dataset-tables.ts";
import { formatOf, frequencyOf, node, term, themeScheme, themesOf } from "./dcat-vocabulary.ts";
import type { Publisher } from "./publisher.ts";

const context = {
  ...{ dcat: "http://www.w3.org/ns/dcat#", dct: "http://purl.org/dc/terms/", foaf: "http://xmlns.com/foaf/0.1/" },
  ...{ skos: "http://www.w3.org/2004/02/skos/core#", rdfs: "http://www.w3.org/2000/01/rdf-schema#" },
  ...{ vcard: "http://www.w3.org/2006/vcard/ns#", xsd: "http://www.w3.org/2001/XMLSchema#" },
  ...{ dcatap: "http://data.europa.eu/r5r/", availability: "dcatap:availability" },
  ...named("dct", ["title", "description", "publisher", "language", "license", "rights", "accessRights", "spatial"]),
  ...named("dct", ["identifier", "temporal", "accrualPeriodicity", "provenance", "conformsTo", "format"]),
  ...named("dcat", ["dataset", "service", "distribution", "theme", "themeTaxonomy", "keyword", "landingPage"]),
  ...named("dcat", ["contactPoint", "mediaType", "accessService", "servesDataset", "endpointURL"]),
  ...named("dcat", ["endpointDescription"]),
  ...named("foaf", ["homepage", "page", "name"]),
  ...named("dct", ["issued", "modified"], "xsd:dateTime"),
  ...named("dcat", ["startDate", "endDate"], "xsd:date"),
  ...named("dcat", ["accessURL", "downloadURL"], "@id"),
};

function named(prefix: string, names: readonly string[], type?: string): Readonly<Record<string, object>> {
  return Object.fromEntries(names.map((name) => [name, { "@id": `${prefix}:${name}`, "@type": type }]));
}

/** Returns the catalog of all datasets in JSON-LD that conforms to DCAT-AP 3. */
export function dcatCatalog(datasets: readonly DatasetDescription[], publisher: Publisher, isSample: boolean): object {
  const { origin, service } = publisher;
  const page = node(publisher.page, "foaf:Document");
  const agent = { ...node(`${publisher.page}#operator`, "foaf:Agent"), name: publisher.name, homepage: page };
  const contact = {
    ...{ ...node(`${publisher.page}#contact`, "vcard:Kind"), "vcard:fn": publisher.name },
    [publisher.contact.startsWith("mailto:") ? "vcard:hasEmail" : "vcard:hasURL"]: { "@id": publisher.contact },
  };
  const shared = { publisher: agent, contactPoint: contact };
  return {
    "@context": context,
    ...{ ...node(publisher.catalog, "dcat:Catalog"), title: service, publisher: agent },
    description: `Datasets about world events, risk and trade from public sources.${isSample ? ` ${sampleText}` : ""}`,
    ...{ homepage: node(`${origin}/`, "foaf:Document"), language: english, themeTaxonomy: themeScheme, spatial: world },
    rights: statement("Each dataset keeps the terms of its sources."),
    issued: datasets.flatMap((dataset) => dataset.issued ?? []).sort()[0],
    modified: datasets
      .flatMap((dataset) => dataset.modified ?? [])
      .sort()
      .at(-1),
    service: services(datasets, publisher).map((each) => ({ ...each, ...shared })),
    dataset: datasets.map((dataset) => ({ ...datasetNode(dataset, origin), ...shared })),
  };
}

const english = term("language", "ENG", "dct:LinguisticSystem");
const world = { ...node("http://sws.geonames.org/6295630/", "dct:Location"), "skos:prefLabel": "World" };
/** A dataset with more countries is described as one of the world. The list would be longer than the rest. */
const maxCountries = 50;

const rightsCodes = { public: "PUBLIC", key: "RESTRICTED", internal: "NON_PUBLIC" } as const;

function services(datasets: readonly DatasetDescription[], { origin, service }: Publisher): object[] {
  const served = datasets.filter(({ access }) => access.kind !== "internal").map(({ url }) => ({ "@id": url }));
  const areas = [...new Set(datasets.flatMap((dataset) => dataset.areas))];
  const shared = {
    ...{ "@type": "dcat:DataService", servesDataset: served, theme: themesOf(areas) },
    keyword: areas.map((area) => area.replaceAll("_", " ")),
    landingPage: node(`${origin}/docs`, "foaf:Document"),
    accessRights: term("access-right", "RESTRICTED", "dct:RightsStatement"),
  };
  const serviceAt = (path: string, name: string, description: string, standard: string) => ({
    ...{ ...shared, "@id": `${origin}${path}#service`, title: `${service}: ${name}` },
    endpointURL: node(origin + path, "rdfs:Resource"),
    endpointDescription: node(origin + description, "rdfs:Resource"),
    conformsTo: node(standard, "dct:Standard"),
  });
  const mcp = "https://modelcontextprotocol.io/specification";
  return [
    serviceAt("/", "REST API", "/openapi.json", "https://spec.openapis.org/oas/v3.1.0"),
    serviceAt("/mcp", "Model Context Protocol", "/.well-known/mcp.json", mcp),
  ];
}

function datasetNode(dataset: DatasetDescription, origin: string): object {
  const { name, title, description, url, isSample, access, issued, modified, observed, countries, tables } = dataset;
  return {
    ...{ ...node(url, "dcat:Dataset"), identifier: name, title, description, keyword: dataset.keywords },
    ...{ landingPage: node(url, "foaf:Document"), language: english, theme: themesOf(dataset.areas), issued, modified },
    accrualPeriodicity: frequencyOf(dataset.schedule),
    accessRights: term("access-right", rightsCodes[access.kind], "dct:RightsStatement"),
    provenance: isSample ? { "@type": "dct:ProvenanceStatement", "rdfs:label": sampleText } : undefined,
    temporal: observed && { "@type": "dct:PeriodOfTime", startDate: observed.from, endDate: observed.to },
    spatial:
      countries.length > maxCountries ? world : countries.map(({ alpha3 }) => term("country", alpha3, "dct:Location")),
    distribution: tables.flatMap((table) => distributions(table, dataset, origin)),
  };
}

function distributions(
  { operation, files, note }: DatasetTable,
  { url, licenses, termsUrl, sources }: DatasetDescription,
  origin: string,
): object[] {
  // A distribution can have only one license. If there are several, the dataset's page is named instead.
  const license = licenses.length === 1 ? licenses[0] : undefined;
  const terms = [...new Set(sources.map((source) => source.terms))].join("; ");
  return files.map(({ format, name, path }) => ({
    ...{ ...node(`${url}#${name}`, "dcat:Distribution"), title: name, description: note },
    ...{ accessURL: origin + path, downloadURL: origin + path, ...formatOf(format, mediaTypes[format]) },
    license: node(license ?? termsUrl, "dct:LicenseDocument"),
    rights: statement(terms),
    page: node(origin + pageOf(operation), "foaf:Document"),
    availability: { ...term("planned-availability", "AVAILABLE", "skos:Concept"), "skos:prefLabel": "Available" },
    accessService: { "@id": `${origin}/#service` },
  }));
}

function statement(text: string): object {
  return { "@type": "dct:RightsStatement", "rdfs:label": text };
}
