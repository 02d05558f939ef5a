import { datasets } from "../../../src/domains/index.ts";
import type { ScheduledDataset } from "../../../src/ingest/schedule/scheduled.ts";
import type { SourceCheck } from "../../../src/ingest/source-check.ts";
import { writeRecording } from "../../../src/upstream/sample/recording.ts";
import { sampleUpstream } from "../../../src/upstream/sample/sample.ts";
import { testTime } from "../../support/app.ts";
import { freshFolder, ids } from "../terminal.ts";

export const environment = { IDS_DATA: "sample", IDS_DATA_DIR: freshFolder() };
/** Every source of a dataset, once. */
export const places = [
  ...new Map(
    datasets.flatMap((dataset: ScheduledDataset) =>
      dataset.sources.filter(({ own }) => !own).map(({ name }) => [name, { dataset, name }] as const),
    ),
  ).values(),
];

/** What `ids sources check --json` prints. */
export interface Report {
  readonly checks: readonly (Omit<SourceCheck, "exchanges"> & {
    readonly state: string;
    readonly requests: number;
    readonly statuses: string;
    readonly bytes: number;
  })[];
  readonly unset: readonly { readonly source: string; readonly missing: readonly string[] }[];
}

/** Makes a recording of what a source's sample answers now, as if it had been asked live. */
export async function recorded(folder: string, { dataset, name }: (typeof places)[number]): Promise<SourceCheck> {
  const sample = sampleUpstream(name, () => testTime);
  const check = await dataset.check(name, {
    upstream: { ...sample, now: sample.now, origin: "live" },
    sample,
    mask: (text) => text,
  });
  const mask = (text: string) => text;
  writeRecording(folder, name, check.exchanges, { at: testTime, rows: check.rowsOut, keys: [], mask });
  return check;
}

/** Runs `ids sources check` over recordings. */
export async function replay(
  folder: string,
  ...args: readonly string[]
): Promise<{ report: Report; status: number; err: string }> {
  const { out, err, status } = await ids(environment, "sources", "check", ...args, "--replay", folder, "--json");
  return { report: JSON.parse(out), err, status };
}
