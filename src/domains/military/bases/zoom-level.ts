/** What a map shows at a zoom. */
export interface ZoomLevel {
  /** The last zoom of this level. */
  readonly to: number;
  /** Bases of this tier and those before it are shown. */
  readonly tier: number;
  /** Absent where bases are always shown singly. */
  readonly grid?: Grid;
}

/** How bases are grouped. */
export interface Grid {
  /** Side of a cell in degrees. */
  readonly cell: number;
  /** Zoom at which a cluster breaks up. */
  readonly expansionZoom: number;
}

/** The level of a whole zoom, 0 to 22. */
export function zoomLevel(zoom: number): ZoomLevel {
  return levels.find(({ to }) => zoom <= to) ?? closest;
}

const closest: ZoomLevel = { to: 22, tier: 3 };

const levels: readonly ZoomLevel[] = [
  { to: 3, tier: 1, grid: { cell: 5, expansionZoom: 6 } },
  { to: 4, tier: 1, grid: { cell: 2, expansionZoom: 6 } },
  { to: 5, tier: 2, grid: { cell: 2, expansionZoom: 6 } },
  { to: 7, tier: 2, grid: { cell: 0.5, expansionZoom: 8 } },
  closest,
];
