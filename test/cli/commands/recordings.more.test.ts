import { expect, test } from "vitest";
import type { SourceCheck } from "../../../src/ingest/source-check.ts";
import { freshFolder } from "../terminal.ts";
import { places, recorded, replay } from "./recordings.ts";

test("a recording of every source is read again to the row, without network, key or drift", {
  timeout: 120_000,
}, async () => {
  const folder = freshFolder();
  const checks = new Map<string, SourceCheck>();
  for (const place of places) checks.set(place.name, await recorded(folder, place));
  const { report, status } = await replay(folder);
  expect(report.checks.map(({ source }) => source)).toEqual(places.map(({ name }) => name));
  for (const { source, state, rowsOut, rowsIn, drift, unfound } of report.checks) {
    const before = checks.get(source);
    expect({ source, state, rowsOut, rowsIn, drift, unfound }).toEqual({
      ...{ source, state: "ok", drift: [], unfound: [] },
      ...{ rowsOut: before?.rowsOut, rowsIn: before?.rowsIn },
    });
  }
  expect(status).toBe(0);
});
