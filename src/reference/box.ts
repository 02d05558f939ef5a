/** A box in degrees. If `west` is greater than `east`, it crosses the antimeridian. All edges belong to it. */
export interface Box {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

export const world: Box = { west: -180, south: -90, east: 180, north: 90 };

export function isInBox({ west, south, east, north }: Box, longitude: number, latitude: number): boolean {
  const isInLongitude = west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east;
  return isInLongitude && latitude >= south && latitude <= north;
}

/** A part of a box. A place on an edge between two parts belongs to only one of them. */
export interface Tile extends Box {
  readonly isEastOpen: boolean;
  readonly isNorthOpen: boolean;
}

/** Returns the part of a box with this path. Each digit selects a quarter of the part: 0 SW, 1 SE, 2 NW, 3 NE. */
export function tileAt(box: Box, path: string): Tile {
  let { west, south, north } = box;
  // Longitudes east of the antimeridian continue above 180, so that the middle of a part can be computed.
  let east = box.west <= box.east ? box.east : box.east + 360;
  let [isEastOpen, isNorthOpen] = [false, false];
  for (const digit of path) {
    const quarter = Number(digit);
    const [middle, center] = [(west + east) / 2, (south + north) / 2];
    if (quarter % 2 === 1) west = middle;
    else [east, isEastOpen] = [middle, true];
    if (quarter >= 2) south = center;
    else [north, isNorthOpen] = [center, true];
  }
  // 180 and -180 are different numbers in data, so the part that ends at 180 includes it.
  const isAtAntimeridian = east === 180;
  const from = west >= 180 && west < east ? west - 360 : west;
  // Adding 360 and subtracting it again would round the eastern edge of the box, so the original edge is returned.
  const to = !isEastOpen ? box.east : east > 180 ? east - 360 : east;
  return { west: from, south, east: to, north, isEastOpen: isEastOpen && !isAtAntimeridian, isNorthOpen };
}

export function isInTile(tile: Tile, longitude: number, latitude: number): boolean {
  if (!isInBox(tile, longitude, latitude)) return false;
  return !(tile.isEastOpen && longitude === tile.east) && !(tile.isNorthOpen && latitude === tile.north);
}

/** Returns the path of the part that follows this part and all its quarters. Undefined after the last part. */
export function nextTile(path: string): string | undefined {
  const rest = path.replace(/3+$/, "");
  return rest === "" ? undefined : `${rest.slice(0, -1)}${Number(rest.at(-1)) + 1}`;
}
