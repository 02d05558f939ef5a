import { randomUUID } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Unavailable } from "../../errors.ts";
import { NotInstalled } from "../../http/errors.ts";
import { installCommand, isMissingPackage } from "../../reference/optional-packages.ts";

const engine = "@duckdb/node-api";

/**
 * Returns a DuckDB database file after a script was run in it. Throws `NotInstalled` without the engine, and
 * `Unavailable` if the file cannot be written, for example to a full disk.
 */
export async function lakeDatabase(script: string): Promise<Buffer> {
  const { DuckDBInstance } = await import("@duckdb/node-api").catch((error: unknown) => {
    if (!isMissingPackage(error, engine)) throw error;
    throw new NotInstalled(
      `Use /lake.sql for the same views. For this file, the operator must run ${installCommand(engine)}`,
    );
  });
  const path = join(tmpdir(), `ids-lake-${randomUUID()}.duckdb`);
  try {
    const instance = await DuckDBInstance.create(path, { threads: "1" });
    try {
      const connection = await instance.connect();
      await connection.run(`BEGIN; ${script} COMMIT; CHECKPOINT;`);
      connection.closeSync();
    } finally {
      instance.closeSync();
    }
    return await readFile(path);
  } catch (cause) {
    throw new Unavailable("The database file could not be written", { cause, retryAfterSeconds: 60 });
  } finally {
    await Promise.all([path, `${path}.wal`].map((each) => rm(each, { force: true })));
  }
}
