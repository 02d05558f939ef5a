import { type GeoProjection, type GeoStream, geoMercator } from "d3-geo";
import { LRUCache } from "lru-cache";
import { Role } from "../../../gen/es/ids/options/v1/options_pb.ts";
import type { Column, Place } from "../../contract/columns.ts";
import { type Html, html } from "../../pages/html.ts";
import { type Country, countries } from "../../reference/countries/countries.ts";
import type { GeoPoint } from "./marks.ts";
import { type Ground, lands, type Piece } from "./outlines.ts";
import { worldGround } from "./world-map.ts";

const [width, height, margin] = [840, 460, 22];
/** Outlines are cut this many pixels outside the map, so that the cut edges are not visible. */
const outside = 6;
/** Minimum size of a piece of land and minimum distance between points of an outline, in pixels. */
const smallest = 0.7;
const radians = Math.PI / 180;

const grounds = new LRUCache<string, Ground>({ max: 50 });

/** Draws one country and its neighbors. Undefined if the country has no outline. */
export function countryGround(country: Country): Ground | undefined {
  const own = lands().get(country.alpha2);
  if (!own) return undefined;
  const coordinates = () => mainland(own, country).flatMap(({ rings: [outline] }) => placesIn(outline));
  return createGround(country.alpha2, country.longitude, coordinates, own);
}

/** Draws the map of the only country in the rows. Draws the world if there are several or a point is outside. */
export function groundOf(columns: readonly Column[], places: readonly Place[], points: readonly GeoPoint[]): Ground {
  const codes = columns.find(({ role }) => role === Role.COUNTRY);
  const [code, ...others] = new Set(codes && places.map(codes.read));
  const country = others.length === 0 ? countries.get(String(code)) : undefined;
  const ground = country && countryGround(country);
  const isInside = ({ longitude, latitude }: GeoPoint) => {
    const [x, y] = ground?.project([longitude, latitude]) ?? [-1, -1];
    return x >= 0 && y >= 0 && x <= width && y <= height;
  };
  return ground && points.every(isInside) ? ground : worldGround();
}

/** Degrees from the middle of a map of an area to its edges. */
const [areaWidth, areaHeight] = [11, 7];

/** Draws the land around a place. */
export function areaGround({ latitude, longitude }: Pick<Country, "latitude" | "longitude">): Ground {
  const corners = [-1, 1].map((side): [number, number] => [longitude + side * areaWidth, latitude + side * areaHeight]);
  return createGround(`${latitude} ${longitude}`, longitude, () => corners);
}

function createGround(
  key: string,
  longitude: number,
  coordinates: () => [number, number][],
  own?: readonly Piece[],
): Ground {
  const known = grounds.get(key);
  if (known) return known;
  const projection = projectionOf(coordinates(), longitude);
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
  const outlines: Html = html`<g>${others}${own && html`<path class="land here" d="${draw(own)}"/>`}</g><g class="names" aria-hidden="true">${[...countries.values()].flatMap((country) => (lands().get(country.alpha2) === own ? [] : nameMarkup(country, projection)))}</g>`;
  const ground = { width, height, cell: 12, project: projection, outlines };
  grounds.set(key, ground);
  return ground;
}

/** Writes the name of a country in its middle, if that is on the map with some room around it. */
function nameMarkup({ name, latitude, longitude }: Country, projection: GeoProjection): Html[] {
  const [x = 0, y = 0] = projection([longitude, latitude]) ?? [];
  const isInside = x > 3 * margin && x < width - 3 * margin && y > margin && y < height - margin;
  return isInside ? [html`<text x="${Math.round(x)}" y="${Math.round(y)}">${name}</text>`] : [];
}

/** Returns the pieces of land near the country's middle. With remote territories, the map would be too small. */
function mainland(land: readonly Piece[], { longitude, latitude }: Country): readonly Piece[] {
  const near = land.filter(({ rings: [outline] }) =>
    placesIn(outline).some(([x, y]) => Math.abs(x - longitude) < 18 && Math.abs(y - latitude) < 14),
  );
  return near.length === 0 ? land : near;
}

function placesIn(ring: Float32Array = new Float32Array()): [number, number][] {
  return Array.from({ length: ring.length / 2 }, (_, index) => [ring[2 * index] ?? 0, ring[2 * index + 1] ?? 0]);
}

/** Returns a Mercator projection around a meridian that fits the coordinates to the map. */
function projectionOf(coordinates: [number, number][], longitude: number): GeoProjection {
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
    // Distance between the western edges of the map and the piece, in the shorter direction around the globe.
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
