import type { SampleFolder } from "../folder.ts";
import { gdeltFolder } from "../format/gdelt.ts";

/** Returns the coverage of spies and surveillance. */
export function sample(): SampleFolder {
  return gdeltFolder("intelligence", { tone: -2.4, share: 0.014, growth: 0.1 });
}
