import { sql } from "kysely";
import { expect, test } from "vitest";
import { datasets } from "../../../src/domains/index.ts";
import { hourMs } from "../../../src/reference/duration.ts";
import { startApp, testTime } from "../../support/app.ts";
import { openLoaded } from "../../support/loaded.ts";

const maxMb = 2;

test("24 hours in which each dataset is refreshed store no more bytes of sources than allowed", async () => {
  const database = await openLoaded();
  await using app = await startApp(database, { environment: { IDS_SOURCE_MAX_MB: String(maxMb) } });
  const sizeNow = async () => {
    const { rows } = await sql<{ bytes: number; bodies: number }>`
      select coalesce(sum(octet_length(body)), 0)::float8 as bytes, count(body)::int4 as bodies
      from source_body`.execute(database.kysely);
    return rows[0] ?? { bytes: Number.NaN, bodies: Number.NaN };
  };
  const sizes: number[] = [];
  for (let hour = 1; hour <= 24; hour++) {
    app.setTime(new Date(testTime.getTime() + hour * hourMs));
    for (const { name } of datasets) await app.refresh(name);
    const { bytes, bodies } = await sizeNow();
    sizes.push(bytes / 1024 ** 2);
    console.log(`hour ${hour}: ${(bytes / 1024 ** 2).toFixed(2)} MB, ${bodies} bodies`);
  }
  expect(Math.max(...sizes)).toBeLessThanOrEqual(maxMb);
});
