import { type Html, html } from "../../pages/html.ts";

/** A thing, or several together, with a place. */
export interface GeoPoint {
  readonly latitude: number;
  readonly longitude: number;
  readonly weight: number;
  readonly label: string;
}

interface Mark {
  x: number;
  y: number;
  weight: number;
  readonly labels: Map<string, number>;
}

/** Where a place lies on a map, if it does. */
export type Project = (place: [longitude: number, latitude: number]) => [x: number, y: number] | null;

/** Things that would cover one another become one mark, whose area grows with their number. */
export function pointMarks(points: readonly GeoPoint[], project: Project, title: string, cell: number): Html {
  const marks = new Map<string, Mark>();
  for (const { latitude, longitude, weight, label } of points) {
    const place = project([longitude, latitude]);
    if (!place) continue;
    const [x, y] = place;
    const key = `${Math.round(x / cell)} ${Math.round(y / cell)}`;
    const known = marks.get(key);
    const mark = known ?? { x, y, weight: 0, labels: new Map() };
    if (!known) marks.set(key, mark);
    mark.x = (mark.x * mark.weight + x * weight) / (mark.weight + weight);
    mark.y = (mark.y * mark.weight + y * weight) / (mark.weight + weight);
    mark.weight += weight;
    if (label !== "") mark.labels.set(label, (mark.labels.get(label) ?? 0) + weight);
  }
  // The largest lie below.
  const ordered = [...marks.values()].sort((a, b) => b.weight - a.weight);
  return html`${ordered.map(
    (mark) =>
      html`<circle cx="${Math.round(mark.x)}" cy="${Math.round(mark.y)}" r="${radiusOf(mark.weight, cell)}"><title>${tipOf(mark, title)}</title></circle>`,
  )}`;
}

function radiusOf(weight: number, cell: number): number {
  return Math.round(10 * Math.min(cell * 0.19 * Math.sqrt(weight) + cell * 0.16, cell * 1.3)) / 10;
}

function tipOf({ weight, labels }: Mark, title: string): string {
  const common = [...labels].sort(([, a], [, b]) => b - a).slice(0, 3);
  const names = common.map(([label, count]) => (count > 1 ? `${label} (${count})` : label)).join("\n");
  const head = `${title}: ${weight}`;
  return names === "" ? head : `${head}\n${names}`;
}
