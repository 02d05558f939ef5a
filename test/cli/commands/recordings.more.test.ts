import { expect, test } from "vitest";
import type { SourceCheck } from "../../../src/ingest/source-check.ts";
import { freshFolder } from "../terminal.ts";
import { places, recorded, replay } from "./recordings.ts";

test("a recording of every source is read again to the row, without network, key or drift", {
  timeout: 120_000,
}, async () => {
  const folder = freshFolder();
  const checks = new Map<string, SourceCheck>();
  for (const place of places) {
    const check = await recorded(folder, place);
    // One reads a file of the operator, and sends no requests.
    if (check.exchanges.length > 0) checks.set(place.name, check);
  }
  expect(checks.size).toBeGreaterThanOrEqual(places.length - 1);
  const { report, status } = await replay(folder, ...checks.keys());
  expect(report.checks.map(({ source }) => source)).toEqual([...checks.keys()]);
  for (const { source, state, rowsOut, rowsIn, drift, unfound } of report.checks) {
    const before = checks.get(source);
    expect({ source, state, rowsOut, rowsIn, drift, unfound }).toEqual({
      ...{ source, state: "ok", drift: [], unfound: [] },
      ...{ rowsOut: before?.rowsOut, rowsIn: before?.rowsIn },
    });
  }
  expect(status).toBe(0);
});
