import type { SampleFolder } from "../folder.ts";
import { gdeltFolder } from "../format/gdelt.ts";

/** Returns the coverage of trouble at sea. */
export function sample(): SampleFolder {
  return gdeltFolder("maritime", { tone: -2.2, share: 0.006, growth: 0.4 });
}
