import { geoCentroid } from "d3-geo";
import type { MultiPolygon, Polygon, Position } from "geojson";
import { feature } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import { countryByNumeric } from "../src/reference/countries/countries.ts";
import { drawnAt } from "../src/reference/places/boundaries.ts";

/** An atlas of countries in the format of `world-atlas`. */
export type Atlas = Topology<{ countries: GeometryCollection }>;

/**
 * Returns the land of every country, by alpha-2. The borders of the reference decide to which country an outlying piece
 * belongs, as /places explains.
 */
export function landOf(atlas: Atlas): ReadonlyMap<string, MultiPolygon> {
  const pieces = feature(atlas, atlas.objects.countries).features.flatMap(({ geometry, id }) => {
    const own = countryByNumeric(Number(id))?.alpha2;
    const polygons = polygonsOf(geometry as Polygon | MultiPolygon);
    const largest = Math.max(...polygons.map(([ring = []]) => ring.length));
    return polygons.map((polygon) => {
      const isMain = own !== undefined && polygon[0]?.length === largest;
      return { code: isMain ? own : (codeAt(polygon) ?? own), polygon };
    });
  });
  return new Map(
    [...Map.groupBy(pieces, ({ code }) => code)].flatMap(([code, own]) => {
      const coordinates = own.map(({ polygon }) => polygon);
      return code === undefined || code === "AQ" ? [] : [[code, { type: "MultiPolygon", coordinates }] as const];
    }),
  );
}

function polygonsOf(geometry: Polygon | MultiPolygon): Position[][][] {
  return geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates;
}

function codeAt(coordinates: Position[][]): string | undefined {
  const [longitude, latitude] = geoCentroid({ type: "Polygon", coordinates });
  return drawnAt(latitude, longitude)?.alpha2;
}
