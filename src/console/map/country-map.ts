import { type GeoProjection, type GeoStream, geoMercator } from "d3-geo";
import { LRUCache } from "lru-cache";
import { type Html, html } from "../../pages/html.ts";
import type { Country } from "../../reference/countries/countries.ts";
import type { DrawnLayer, LayerView } from "./layers.ts";
import { circles, marksOf } from "./marks.ts";
import { lands, type Piece } from "./outlines.ts";

/** Size of a square, in pixels, within which all points become one mark. */
const cell = 12;
const [width, height, margin] = [840, 460, 22];
/** Outlines are cut this many pixels outside the map, so that the cut edges are not visible. */
const outside = 6;
/** Minimum size of a piece of land and minimum distance between points of an outline, in pixels. */
const smallest = 0.7;
const radians = Math.PI / 180;

/** Draws one country and its neighbors with the marks of layers. Undefined if the country has no outline. */
export function countryMap(country: Country, layers: readonly DrawnLayer[]): Html | undefined {
  const ground = groundOf(country);
  if (!ground) return undefined;
  const titles = layers.map(({ layer }) => layer.title.toLowerCase()).join(", ");
  return html`<figure class="map">
<svg class="world" viewBox="0 0 ${width} ${height}" role="img" aria-label="${`Map of ${country.name} with ${titles}`}">
${ground.outlines}
${layers.map(({ layer, marks }, index) => html`<g class="points l${index + 1}">${circles(marks, layer.title, cell)}</g>`)}
</svg>
</figure>`;
}

/** Returns layers with their marks. A country without an outline has none. */
export function drawnOn(country: Country, layers: readonly LayerView[]): readonly DrawnLayer[] {
  const projection = groundOf(country)?.projection;
  return layers.map((layer) => ({ ...layer, marks: projection ? marksOf(layer.points, projection, cell) : [] }));
}

interface Ground {
  readonly outlines: Html;
  readonly projection: GeoProjection;
}

const grounds = new LRUCache<string, Ground>({ max: 50 });

function groundOf(country: Country): Ground | undefined {
  const known = grounds.get(country.alpha2);
  if (known) return known;
  const own = lands().get(country.alpha2);
  if (!own) return undefined;
  const projection = projectionOf(mainland(own, country), country.longitude);
  const isVisible = visibility(projection);
  const draw = (pieces: readonly Piece[]) =>
    pieces
      .filter(isVisible)
      .map((piece) => pathOf(piece, projection))
      .join("");
  const others = [...lands().values()].flatMap((pieces) => {
    const path = pieces === own ? "" : draw(pieces);
    return path === "" ? [] : [html`<path class="land" d="${path}"/>`];
  });
  const ground = { projection, outlines: html`<g>${others}<path class="land here" d="${draw(own)}"/></g>` };
  grounds.set(country.alpha2, ground);
  return ground;
}

/** Returns the pieces near the country's main land. With remote territories, the map would be too small. */
function mainland(land: readonly Piece[], { longitude, latitude }: Country): readonly Piece[] {
  const near = land.filter(({ rings: [outline] }) =>
    placesIn(outline).some(([x, y]) => Math.abs(x - longitude) < 18 && Math.abs(y - latitude) < 14),
  );
  return near.length === 0 ? land : near;
}

function placesIn(ring: Float32Array = new Float32Array()): [number, number][] {
  return Array.from({ length: ring.length / 2 }, (_, index) => [ring[2 * index] ?? 0, ring[2 * index + 1] ?? 0]);
}

/** Returns a Mercator projection around a meridian that fits the pieces to the map. */
function projectionOf(pieces: readonly Piece[], longitude: number): GeoProjection {
  const coordinates = pieces.flatMap(({ rings: [outline] }) => placesIn(outline));
  return geoMercator()
    .rotate([-longitude, 0])
    .precision(0)
    .fitExtent(
      [
        [margin, margin],
        [width - margin, height - margin],
      ],
      { type: "MultiPoint", coordinates },
    )
    .clipExtent([
      [-outside, -outside],
      [width + outside, height + outside],
    ]);
}

/** Returns a filter for the pieces of the world that are inside the map and large enough to be seen. */
function visibility(projection: GeoProjection): (piece: Piece) => boolean {
  const [west = 0, north = 90] = projection.invert?.([0, 0]) ?? [];
  const [, south = -90] = projection.invert?.([0, height]) ?? [];
  const pixels = projection.scale() * radians;
  return (piece) => {
    const wide = piece.east - piece.west;
    // Distance between the western edges, measured in the shorter direction around the globe.
    const away = piece.west - west - 360 * Math.round((piece.west + wide / 2 - west - width / pixels / 2) / 360);
    const isWithin = piece.south < north && piece.north > south && away < width / pixels && away + wide > 0;
    const high = (piece.north - piece.south) / Math.cos(((piece.north + piece.south) / 2) * radians);
    return isWithin && Math.max(wide, high) * pixels > smallest;
  };
}

function pathOf({ rings }: Piece, projection: GeoProjection): string {
  let path = "";
  let places: string[] = [];
  let [lastX, lastY] = [Number.NaN, Number.NaN];
  const sink: GeoStream = {
    polygonStart: () => undefined,
    polygonEnd: () => undefined,
    lineStart() {
      [places, lastX, lastY] = [[], Number.NaN, Number.NaN];
    },
    point(x, y) {
      if (Math.abs(x - lastX) < smallest && Math.abs(y - lastY) < smallest) return;
      places.push(`${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`);
      [lastX, lastY] = [x, y];
    },
    lineEnd() {
      if (places.length > 2) path += `M${places[0]}L${places.slice(1).join(" ")}Z`;
    },
  };
  const stream = projection.stream(sink);
  stream.polygonStart();
  for (const ring of rings) {
    stream.lineStart();
    for (let index = 0; index < ring.length; index += 2) stream.point(ring[index] ?? 0, ring[index + 1] ?? 0);
    stream.lineEnd();
  }
  stream.polygonEnd();
  return path;
}
