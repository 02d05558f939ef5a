import { Client } from "pg";

/** Names what all files of one run share, and takes it away from a server that outlives the run. */
export default function setup(): () => Promise<void> {
  const run = String(process.pid);
  process.env.IDS_TEST_RUN = run;
  return async () => {
    const url = process.env.IDS_TEST_DATABASE_URL;
    if (url === undefined) return;
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query(`drop database if exists ids_loaded_${run}`);
    await client.end();
  };
}
