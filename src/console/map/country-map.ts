import { LRUCache } from "lru-cache";
import { type Html, html } from "../../pages/html.ts";
import type { Country } from "../../reference/countries/countries.ts";
import { lands, type Piece } from "./lands.ts";
import type { DrawnLayer, LayerView } from "./layers.ts";
import { circles, marksOf } from "./marks.ts";

/** A window on a Mercator map around one meridian. */
interface LocalView {
  readonly width: number;
  readonly height: number;
  readonly center: number;
  readonly x: (longitude: number) => number;
  readonly y: (latitude: number) => number;
}

/** A Mercator map would be infinite at the poles. */
const maxLatitude = 85;
const radians = Math.PI / 180;

function mercator(latitude: number): number {
  const bounded = Math.max(-maxLatitude, Math.min(maxLatitude, latitude)) * radians;
  return Math.log(Math.tan(Math.PI / 4 + bounded / 2));
}

function viewOf(
  pieces: readonly Piece[],
  center: number,
  { width, height, margin }: { readonly width: number; readonly height: number; readonly margin: number },
): LocalView {
  const west = Math.min(...pieces.map((piece) => near(piece, center) + piece.west));
  const east = Math.max(...pieces.map((piece) => near(piece, center) + piece.east));
  const south = mercator(Math.min(...pieces.map((piece) => piece.south)));
  const north = mercator(Math.max(...pieces.map((piece) => piece.north)));
  const scale = Math.min(
    (width - 2 * margin) / ((east - west) * radians || 1e-6),
    (height - 2 * margin) / (north - south || 1e-6),
  );
  const [middleX, middleY] = [((west + east) / 2) * radians, (south + north) / 2];
  return {
    ...{ width, height, center },
    x: (longitude) => width / 2 + (longitude * radians - middleX) * scale,
    y: (latitude) => height / 2 - (mercator(latitude) - middleY) * scale,
  };
}

/** Returns the rotation in degrees that moves a piece nearest to a meridian. */
function near({ west, east }: Pick<Piece, "west" | "east">, center: number): number {
  return 360 * Math.round((center - (west + east) / 2) / 360);
}

function placeIn(view: LocalView, [longitude, latitude]: [number, number]): [number, number] {
  return [view.x(longitude + near({ west: longitude, east: longitude }, view.center)), view.y(latitude)];
}

/** Minimum size of a visible piece and distance of places, in pixels. */
const smallest = 0.7;
/** Outlines are cut outside the window, where the cut is not visible. */
const outside = 6;

/** Returns the outline of the visible part of a piece. Empty if none is visible. */
function pathOf(piece: Piece, view: LocalView): string {
  const turn = near(piece, view.center);
  const [left, right] = [view.x(piece.west + turn), view.x(piece.east + turn)];
  const [top, bottom] = [view.y(piece.north), view.y(piece.south)];
  const isOutside = right < 0 || left > view.width || bottom < 0 || top > view.height;
  if (isOutside || (right - left < smallest && bottom - top < smallest)) return "";
  const isWhole = left > -outside && right < view.width + outside && top > -outside && bottom < view.height + outside;
  return piece.rings
    .map((ring) => ringPath(isWhole ? placed(ring, turn, view) : cut(placed(ring, turn, view), view)))
    .join("");
}

/** Alternating x and y of places. */
type Places = readonly number[];

function placed(ring: Float32Array, turn: number, view: LocalView): Places {
  const places: number[] = [];
  let [lastX, lastY] = [Number.NaN, Number.NaN];
  for (let index = 0; index < ring.length; index += 2) {
    const x = view.x((ring[index] ?? 0) + turn);
    const y = view.y(ring[index + 1] ?? 0);
    if (Math.abs(x - lastX) < smallest && Math.abs(y - lastY) < smallest) continue;
    places.push(x, y);
    [lastX, lastY] = [x, y];
  }
  return places;
}

/** Cuts a ring at the four sides of the window, one after another. */
function cut(places: Places, { width, height }: LocalView): Places {
  const sides = [
    { axis: 0, bound: -outside, sign: 1 },
    { axis: 0, bound: width + outside, sign: -1 },
    { axis: 1, bound: -outside, sign: 1 },
    { axis: 1, bound: height + outside, sign: -1 },
  ] as const;
  let stored = places;
  for (const side of sides) stored = cutAt(stored, side);
  return stored;
}

function cutAt(
  places: Places,
  { axis, bound, sign }: { readonly axis: 0 | 1; readonly bound: number; readonly sign: 1 | -1 },
): Places {
  const stored: number[] = [];
  const at = (index: number) => [places[index] ?? 0, places[index + 1] ?? 0] as const;
  for (let index = 0; index < places.length; index += 2) {
    const [from, to] = [at(index === 0 ? places.length - 2 : index - 2), at(index)];
    const [before, after] = [sign * (from[axis] - bound), sign * (to[axis] - bound)];
    if (before >= 0 !== after >= 0) {
      const part = before / (before - after);
      stored.push(from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part);
    }
    if (after >= 0) stored.push(to[0], to[1]);
  }
  return stored;
}

function ringPath(places: Places): string {
  if (places.length < 6) return "";
  const tenths = places.map((each) => Math.round(each * 10) / 10);
  let path = `M${tenths[0]} ${tenths[1]}L`;
  for (let index = 2; index < tenths.length; index += 2)
    path += `${index > 2 ? " " : ""}${tenths[index]} ${tenths[index + 1]}`;
  return `${path}Z`;
}

/** Width and height of the area that becomes one mark. */
const cell = 12;
const size = { width: 840, height: 460, margin: 22 };

/** Draws one country and its neighbors with the marks of layers. Undefined if the country has no outline. */
export function countryMap(country: Country, layers: readonly DrawnLayer[]): Html | undefined {
  const ground = groundOf(country);
  if (!ground) return undefined;
  const titles = layers.map(({ layer }) => layer.title.toLowerCase()).join(", ");
  return html`<figure class="map">
<svg class="world" viewBox="0 0 ${size.width} ${size.height}" role="img" aria-label="${`Map of ${country.name} with ${titles}`}">
${ground.outlines}
${layers.map(({ layer, marks }, index) => html`<g class="points l${index + 1}">${circles(marks, layer.title, cell)}</g>`)}
</svg>
</figure>`;
}

/** Returns the layers with their marks. There are none if the country has no outline. */
export function drawnOn(country: Country, layers: readonly LayerView[]): readonly DrawnLayer[] {
  const view = groundOf(country)?.view;
  return layers.map((layer) => ({
    ...layer,
    marks: view ? marksOf(layer.points, (place) => placeIn(view, place), cell) : [],
  }));
}

interface Ground {
  readonly outlines: Html;
  readonly view: LocalView;
}

const grounds = new LRUCache<string, Ground>({ max: 50 });

function groundOf(country: Country): Ground | undefined {
  const known = grounds.get(country.alpha2);
  if (known) return known;
  const own = lands().get(country.alpha2);
  if (!own) return undefined;
  const view = viewOf(mainland(own, country), country.longitude, size);
  const draw = (pieces: readonly Piece[]) => pieces.map((piece) => pathOf(piece, view)).join("");
  const others = [...lands().values()].flatMap((pieces) => {
    const path = pieces === own ? "" : draw(pieces);
    return path === "" ? [] : [html`<path class="land" d="${path}"/>`];
  });
  const ground = { view, outlines: html`<g>${others}<path class="land here" d="${draw(own)}"/></g>` };
  grounds.set(country.alpha2, ground);
  return ground;
}

/** Returns the pieces around the country's main land. Remote territories would make it small. */
function mainland(land: readonly Piece[], { longitude, latitude }: Country): readonly Piece[] {
  const near = land.filter(({ rings: [outline] }) => outline && hasPlaceNear(outline, longitude, latitude));
  return near.length === 0 ? land : near;
}

function hasPlaceNear(ring: Float32Array, longitude: number, latitude: number): boolean {
  for (let index = 0; index < ring.length; index += 2) {
    const [x = 0, y = 0] = [ring[index], ring[index + 1]];
    if (Math.abs(x - longitude) < 18 && Math.abs(y - latitude) < 14) return true;
  }
  return false;
}
