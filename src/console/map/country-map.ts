import { LRUCache } from "lru-cache";
import { type Html, html } from "../../pages/html.ts";
import type { Country } from "../../reference/countries/countries.ts";
import { lands, type Piece } from "./lands.ts";
import type { DrawnLayer, LayerView } from "./layers.ts";
import { type LocalView, pathOf, placeIn, viewOf } from "./local-view.ts";
import { circles, marksOf } from "./marks.ts";

/** Width and height of what becomes one mark. */
const cell = 12;
const size = { width: 840, height: 460, margin: 22 };

/** One country and its neighbors, with the marks of layers. Undefined where the country is not drawn. */
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

/** Without marks where the country is not drawn. */
export function drawnOn(country: Country, layers: readonly LayerView[]): readonly DrawnLayer[] {
  const view = groundOf(country)?.view;
  return layers.map((layer) => ({
    ...layer,
    marks: view ? marksOf(layer.points, (place) => placeIn(view, place), cell) : [],
  }));
}

/** What of a map does not depend on data. */
interface Ground {
  readonly outlines: Html;
  readonly view: LocalView;
}

/** The maps that are looked at now are drawn once. */
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

/** The pieces around the country's main land: far territories would make it small. */
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
