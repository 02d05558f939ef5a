import { kinds } from "./vocabulary.ts";

/** Returns the kind for an OpenStreetMap `military` value. Values that the API does not have become `military`. */
export function kindOf(tag: string): string {
  const known = tag.split(";").find((value) => kinds.has(value.trim()));
  return known?.trim() ?? "military";
}

/** Returns 1 for bases at every zoom, 2 from zoom 5, and 3 from zoom 8. */
export function tierOf(kind: string): number {
  if (first.has(kind)) return 1;
  return last.has(kind) ? 3 : 2;
}

const first = new Set(["base", "airfield", "naval_base", "training_area", "nuclear_explosion_site"]);
const last = new Set(["bunker", "trench", "shelter", "ammunition", "obstacle_course"]);
