import type { MessageInitShape } from "@bufbuild/protobuf";
import { geoArea, geoCentroid } from "d3-geo";
import { z } from "zod";
import type { MilitaryBaseSchema } from "../../../../../gen/es/ids/military/v1/military_pb.ts";
import { UpstreamError } from "../../../../egress/upstream-error.ts";
import { type Parsed, type Rejection, readRow, type Source } from "../../../../ingest/source.ts";
import type { Upstream } from "../../../../upstream/upstream.ts";
import { categoriesOf, plainName } from "./vocabulary.ts";

const branches: ReadonlyMap<string, string> = new Map([
  ["usa", "Army"],
  ["usar", "Army Reserve"],
  ["armynationalguard", "Army National Guard"],
  ["usaf", "Air Force"],
  ["afr", "Air Force Reserve"],
  ["airnationalguard", "Air National Guard"],
  ["usmc", "Marine Corps"],
  ["usmcr", "Marine Corps Reserve"],
  ["usn", "Navy"],
  ["usnr", "Navy Reserve"],
  ["whs", "Washington Headquarters Services"],
]);

const statusOf: ReadonlyMap<string, string> = new Map([
  ["act", "active"],
  ["clsd", "closed"],
  ["semi", "semi-active"],
  ["care", "caretaker"],
  ["excs", "excess"],
]);

/** Returns the kind of a site. The source has no kinds, so it follows from the name and the reporting component. */
export function siteKind(name: string, component: string): string {
  if (range.test(name)) return "range";
  if (trainingArea.test(name)) return "training_area";
  if (airfield.test(name)) return "airfield";
  if (component.startsWith("usn") && navalBase.test(name)) return "naval_base";
  return component === "afr" || component === "airnationalguard" ? "airfield" : "base";
}

const range = /\b(range|proving grounds?|gunnery|bombing)\b/i;
const trainingArea = /\b(training (area|center|site|complex)|maneuver area|MTA|LTA|MTC|TA|TS)\b/i;
const airfield =
  /\b(air (force |reserve |national guard |guard )?(base|station|field)|airfield|airport|AFB|ARB|AGB|ANGB|AAF|AHP|NAS|NAF|NOLF|OLF|MCAS|IAP)\b/i;
const navalBase =
  /\b(naval (submarine |amphibious )?base|naval (station|support|weapons station|shipyard)|shipyard|NAVBASE|NAVSTA|NSA|NSB|NWS|NS)\b/i;

type Row = MessageInitShape<typeof MilitaryBaseSchema>;

/** Military sites of the United States as points. A site without a point has the centroid of its boundaries instead. */
export const mirta: Source<Row> = {
  name: "mirta",
  license: {
    kind: "open",
    publisher: "US Army Corps of Engineers",
    terms: "US public domain, US Army Corps of Engineers (MIRTA)",
  },
  rows: { atLeast: 200, mayBeEmpty: false },
  fetch: async (upstream) => ({ points: await pagesOf(upstream, 0), boundaries: await pagesOf(upstream, 1) }),
  parse,
};

const service = "https://services7.arcgis.com/n1YM8pTrFmm7L4hs/arcgis/rest/services/mirta/FeatureServer";
const maxPages = 50;

const Page = z.object({
  type: z.literal("FeatureCollection"),
  features: z.array(z.unknown()),
  properties: z.object({ exceededTransferLimit: z.boolean().optional() }).optional(),
});
const responseSchema = z.object({ points: z.array(Page), boundaries: z.array(Page) });

const Coordinate = z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)], z.number());
const Shape = z.discriminatedUnion("type", [
  z.object({ type: z.literal("Point"), coordinates: Coordinate }),
  z.object({ type: z.literal("Polygon"), coordinates: z.array(z.array(Coordinate)) }),
  z.object({ type: z.literal("MultiPolygon"), coordinates: z.array(z.array(z.array(Coordinate))) }),
]);
const code = z
  .string()
  .nullish()
  .transform((text) => (text ?? "na").trim().toLowerCase());
const Feature = z.object({
  geometry: Shape,
  properties: z.object({
    SITENAME: z.string().transform(plainName).pipe(z.string().min(1)),
    SITEREPORTINGCOMPONENT: code,
    SITEOPERATIONALSTATUS: code,
    STATENAMECODE: code,
  }),
});

async function pagesOf(upstream: Upstream, layer: number): Promise<unknown[]> {
  const pages: unknown[] = [];
  for (let offset = 0; pages.length < maxPages; ) {
    const query = { where: "1=1", outFields: "*", f: "geojson", resultRecordCount: "1000", resultOffset: `${offset}` };
    const page = await upstream.json({ url: `${service}/${layer}/query?${new URLSearchParams(query)}` });
    pages.push(page);
    const { features, properties } = checked(Page, page);
    if (properties?.exceededTransferLimit !== true || features.length === 0) return pages;
    offset += features.length;
  }
  throw new UpstreamError(`MIRTA: layer ${layer} does not end`);
}

function parse(response: unknown): Parsed<Row> {
  const { points, boundaries } = checked(responseSchema, response);
  const rejected: Rejection[] = [];
  const sites = new Map<string, Site>();
  for (const site of sitesOf("point", points, rejected)) {
    const { key, name } = site;
    if (sites.has(key)) rejected.push({ row: name, reason: "a second point of the same site" });
    else sites.set(key, site);
  }
  const known = new Set(sites.keys());
  for (const site of sitesOf("boundary", boundaries, rejected)) {
    if (known.has(site.key)) continue;
    // Several boundaries can belong to one site, so their areas are combined.
    const earlier = sites.get(site.key)?.polygons ?? [];
    sites.set(site.key, { ...site, polygons: [...earlier, ...site.polygons] });
  }
  return { rows: rowsOf(sites.values()), rejected };
}

interface Site {
  readonly key: string;
  readonly name: string;
  readonly state: string;
  readonly component: string;
  readonly status: string;
  readonly point?: Position;
  readonly polygons: readonly Polygon[];
}

function sitesOf(layer: string, pages: readonly z.infer<typeof Page>[], rejected: Rejection[]): Site[] {
  const sites: Site[] = [];
  for (const [place, feature] of pages.flatMap(({ features }) => features).entries()) {
    const read = readRow(Feature, feature, `${layer} ${place}`, rejected);
    if (!read) continue;
    const { geometry, properties } = read;
    const { SITENAME: name, STATENAMECODE: state } = properties;
    const { SITEREPORTINGCOMPONENT: component, SITEOPERATIONALSTATUS: status } = properties;
    const site = { key: `${name.toLowerCase()}, ${state}`, name, state, component, status };
    const polygons = polygonsOf(geometry);
    if (geometry.type === "Point") sites.push({ ...site, point: geometry.coordinates, polygons });
    else if (polygons.flat(2).length > 0) sites.push({ ...site, polygons });
    else rejected.push({ row: `${layer} ${place}`, reason: "no coordinates" });
  }
  return sites;
}

function polygonsOf(shape: z.infer<typeof Shape>): Polygon[] {
  if (shape.type === "Point") return [];
  return shape.type === "Polygon" ? [shape.coordinates] : shape.coordinates;
}

/** Returns one row per site. If a second state has a site with the same name, its ID contains that state. */
function rowsOf(sites: Iterable<Site>): Row[] {
  const ids = new Set<string>();
  return Array.from(sites, ({ name, state, component, status, point, polygons }) => {
    const id = ids.has(`mirta:${name.toLowerCase()}`) ? `mirta:${name} (${state.toUpperCase()})` : `mirta:${name}`;
    ids.add(id.toLowerCase());
    const kind = siteKind(name, component);
    const branch = branches.get(component) ?? "";
    return {
      id,
      name,
      ...(point ? { latitude: point[1], longitude: point[0] } : centerOf(polygons)),
      kind,
      type: "us-nato",
      tier: 1,
      branch,
      status: statusOf.get(status) ?? "",
      ...categoriesOf(kind, name, branch),
    };
  });
}

function checked<S extends z.ZodType>(schema: S, value: unknown): z.infer<S> {
  const read = schema.safeParse(value);
  if (!read.success) throw new UpstreamError("MIRTA: not a feature collection", { cause: read.error });
  return read.data;
}

/** A longitude and a latitude, in this order. */
type Position = [number, number, ...number[]];
/** The outline of an area, followed by its holes. */
type Polygon = readonly Position[][];

/** Returns the centroid of areas on the globe, which may cross the 180th meridian. */
function centerOf(polygons: readonly Polygon[]): { latitude: number; longitude: number } {
  const [longitude, latitude] = geoCentroid({ type: "MultiPolygon", coordinates: polygons.map(wound) });
  const rounded = (degrees: number) => Number(degrees.toFixed(6));
  return { latitude: rounded(latitude), longitude: rounded(longitude) };
}

/**
 * Reverses rings so that the outline of an area encloses the smaller side of the globe, and its holes the larger one.
 * Sources use both directions.
 */
function wound(rings: Polygon): Position[][] {
  const hasSmallerInside = (ring: Position[]) => geoArea({ type: "Polygon", coordinates: [ring] }) < 2 * Math.PI;
  return rings.map((ring, place) => (hasSmallerInside(ring) === (place === 0) ? ring : ring.toReversed()));
}
