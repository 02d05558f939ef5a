import { type Html, html } from "../../pages/html.ts";

export interface GeoPoint {
  readonly latitude: number;
  readonly longitude: number;
  readonly weight: number;
  readonly label: string;
  /** Day of the event, counted from 1 January 1970. Undefined for things that exist now. */
  readonly day?: number | undefined;
}

/** A point with its position on the map. */
export interface PlacedPoint extends GeoPoint {
  readonly x: number;
  readonly y: number;
}

export interface Mark {
  readonly x: number;
  readonly y: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly weight: number;
  readonly points: readonly PlacedPoint[];
}

type Growing = { -readonly [K in Exclude<keyof Mark, "points">]: Mark[K] } & { readonly points: PlacedPoint[] };

/** Returns the position of coordinates on the map; null if they are outside. */
export type Project = (place: [longitude: number, latitude: number]) => [x: number, y: number] | null;

export function placedBy(project: Project, points: readonly GeoPoint[]): readonly PlacedPoint[] {
  return points.flatMap((point) => {
    const place = project([point.longitude, point.latitude]);
    return place ? [{ ...point, x: place[0], y: place[1] }] : [];
  });
}

/**
 * Groups points into marks. Large marks come first, so that smaller ones are drawn on top. Pages and the script in the
 * browser use the same code. Points in one square with different kinds become different marks.
 */
export function marksOf(
  points: readonly PlacedPoint[],
  cell: number,
  kindOf: (point: PlacedPoint) => number | undefined = () => 0,
): readonly Mark[] {
  const marks = new Map<string, Growing>();
  for (const point of points) {
    const { x, y, latitude, longitude, weight } = point;
    const key = `${Math.round(x / cell)} ${Math.round(y / cell)} ${kindOf(point)}`;
    const known = marks.get(key);
    const mark = known ?? { x, y, latitude, longitude, weight: 0, points: [] };
    if (!known) marks.set(key, mark);
    const moved = (from: number, to: number) => (from * mark.weight + to * weight) / (mark.weight + weight);
    mark.x = moved(mark.x, x);
    mark.y = moved(mark.y, y);
    mark.latitude = moved(mark.latitude, latitude);
    // Longitudes jump at 180 degrees, so the mean is computed relative to the mark.
    mark.longitude = near(moved(mark.longitude, near(longitude, mark.longitude)), 0);
    mark.weight += weight;
    mark.points.push(point);
  }
  return [...marks.values()].sort((a, b) => b.weight - a.weight);
}

/** Returns the longitude plus or minus full turns, so that it is within half a turn of the other one. */
export function near(longitude: number, other: number): number {
  return longitude - 360 * Math.round((longitude - other) / 360);
}

/** Draws marks as circles whose area is proportional to their number of events. */
export function circles(marks: readonly Mark[], title: string, cell: number): Html {
  return html`${marks.map(
    (mark) =>
      html`<circle cx="${Math.round(mark.x)}" cy="${Math.round(mark.y)}" r="${radiusOf(mark.weight, cell)}"><title>${tipText(mark, title)}</title></circle>`,
  )}`;
}

export function radiusOf(weight: number, cell: number): number {
  return Math.round(10 * Math.min(cell * 0.19 * Math.sqrt(weight) + cell * 0.16, cell * 1.3)) / 10;
}

export function commonLabels({ points }: Mark): readonly string[] {
  const counts = new Map<string, number>();
  for (const { label, weight } of points) if (label !== "") counts.set(label, (counts.get(label) ?? 0) + weight);
  const common = [...counts].sort(([, a], [, b]) => b - a).slice(0, 3);
  return common.map(([label, count]) => (count > 1 ? `${label} (${count})` : label));
}

export function tipText(mark: Mark, title: string): string {
  return [`${title}: ${mark.weight}`, ...commonLabels(mark)].join("\n");
}

/** Maximum number of points of a layer in a page, which is the most that a read returns today. */
const maxPoints = 5_000;

/** Merges points of one day in a square if they are too many for a page. Merged points have no label. */
export function compacted(points: readonly PlacedPoint[]): readonly PlacedPoint[] {
  if (points.length <= maxPoints) return points;
  return marksOf(points, 8, ({ day }) => day).map(({ points: [first], ...mark }) => {
    return { ...mark, label: "", day: first?.day };
  });
}

/** Points as one list of numbers for each property. Columns of sorted points are half as large as rows. */
export type PointColumns = readonly (readonly (number | null)[])[];

export function columnsOf(points: readonly PlacedPoint[], labels: readonly string[]): PointColumns {
  const places = new Map(labels.map((label, place) => [label, place]));
  const sorted = points.toSorted((a, b) => a.x - b.x);
  const column = (digits: number, read: (point: PlacedPoint) => number) =>
    sorted.map((point) => Math.round(read(point) * digits) / digits);
  return [
    column(10, ({ x }) => x),
    column(10, ({ y }) => y),
    column(100, ({ latitude }) => latitude),
    column(100, ({ longitude }) => longitude),
    column(1, ({ weight }) => weight),
    column(1, ({ label }) => places.get(label) ?? 0),
    sorted.map(({ day }) => day ?? null),
  ];
}

export function pointsFrom([xs = [], ...columns]: PointColumns, labels: readonly string[]): readonly PlacedPoint[] {
  return xs.map((x, place) => {
    const [y, latitude, longitude, weight, label, day] = columns.map((column) => column[place] ?? undefined);
    return {
      ...{ x: x ?? 0, y: y ?? 0, latitude: latitude ?? 0, longitude: longitude ?? 0 },
      ...{ weight: weight ?? 1, label: labels[label ?? 0] ?? "", day },
    };
  });
}

/** Returns the points of a span of days. Points without a day are present in each span. */
export function within(points: readonly PlacedPoint[], first: number, last: number): readonly PlacedPoint[] {
  return points.filter(({ day }) => day === undefined || (day >= first && day <= last));
}
