import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename } from "node:path";
import { Client } from "pg";
import { afterAll, afterEach, beforeEach, describe } from "vitest";
import { type Database, type DatabaseOptions, openDatabase } from "../../src/store/database.ts";
import { preparedFile } from "../../src/store/embedded/prepared-folder.ts";
import { migrate } from "../../src/store/migrate.ts";
import { embeddedFolder, openEmbedded } from "../http/embedded-database.ts";

/** Opens a fresh, migrated database; closed and removed after the test, or after the block when opened in `beforeAll`. */
export type OpenFresh = () => Promise<Database>;

/** Where a fresh database can be opened, by another process too; removed like `OpenFresh`'s. */
export type FreshPlace = () => Promise<DatabaseOptions>;

/**
 * Runs a block of tests on the embedded database and, when IDS_TEST_DATABASE_URL names a server, on Postgres; else those are
 * skipped. With IDS_TEST_DATABASES=one each block runs on one of the two, always the same, which halves the time; with `other`
 * on the other one, and nothing else of its file runs twice.
 */
export function describeEachDatabase(
  name: string,
  define: (openFresh: OpenFresh, freshPlace: FreshPlace) => void,
): void {
  const only = databases === "both" ? undefined : chosen(name);
  if (only !== "Postgres") describe(`${name} (embedded)`, { timeout }, () => defineOn(embeddedPlace, define));
  if (only !== "embedded")
    describe.skipIf(server === undefined)(`${name} (Postgres)`, { timeout }, () =>
      defineOn(() => postgresPlace(), define),
    );
}

/**
 * In the first run, all but a twelfth of the blocks are on Postgres, because each embedded database takes about a second to
 * start. The remainder was chosen so that the blocks are many and take little time.
 */
function chosen(name: string): "embedded" | "Postgres" {
  const sum = [...name].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0);
  return (sum % 12 === 7) === (databases === "one") ? "embedded" : "Postgres";
}

/** Runs a block of tests once, on Postgres where there is a server: for what another block of both has shown of the store, and costs much. */
export function describeOnce(name: string, define: (openFresh: OpenFresh, freshPlace: FreshPlace) => void): void {
  const isDone = databases === "other";
  describe.skipIf(isDone)(name, { timeout }, () =>
    defineOn(server === undefined ? embeddedPlace : () => postgresPlace(), define),
  );
}

/** Opens a fresh, migrated database where the store does not matter: on Postgres where there is a server. It goes when it is closed. */
export async function openOnce(like = migrated): Promise<Database> {
  if (server === undefined) return openEmbedded();
  const { options, remove } = await postgresPlace(like);
  const database = await openMigrated(options);
  return {
    ...database,
    async close() {
      await database.close();
      await remove();
    },
  };
}

/** Like `openOnce`, with what `fill` puts into it: on Postgres that is done once a run, and copied. */
export async function openFilled(name: string, fill: (database: Database) => Promise<void>): Promise<Database> {
  if (server === undefined) {
    const database = await openEmbedded();
    await fill(database);
    return database;
  }
  const filled = `${name}_${process.env.IDS_TEST_RUN}`;
  await provideTemplate(filled, fill);
  return openOnce(filled);
}

interface Place {
  readonly options: DatabaseOptions;
  readonly remove: () => Promise<void>;
}

const timeout = 120_000;
const server = process.env.IDS_TEST_DATABASE_URL;
const databases = server === undefined ? "both" : (process.env.IDS_TEST_DATABASES ?? "both");

function defineOn(
  makePlace: () => Promise<Place>,
  define: (openFresh: OpenFresh, freshPlace: FreshPlace) => void,
): void {
  const ofBlock: (() => Promise<void>)[] = [];
  const ofTest: (() => Promise<void>)[] = [];
  let closers = ofBlock;
  beforeEach(() => {
    closers = ofTest;
  });
  afterEach(async () => {
    closers = ofBlock;
    await closeAll(ofTest);
  });
  afterAll(() => closeAll(ofBlock));

  const freshPlace: FreshPlace = async () => {
    const { options, remove } = await makePlace();
    closers.push(remove);
    return options;
  };
  define(async () => {
    const database = await openMigrated(await freshPlace());
    closers.push(database.close);
    return database;
  }, freshPlace);
}

async function openMigrated(options: DatabaseOptions): Promise<Database> {
  const database = await openDatabase(options);
  await migrate(database, () => new Date());
  return database;
}

/** Last opened, first closed. */
async function closeAll(closers: (() => Promise<void>)[]): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}

async function embeddedPlace(): Promise<Place> {
  const directory = await embeddedFolder();
  return {
    options: { directory, name: "test" },
    remove: async () => rmSync(directory, { recursive: true, force: true }),
  };
}

async function postgresPlace(like = migrated): Promise<Place> {
  await provideTemplate(migrated, async () => {});
  const name = `ids_test_${randomUUID().replaceAll("-", "")}`;
  // Copied files take a third less processor time than copied blocks, which are logged too.
  await administer(`create database ${name} template ${like} strategy file_copy`);
  return {
    options: { url: urlOf(name), directory: tmpdir(), name: "test" },
    remove: () => administer(`drop database ${name} with (force)`),
  };
}

// Like the prepared embedded database, it depends on the migrations and on the queue's version.
const migrated = `ids_template_${basename(preparedFile()).replaceAll(/\W/g, "_")}`;

/** Makes a migrated database that others are copied from; files that run at the same time wait for one to make it. */
async function provideTemplate(name: string, fill: (database: Database) => Promise<void>): Promise<void> {
  await withServer(async (client) => {
    await client.query("select pg_advisory_lock(hashtext($1))", [name]);
    const { rowCount } = await client.query("select from pg_database where datname = $1", [name]);
    if (rowCount !== 0) return;
    await client.query(`create database ${name}_partial`);
    const database = await openMigrated({ url: urlOf(`${name}_partial`), directory: tmpdir(), name: "template" });
    await fill(database);
    await database.close();
    await client.query(`alter database ${name}_partial rename to ${name}`);
  });
}

function administer(statement: string): Promise<void> {
  return withServer(async (client) => {
    await client.query(statement);
  });
}

async function withServer(use: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: server ?? "" });
  await client.connect();
  try {
    await use(client);
  } finally {
    await client.end();
  }
}

function urlOf(name: string): string {
  const url = new URL(server ?? "");
  url.pathname = `/${name}`;
  return url.href;
}
