import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { UpstreamError } from "../../../src/egress/upstream-error.ts";
import { writeRecording } from "../../../src/upstream/sample/recording.ts";
import { holdsQuery, sampleUpstream } from "../../../src/upstream/sample/sample.ts";
import { readJson, type Upstream, type UpstreamRequest } from "../../../src/upstream/upstream.ts";
import { freshFolder } from "../terminal.ts";
import { asSample, captures, otherFolders, type Replayed } from "./captures.ts";
import { places, replay } from "./recordings.ts";

const root = fileURLToPath(new URL("../../../../shared/upstream/", import.meta.url));

/** Makes a recording of captured answers, as if the source had given them. */
async function recordingOf({ folder, source, at, responses }: (typeof captures)[number]): Promise<string> {
  const now = new Date(at);
  const sample = sampleUpstream(source, () => now);
  const text = async (request: UpstreamRequest) => {
    const response = responses.find(({ match, query = {} }) => {
      return new RegExp(match).test(request.url) && holdsQuery({ query, file: "" }, request);
    });
    if (!response) throw new UpstreamError("there is no capture of it", { status: 404 });
    const stored = readFileSync(join(root, folder, response.file), "utf8");
    return response.wire ? response.wire(stored) : stored;
  };
  const json = async (request: UpstreamRequest) => readJson(request, await text(request));
  const upstream: Upstream = { ...sample, origin: "live", now, text, json };
  const mask = (words: string) => words;
  const dataset = places.find(({ name }) => name === source)?.dataset;
  const check = await dataset?.check(source, { upstream, sample, mask });
  const recording = freshFolder();
  writeRecording(recording, source, check?.exchanges ?? [], { at: now, rows: 0, keys: [], mask });
  return recording;
}

describe.skipIf(!existsSync(root))("ids sources check over captured answers", () => {
  test.each(captures)("$folder as $source: rows and drift as expected", async (capture) => {
    const { source, because } = capture;
    const expected = { ...asSample, ...capture.expected };
    const { report, status } = await replay(await recordingOf(capture), source);
    const [check] = report.checks;
    const found: Replayed = {
      ...{ state: check?.state ?? "", rowsIn: check?.rowsIn ?? 0, rowsOut: check?.rowsOut ?? 0 },
      unfound: [...(check?.unfound ?? [])],
      drift: check?.drift.flatMap(({ kind, field }) => (kind === "new field" ? [] : `${kind} ${field}`)) ?? [],
      newFields: check?.drift.filter(({ kind }) => kind === "new field").length ?? 0,
      ...(check?.failure && { failure: check.failure.words }),
    };
    expect(found).toEqual(expected);
    // Each difference from the expected result has a reason.
    if (expected.state !== "ok") expect(because ?? expected.failure).toBeTruthy();
    expect(status).toBe(expected.state === "ok" ? 0 : 1);
  });

  test("every folder is replayed, or has a reason not to be", () => {
    const known = [...captures.map(({ folder }) => folder), ...Object.keys(otherFolders)];
    expect(readdirSync(root).filter((folder) => !known.includes(folder))).toEqual([]);
    const names = places.map(({ name }) => name);
    expect(captures.filter(({ source }) => !names.includes(source))).toEqual([]);
  });
});
