import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { SampleIndex } from "../../../src/upstream/sample/sample.ts";
import { freshFolder } from "../terminal.ts";
import { asSample, captures, otherFolders, type Replayed } from "./captures.ts";
import { places, replay } from "./recordings.ts";

const root = fileURLToPath(new URL("../../../../shared/upstream/", import.meta.url));

/** Makes a recording of captured answers: where one has to be unwrapped it is written there, the others are read where they are. */
function recordingOf(source: string, { folder, at, answers }: (typeof captures)[number]): string {
  const recording = freshFolder();
  const own = join(recording, source);
  mkdirSync(own, { recursive: true });
  const entries = answers.map(({ file, wire, ...rest }, index): SampleIndex["answers"][number] => {
    const captured = join(root, folder, file);
    if (!wire) return { ...rest, file: relative(own, captured) };
    writeFileSync(join(own, `${index}`), wire(readFileSync(captured, "utf8")));
    return { ...rest, file: `${index}` };
  });
  const index: SampleIndex = { note: `Captured, see ${folder}`, rows: 0, recordedAt: at, answers: entries };
  writeFileSync(join(own, "sample.json"), JSON.stringify(index));
  return recording;
}

describe.skipIf(!existsSync(root))("ids sources check over captured answers", () => {
  test.each(captures)("$folder as $source: rows and drift as expected", async (capture) => {
    const { source, because } = capture;
    const expected = { ...asSample, ...capture.expected };
    const { report, status } = await replay(recordingOf(source, capture), source);
    const [check] = report.checks;
    const found: Replayed = {
      ...{ state: check?.state ?? "", rowsIn: check?.rowsIn ?? 0, rowsOut: check?.rowsOut ?? 0 },
      unfound: [...(check?.unfound ?? [])],
      drift: check?.drift.flatMap(({ kind, field }) => (kind === "new field" ? [] : `${kind} ${field}`)) ?? [],
      newFields: check?.drift.filter(({ kind }) => kind === "new field").length ?? 0,
      ...(check?.failure && { failure: check.failure.words }),
    };
    expect(found).toEqual(expected);
    // What is not as expected of the source has a reason.
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
