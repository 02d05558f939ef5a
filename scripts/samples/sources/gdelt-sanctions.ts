import type { SampleFolder } from "../folder.ts";
import { gdeltFolder } from "../format/gdelt.ts";

/** Returns the coverage of sanctions and export controls. */
export function sample(): SampleFolder {
  return gdeltFolder("sanctions", { tone: -2.0, share: 0.013, growth: 0.2 });
}
