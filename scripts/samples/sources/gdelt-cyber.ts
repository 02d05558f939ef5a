import type { SampleFolder } from "../folder.ts";
import { gdeltFolder } from "../format/gdelt.ts";

/** Returns the coverage of attacks on computers. */
export function sample(): SampleFolder {
  return gdeltFolder("cyber", { tone: -3.1, share: 0.021, growth: 0.25 });
}
