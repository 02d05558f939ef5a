import { type GeoProjection, geoEqualEarth } from "d3-geo";

/** Size of the drawn world. The projection has equal areas, so that no country looks larger than it is. */
export const worldSize = { width: 2000, height: 932 } as const;

/** Antarctica is cut off, because there is no data about it. */
export function worldProjection(): GeoProjection {
  const { width } = worldSize;
  return geoEqualEarth()
    .rotate([-11, 0])
    .scale(width / 5.47)
    .translate([width / 2, 500]);
}
