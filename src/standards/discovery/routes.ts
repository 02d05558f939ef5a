import { type DescMessage, type DescMethodUnary, fromJson, type MessageShape } from "@bufbuild/protobuf";
import { CatalogService, type GetDatasetResponse } from "../../../gen/es/ids/catalog/v1/catalog_pb.ts";
import type { Exchange } from "../../http/exchange.ts";
import { readResponse } from "../../http/rest/prepared-response.ts";
import type { ReadOperation } from "../../http/rest/read-operation.ts";
import type { Route } from "../../http/router.ts";
import { documentRoute, type FixedDocument } from "../../http/routes/document-route.ts";
import { Html, html } from "../../pages/html.ts";
import { dayMs } from "../../reference/duration.ts";
import { apiCatalog, apiCatalogLink, apiCatalogPath, apiCatalogType } from "./api-catalog.ts";
import { croissant } from "./croissant.ts";
import { type DescriberParts, datasetDescriber } from "./dataset-description.ts";
import type { Readable } from "./dataset-tables.ts";
import { dcatCatalog } from "./dcat-catalog.ts";
import { catalogPath, publisherOf } from "./publisher.ts";
import { securityText, securityTextPath } from "./security-txt.ts";
import { robots, sitemap } from "./sitemap.ts";

export interface DiscoveryParts extends DescriberParts {
  readonly reads: readonly (Readable & { readonly readOperation: ReadOperation })[];
  readonly version: string;
  /** Number that changes whenever data changes. */
  readonly epoch: () => number;
  readonly meter: (exchange: Exchange) => unknown;
  readonly clock: () => Date;
}

export interface Discovery {
  readonly routes: (readonly [path: string, route: Route])[];
  /** Returns the description of a dataset as JSON-LD for the head of its page, with a link to it as a document. */
  readonly structuredData: (response: GetDatasetResponse, origin: string) => Html | undefined;
}

/** Describes the datasets and APIs for search engines, data portals, and programs. */
export function createDiscovery(parts: DiscoveryParts): Discovery {
  const { site, version, datasets, epoch, meter, clock } = parts;
  const describe = datasetDescriber(parts);
  const read = publicReader(parts.reads);
  const { getDataset, listDatasets } = CatalogService.method;

  const catalog = async (origin: string, exchange: Exchange) => {
    const described = [];
    // The datasets are read one by one, so that a catalog does not fill the client's queue.
    for (const { name } of datasets) described.push(describe(await read(exchange, getDataset, { name }), origin));
    const known = described.filter((dataset) => dataset !== undefined);
    return JSON.stringify(dcatCatalog(known, publisherOf(site, version, origin), site.isSample));
  };
  const pages = async (origin: string, exchange: Exchange) =>
    sitemap(origin, (await read(exchange, listDatasets)).datasets);
  const today = () => Math.floor(clock().getTime() / dayMs);
  const route = (path: string, type: string, make: FixedDocument["make"], more: Partial<FixedDocument> = {}) =>
    [path, documentRoute({ name: path.slice(1), type, namesOrigin: true, make, ...more }, meter)] as const;
  const inCroissant = (response: GetDatasetResponse, origin: string) => {
    const dataset = describe(response, origin);
    return dataset && croissant(dataset, publisherOf(site, version, origin));
  };
  const datasetRoute = (name: string) => {
    const make = async (origin: string, exchange: Exchange) =>
      JSON.stringify(inCroissant(await read(exchange, getDataset, { name }), origin));
    return route(documentPath(name), jsonLdType, make, { name: "dataset.jsonld", epoch });
  };
  return {
    routes: [
      route(catalogPath, jsonLdType, catalog, { epoch }),
      // Each dataset also has a JSON document, because programs such as mlcroissant do not look for it in a page.
      ...datasets.map(({ name }) => datasetRoute(name)),
      route("/sitemap.xml", "application/xml; charset=utf-8", pages, { epoch }),
      route("/robots.txt", "text/plain; charset=utf-8", (origin) => robots(origin, site.isSample)),
      route(
        securityTextPath,
        "text/plain; charset=utf-8",
        (origin) => securityText(site.operator.contact, origin, today()),
        { name: "security.txt", epoch: today },
      ),
      route(apiCatalogPath, apiCatalogType, (origin) => JSON.stringify(apiCatalog(origin)), {
        ...{ name: "api-catalog", headers: ["Link", apiCatalogLink] },
      }),
    ],
    structuredData(response, origin) {
      const data = inCroissant(response, origin);
      return data && headOf(data, response.dataset?.name ?? "");
    },
  };
}

const jsonLdType = "application/ld+json";

const documentPath = (dataset: string) => `/data/${dataset}.jsonld`;

/** Returns JSON-LD in a script element, which browsers do not run. No text within the JSON can end the element. */
function headOf(data: object, dataset: string): Html {
  const json = JSON.stringify(data).replaceAll("<", "\\u003c");
  const link = html`<link rel="alternate" type="${jsonLdType}" href="${documentPath(dataset)}">`;
  return Html.of([`${link}<script type="${jsonLdType}">${json}</script>`], []);
}

type ReadPublic = <I extends DescMessage, O extends DescMessage>(
  exchange: Exchange,
  method: DescMethodUnary<I, O>,
  parameters?: Readonly<Record<string, string>>,
) => Promise<MessageShape<O>>;

/** Returns a function that calls a public read and returns the same response as over HTTP. */
function publicReader(reads: DiscoveryParts["reads"]): ReadPublic {
  return async (exchange, method, parameters = {}) => {
    const found = reads.find(({ operation }) => operation.method === method);
    if (!found?.operation.access.anonymous) throw new TypeError(`${method.name} isn't a public read`);
    const { readOperation } = found;
    const request = readOperation.decode(`${new URLSearchParams(parameters)}`);
    return fromJson(method.output, readResponse(await readOperation.respond(exchange, request, undefined)));
  };
}
