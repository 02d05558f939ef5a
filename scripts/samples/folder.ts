import type { SampleIndex } from "../../src/upstream/sample/sample.ts";

/** The sample of one source: the content of its `sample.json`, and the files of its responses by name. */
export interface SampleFolder {
  readonly index: SampleIndex;
  readonly files: Readonly<Record<string, string>>;
}
