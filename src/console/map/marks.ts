import { type Html, html } from "../../pages/html.ts";

export interface GeoPoint {
  readonly latitude: number;
  readonly longitude: number;
  readonly weight: number;
  readonly label: string;
}

export interface Mark {
  readonly x: number;
  readonly y: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly weight: number;
  readonly labels: ReadonlyMap<string, number>;
}

type Growing = { -readonly [K in Exclude<keyof Mark, "labels">]: Mark[K] } & { readonly labels: Map<string, number> };

/** Returns the position of coordinates on the map; null if they are outside. */
export type Project = (place: [longitude: number, latitude: number]) => [x: number, y: number] | null;

/** Groups points into marks, largest first, so that smaller marks are drawn on top. */
export function marksOf(points: readonly GeoPoint[], project: Project, cell: number): readonly Mark[] {
  const marks = new Map<string, Growing>();
  for (const { latitude, longitude, weight, label } of points) {
    const place = project([longitude, latitude]);
    if (!place) continue;
    const [x, y] = place;
    const key = `${Math.round(x / cell)} ${Math.round(y / cell)}`;
    const known = marks.get(key);
    const mark = known ?? { x, y, latitude, longitude, weight: 0, labels: new Map() };
    if (!known) marks.set(key, mark);
    const moved = (from: number, to: number) => (from * mark.weight + to * weight) / (mark.weight + weight);
    mark.x = moved(mark.x, x);
    mark.y = moved(mark.y, y);
    mark.latitude = moved(mark.latitude, latitude);
    // Longitudes jump at 180 degrees, so the mean is computed relative to the mark.
    mark.longitude = near(moved(mark.longitude, near(longitude, mark.longitude)), 0);
    mark.weight += weight;
    if (label !== "") mark.labels.set(label, (mark.labels.get(label) ?? 0) + weight);
  }
  return [...marks.values()].sort((a, b) => b.weight - a.weight);
}

/** Returns the longitude plus or minus full turns, so that it is within half a turn of the other one. */
function near(longitude: number, other: number): number {
  return longitude - 360 * Math.round((longitude - other) / 360);
}

/** Draws marks as circles whose area is proportional to their number of events. */
export function circles(marks: readonly Mark[], title: string, cell: number): Html {
  return html`${marks.map(
    (mark) =>
      html`<circle cx="${Math.round(mark.x)}" cy="${Math.round(mark.y)}" r="${radiusOf(mark.weight, cell)}"><title>${tipOf(mark, title)}</title></circle>`,
  )}`;
}

function radiusOf(weight: number, cell: number): number {
  return Math.round(10 * Math.min(cell * 0.19 * Math.sqrt(weight) + cell * 0.16, cell * 1.3)) / 10;
}

export function commonLabels({ labels }: Mark): readonly string[] {
  const common = [...labels].sort(([, a], [, b]) => b - a).slice(0, 3);
  return common.map(([label, count]) => (count > 1 ? `${label} (${count})` : label));
}

function tipOf(mark: Mark, title: string): string {
  const { weight } = mark;
  const names = commonLabels(mark).join("\n");
  const head = `${title}: ${weight}`;
  return names === "" ? head : `${head}\n${names}`;
}
