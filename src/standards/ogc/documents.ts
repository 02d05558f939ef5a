import { described, firstSentence } from "../../contract/schema.ts";
import { NotFound } from "../../errors.ts";
import { termsPage } from "../../http/rest/data-links.ts";
import { provenanceOf } from "../../http/rest/formats/file-metadata.ts";
import { featureMaker } from "../../http/rest/formats/geojson.ts";
import { serviceName } from "../../pages/frame/frame.ts";
import { pageOf } from "../../pages/reference/contents.ts";
import type { Collection } from "./collections.ts";
import { crs84, systems, tableIn } from "./crs.ts";
import { type FeaturePage, writePosition } from "./feature-walk.ts";

export const [jsonType, geojsonType, htmlType] = ["application/json", "application/geo+json", "text/html"] as const;
export const apiType = "application/vnd.oai.openapi+json;version=3.0";

export type Format = "json" | "html";

type Link = Readonly<Record<"href" | "rel" | "type" | "title", string>>;

export interface LinkedDocument {
  readonly title?: string;
  readonly links?: readonly Link[];
  readonly [member: string]: unknown;
}

/** The resource that a client requested. */
export interface Requested {
  /** Scheme and host, as the client sees them. */
  readonly origin: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly format: Format;
  /** Media type of the resource as JSON. */
  readonly type: string;
}

/** Returns links to the requested resource: to itself, and to its other format (JSON or HTML). */
function ownLinks({ origin, path, query, format, type }: Requested): readonly Link[] {
  return (["json", "html"] as const).map((each) => {
    const address = new URLSearchParams(query);
    address.set("f", each);
    const rel = each === format ? "self" : "alternate";
    const title = `This page as ${each.toUpperCase()}`;
    return { href: `${origin}${path}?${address}`, rel, type: each === "json" ? type : htmlType, title };
  });
}

const linkBoth = (rel: string, href: string, title: string, type: string = jsonType): readonly Link[] => [
  { href: `${href}?f=json`, rel, type, title },
  { href: `${href}?f=html`, rel, type: htmlType, title },
];

export function landingPage(requested: Requested): LinkedDocument {
  const base = `${requested.origin}/ogc`;
  return {
    title: serviceName,
    description: "Events and facilities with a place, as features (OGC API - Features).",
    links: [
      ...ownLinks(requested),
      { href: `${base}/api?f=json`, rel: "service-desc", type: apiType, title: "OpenAPI document of this interface" },
      { href: `${base}/api?f=html`, rel: "service-doc", type: htmlType, title: "Documentation of this interface" },
      ...linkBoth("conformance", `${base}/conformance`, "Conformance classes"),
      ...linkBoth("data", `${base}/collections`, "Collections of features"),
    ],
  };
}

export function conformance(requested: Requested): LinkedDocument {
  const classes = ["core", "oas30", "html", "geojson"];
  const part = (number: number) => `http://www.opengis.net/spec/ogcapi-features-${number}/1.0/conf`;
  const conformsTo = [...classes.map((name) => `${part(1)}/${name}`), `${part(2)}/crs`];
  return { title: "Conformance", conformsTo, links: ownLinks(requested) };
}

export function collectionList(requested: Requested, collections: readonly Collection[]): LinkedDocument {
  const pathOf = ({ id }: Collection) => `${requested.path}/${id}`;
  const listed = collections.map((each) => collectionDocument({ ...requested, path: pathOf(each) }, each));
  return { title: "Collections", links: ownLinks(requested), collections: listed };
}

export function collectionDocument(requested: Requested, collection: Collection): LinkedDocument {
  const { id, title, operation, time } = collection;
  const { origin, path } = requested;
  return {
    ...{ id, title, description: descriptionOf(collection) },
    links: [
      ...ownLinks(requested),
      ...linkBoth("items", `${origin}${path}/items`, title, geojsonType),
      { href: `${origin}${termsPage(operation)}`, rel: "license", type: htmlType, title: "Terms of the sources" },
      { href: `${origin}${pageOf(operation)}`, rel: "describedby", type: htmlType, title: "Columns and parameters" },
    ],
    extent: {
      spatial: { bbox: [[-180, -90, 180, 90]], crs: crs84 },
      ...(time && { temporal: { interval: [[null, null]] } }),
    },
    itemType: "feature",
    ...{ crs: systems, storageCrs: crs84 },
  };
}

function descriptionOf({ operation: { method }, time, parameters: { maxRows } }: Collection): string {
  return [
    firstSentence(described(`${method.parent.typeName}.${method.name}`).description ?? ""),
    ...(time ? [`Without datetime, features of all times are returned; their time is ${time.name}.`] : []),
    ...(Number.isFinite(maxRows) ? [`Contains at most ${maxRows} features.`] : []),
  ].join(" ");
}

export function featureCollection(requested: Requested, { title }: Collection, page: FeaturePage): LinkedDocument {
  const { rows, plan, matched, next } = page;
  const following = new URLSearchParams(requested.query);
  following.set("f", requested.format);
  if (next) following.set("cursor", writePosition(next));
  const type = requested.format === "json" ? requested.type : htmlType;
  const href = `${requested.origin}${requested.path}?${following}`;
  return {
    ...{ type: "FeatureCollection", title },
    ...originOfRows(page),
    links: [...ownLinks(requested), ...(next ? [{ href, rel: "next", type, title: "Next page" }] : [])],
    ...(matched !== undefined && { numberMatched: matched }),
    numberReturned: rows.length,
    features: rows.map(featureMaker(tableIn(page.crs, plan.table))),
  };
}

export function featureDocument(requested: Requested, { title }: Collection, page: FeaturePage): LinkedDocument {
  const { origin, path } = requested;
  const collection = `${origin}${path.replace(/\/items\/[^/]*$/, "")}`;
  const [feature] = page.rows.map(featureMaker(tableIn(page.crs, page.plan.table)));
  if (!feature) throw new NotFound("No feature with this id was found");
  const links = [...ownLinks(requested), ...linkBoth("collection", collection, title)];
  return { ...feature, title: `${title}: ${feature.id}`, ...originOfRows(page), links };
}

/** Returns where rows come from, without the time of their read, which clients would take for that of the response. */
function originOfRows({ plan }: FeaturePage) {
  const { timestamp: _, ...origin } = provenanceOf(plan.metadata);
  return origin;
}
