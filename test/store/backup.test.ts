import { readFileSync, statSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { UnusableBackup } from "../../src/errors.ts";
import type { Database } from "../../src/store/database.ts";
import { migrate } from "../../src/store/migrate.ts";
import { describeEachDatabase } from "../support/databases.ts";
import { laterMigrations } from "../support/later-migrations.ts";
import { nastyStrings } from "../support/nasty-strings.ts";
import { backedUp, restored, rewritten, rowsByTable, shapeOf } from "./backup-rows.ts";

const text = fc
  .oneof(fc.constantFrom("", "null", "NULL", "{}", ...nastyStrings), fc.string({ unit: "binary" }))
  .map((made) => made.replaceAll("\0", ""));
const instant = fc.constantFrom(
  null,
  "infinity",
  "-infinity",
  "4713-01-01 00:00:00+00 BC",
  "294276-12-31 23:59:59.999999Z",
  "2026-03-29 01:30:00.000001+01",
);
const float = fc.oneof(
  fc.double().map(String),
  fc.constantFrom("NaN", "Infinity", "-Infinity", "-0", "5e-324", "1.7976931348623157e308"),
);
const numeric = fc.oneof(
  fc.bigInt().map(String),
  fc.constantFrom("NaN", "Infinity", `${"9".repeat(400)}.${"1".repeat(400)}`, "1e-300", "1.000"),
);
const nasty = fc.record({
  text,
  other: fc.option(text),
  texts: fc.array(text),
  instant,
  float,
  numeric,
  bytes: fc.uint8Array({ maxLength: 300 }),
  json: fc.jsonValue(),
});

async function insertNasty(
  { query }: Database,
  each: typeof nasty extends fc.Arbitrary<infer T> ? T : never,
  id: string,
) {
  const json = JSON.stringify(each.json).replaceAll("\\u0000", "");
  await query(
    "insert into account (id, name, billing_customer, scopes, created_at) values ($1, $2, $3, $4, coalesce($5::timestamptz, now()))",
    [id, each.text, each.other === null ? null : `${id}${each.other}`, each.texts, each.instant],
  );
  await query(
    "insert into api_key (id, hash, account, name, expires_at, replaced_by) values ($1, $1, $1, $2, $3, $4)",
    [id, each.text, each.instant, each.other],
  );
  await query("insert into snapshot (type, part, generation, body) values ($1, $2, $3, $4)", [
    id,
    each.text,
    "9223372036854775807",
    json,
  ]);
  await query(
    `insert into source (dataset, source, state, run_at, runs, failures, rows_in, rows_out, rejected, error, good_rows)
    values ($1, 's', 'ok', now(), 1, 0, -2147483648, 2147483647, 0, $2, $3)`,
    [id, each.other, Buffer.from(each.bytes)],
  );
  await query(
    `insert into tender (newest_key, closing_key, published_at, value_key, relevance_key, revision, id, source, origin, content_hash, terms)
    values (-9223372036854775808, 0, $2, $3::numeric, 0, 0, $1, $4, 'live', '', array_to_tsvector(array_remove($5::text[], '')))`,
    [id, each.instant, each.numeric, each.text, each.texts.map((one) => one.slice(0, 200))],
  );
  await query(
    `insert into conflict_event values
      ($1, $2, 'live', 0, '', $3::float8, $3::float8, '', 0, $4, '', '', '', '', 7, null, 0, null, 2147483647, $5)`,
    [id, each.text, each.float, each.texts, each.other],
  );
  await query(
    "insert into audit_event (at, actor, key_id, account, operation, request, address, request_id) values (now(), $1, '', $2, '', $3, '', '')",
    [each.text, id, json],
  );
}

describeEachDatabase("a backup of the store", (openFresh) => {
  test("holds every value as it was, whatever it is, and restores into tables like those of a new store", async () => {
    const from = await openFresh();
    const samples = fc.sample(nasty, { numRuns: 20, seed: 7 });
    for (const [place, each] of samples.entries()) await insertNasty(from, each, `nasty ${place}`);
    const before = await rowsByTable(from);
    const into = await openFresh();
    const fresh = await shapeOf(into);
    const { rows, leftOut } = await restored(into, await backedUp(from));
    const after = await rowsByTable(into);
    expect(after).toEqual(before);
    expect([rows.get("account"), leftOut]).toEqual([20, []]);
    expect(await shapeOf(into)).toEqual(fresh);
    // The same comparison sees a single value.
    await into.query(
      "update tender set value_key = value_key + 1 where id = 'nasty 0' and value_key <> 'NaN' or id = 'nasty 1'",
    );
    expect(await rowsByTable(into)).not.toEqual(before);
    // Numbers continue where they were.
    await insertNasty(into, samples[0]!, "later");
    const {
      rows: [last],
    } = await into.query("select id from audit_event where account = 'later'");
    expect(last).toEqual({ id: "21" });
  });

  test("has every table of the schema, including later ones, and creates unlogged and queue tables again", async () => {
    const database = await openFresh();
    await database.query("create table added (a int, doubled int generated always as (a * 2) stored, b text)");
    await database.query("insert into added values (1, default, 'one'), (2, default, null)");
    const file = await backedUp(database);
    const lines = gunzipSync(readFileSync(file)).toString().split("\n");
    const tables = lines.flatMap((line) => (line.startsWith('{"table"') ? [JSON.parse(line).table] : []));
    expect(tables).toEqual(Object.keys(await rowsByTable(database)));
    expect(lines).toEqual(
      expect.arrayContaining(['{"table":"added","columns":["a","b"]}', '["1","one"]', '["2",null]']),
    );
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { rows } = await database.query(`
      select relname from pg_class seq where relkind = 'S' and relnamespace = 'public'::regnamespace
        and not exists (select from pg_depend where objid = seq.oid and deptype in ('a', 'i') and refobjsubid > 0)`);
    expect(rows).toEqual([]);
    const other = await openFresh();
    expect((await restored(other, file)).leftOut).toEqual(["added"]);
  });

  test("of an older program is migrated after the restore, rows included, into an older store as well", async () => {
    const older = await openFresh();
    await older.query("insert into account (id, name) values ('acme', 'Acme')");
    const file = await backedUp(older);
    const newer = await openFresh();
    await migrate(newer, () => new Date(), laterMigrations);
    const expected = await shapeOf(newer);
    const into = await openFresh();
    await into.query("insert into account (id, name) values ('lost', 'Lost')");
    for (const each of [into, newer]) {
      await restored(each, file, { replace: true, migrations: laterMigrations });
      expect((await each.query("select id, title from account")).rows).toEqual([{ id: "acme", title: "ACME" }]);
      expect(await shapeOf(each)).toEqual(expected);
      expect((await rowsByTable(each)).migration).toHaveLength(laterMigrations.length);
    }
    await expect(restored(into, file, { replace: true })).rejects.toThrow(
      "The store is of a newer program (1001_title): restore into an empty one",
    );
    await expect(restored(older, await backedUp(into), { replace: true })).rejects.toThrow(
      "its store has 1001_title. Update this one, then restore",
    );
  });

  test("from before 1.0.0 is rejected, and so is a restore into a store from before 1.0.0", async () => {
    const from = await openFresh();
    const file = await backedUp(from);
    const earlier = rewritten(file, (lines) =>
      lines.replace('["1000_store"]', '["0001_store","0048_change_baseline"]'),
    );
    const into = await openFresh();
    await expect(restored(into, earlier, { replace: true })).rejects.toThrow(
      "The backup is from before 1.0.0, which this program cannot restore. Restore it with the program that wrote it",
    );
    const none = rewritten(file, (lines) => lines.replace('["1000_store"]', "[]"));
    await expect(restored(into, none, { replace: true })).rejects.toThrow("The backup is from before 1.0.0");
    await into.query("update migration set name = '0001_store'");
    const before = await rowsByTable(into);
    await expect(restored(into, file, { replace: true })).rejects.toThrow(
      "The store is from before 1.0.0, which this program cannot migrate. Start over with an empty store",
    );
    expect(await rowsByTable(into)).toEqual(before);
  });

  test("that is hostile is rejected in our own words, which name the table and the row", async () => {
    const from = await openFresh();
    await from.query("insert into account (id, name) values ('acme', 'Acme'), ('other', 'Other')");
    await from.query("insert into api_key (id, hash, account, name) values ('key_1', 'h', 'acme', 'first')");
    const file = await backedUp(from);
    const into = await openFresh();
    const cases: [change: (lines: string) => string, message: string][] = [
      [(lines) => lines.replace('"Other"', '"\\u0000"'), "Row 2 of account does not fit"],
      [(lines) => lines.replace(/(\["other",.*?)"2[^"]*"/, '$1"never"'), "Row 2 of account does not fit"],
      [
        (lines) => lines.replace(/.*"key_1".*/, (row) => row.replace('"acme"', '"nobody"')),
        "A row of api_key (api_key_account_fkey) does not fit",
      ],
      [(lines) => lines.replace(/"value":"\d+"/, '"value":"x"'), "The sequence of"],
      [(lines) => lines.replace(/\n\{"table":"account"/, '\n{"table":"account'), "A line does not fit the store"],
      [
        (lines) => lines.replace('"Other"', `"${"x".repeat(33 * 1024 * 1024)}"`),
        "of the backup has more than 33554432 characters",
      ],
    ];
    for (const [change, message] of cases) {
      const error = await restored(into, rewritten(file, change)).catch((thrown: unknown) => thrown);
      expect(error, message).toBeInstanceOf(UnusableBackup);
      expect(String(error)).toContain(message);
      expect(String(error)).not.toMatch(/constraint|syntax|violates|stack depth|Unicode/);
    }
    expect((await rowsByTable(into)).account).toEqual([]);
  });

  test("replaces a store only on request, and leaves it as it was after any failure", async () => {
    const from = await openFresh();
    await from.query("insert into account (id, name) values ('acme', 'Acme'), ('other', 'Other')");
    const file = await backedUp(from);
    const into = await openFresh();
    await into.query("insert into account (id, name) values ('kept', 'Kept')");
    const before = await rowsByTable(into);
    await expect(restored(into, file)).rejects.toThrow("contains data (in account): restore into an empty one");
    // The last row of all is one that cannot be.
    const twice = rewritten(file, (lines) =>
      lines.replace(/(\["other",.*\n)/, "$1$1").replace('"account":2', '"account":3'),
    );
    await expect(restored(into, twice, { replace: true })).rejects.toThrow("Row 3 of account does not fit the store");
    const fewer = rewritten(file, (lines) => lines.replace(/\["other",.*\n/, ""));
    await expect(restored(into, fewer, { replace: true })).rejects.toThrow("1 rows of account, but 2 were written");
    expect(await rowsByTable(into)).toEqual(before);
    await restored(into, file, { replace: true });
    expect((await rowsByTable(into)).account).toEqual((await rowsByTable(from)).account);
    await into.query("create table elses (a int)");
    await expect(restored(into, file, { replace: true })).rejects.toThrow("tables of another program (elses)");
    await into.query("alter table migration rename to nothing_of_ours");
    await expect(restored(into, file, { replace: true })).rejects.toThrow("tables of another program");
  });
});
