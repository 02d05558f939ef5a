import type { SampleFolder } from "../folder.ts";
import { gdeltFolder } from "../format/gdelt.ts";

/** Returns the coverage of armed forces and their moves. */
export function sample(): SampleFolder {
  return gdeltFolder("military", { tone: -2.9, share: 0.024, growth: 0.15 });
}
