import type { SampleFolder } from "../folder.ts";
import { gdeltFolder } from "../format/gdelt.ts";

/** Returns the coverage of enrichment and reactors. */
export function sample(): SampleFolder {
  return gdeltFolder("nuclear", { tone: -1.8, share: 0.009, growth: -0.15 });
}
