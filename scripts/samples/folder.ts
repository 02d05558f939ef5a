import type { SampleIndex } from "../../src/upstream/sample/sample.ts";

/** The sample of one source: what its `sample.json` says, and the files of its answers by their names. */
export interface SampleFolder {
  readonly index: SampleIndex;
  readonly files: Readonly<Record<string, string>>;
}
