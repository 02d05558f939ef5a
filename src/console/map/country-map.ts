import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type GeoProjection, geoMercator, geoPath } from "d3-geo";
import type { MultiPolygon } from "geojson";
import { LRUCache } from "lru-cache";
import { type Html, html } from "../../pages/html.ts";
import type { Country } from "../../reference/countries/countries.ts";
import { type Atlas, landOf } from "./country-pieces.ts";
import type { LayerView } from "./layers.ts";
import { pointMarks } from "./marks.ts";

const size = { width: 840, height: 460 };

/** One country and its neighbors, with the marks of layers. Undefined where the country is not drawn. */
export function countryMap(country: Country, layers: readonly LayerView[]): Html | undefined {
  const ground = groundOf(country);
  if (!ground) return undefined;
  const titles = layers.map(({ layer }) => layer.title.toLowerCase()).join(", ");
  return html`<figure class="map">
<svg class="world" viewBox="0 0 ${size.width} ${size.height}" role="img" aria-label="${`Map of ${country.name} with ${titles}`}">
${ground.outlines}
${layers.map(({ layer, points }, index) => html`<g class="points l${index + 1}">${pointMarks(points, ground.project, layer.title, 12)}</g>`)}
</svg>
</figure>`;
}

/** What of a map does not depend on data. */
interface Ground {
  readonly outlines: Html;
  readonly project: GeoProjection;
}

/** Drawing all outlines takes longer than everything else on a page. */
const grounds = new LRUCache<string, Ground>({ max: 50 });

function groundOf(country: Country): Ground | undefined {
  const lands = atlas();
  const own = lands.get(country.alpha2);
  if (!own) return undefined;
  const known = grounds.get(country.alpha2);
  if (known) return known;
  const { width, height } = size;
  const inner: [[number, number], [number, number]] = [
    [24, 20],
    [width - 24, height - 20],
  ];
  const project = geoMercator().rotate([-country.longitude, 0]).fitExtent(inner, mainland(own, country));
  project.clipExtent([
    [-5, -5],
    [width + 5, height + 5],
  ]);
  const draw = geoPath(project).digits(1);
  const others = [...lands.values()].flatMap((land) => {
    const path = land === own ? null : draw(land);
    return path === null ? [] : [html`<path class="land" d="${path}"/>`];
  });
  const ground = { project, outlines: html`<g>${others}<path class="land here" d="${draw(own) ?? ""}"/></g>` };
  grounds.set(country.alpha2, ground);
  return ground;
}

let loaded: ReadonlyMap<string, MultiPolygon> | undefined;

/** Read at the first map of a country. */
function atlas(): ReadonlyMap<string, MultiPolygon> {
  const file = createRequire(import.meta.url).resolve("world-atlas/countries-50m.json");
  loaded ??= landOf(JSON.parse(readFileSync(file, "utf8")) as Atlas);
  return loaded;
}

/** The pieces around the country's main land: far territories would make it small. */
function mainland(land: MultiPolygon, { longitude, latitude }: Country): MultiPolygon {
  const near = land.coordinates.filter(([ring = []]) =>
    ring.some(([x = 0, y = 0]) => Math.abs(x - longitude) < 18 && Math.abs(y - latitude) < 14),
  );
  return near.length === 0 ? land : { type: "MultiPolygon", coordinates: near };
}
