import { Client } from "pg";

/** Names what all files of one run share, and takes it away from a server that outlives the run. */
export default function setup(): () => Promise<void> {
  const run = `run${process.pid}`;
  process.env.IDS_TEST_RUN = run;
  return async () => {
    const url = process.env.IDS_TEST_DATABASE_URL;
    if (url === undefined) return;
    const client = new Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query("select datname as name from pg_database where datname like $1", [
      `%\\_${run}`,
    ]);
    for (const { name } of rows) await client.query(`drop database ${name}`);
    await client.end();
  };
}
