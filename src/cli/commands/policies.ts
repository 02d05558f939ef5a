import type { Kysely } from "kysely";
import { energyCrisisPolicies } from "../../domains/economic/energy-policies/energy-crisis-policies.ts";
import { forgetImportedPolicies, importPolicies } from "../../domains/economic/energy-policies/imported-policies.ts";
import { refresh } from "../../ingest/refresh/refresh.ts";
import { createUpstreams } from "../../ingest/upstreams.ts";
import { readTextFile } from "../../reference/file-failure.ts";
import type { StoreTables } from "../../store/tables.ts";
import { withStore } from "../store.ts";
import type { Terminal } from "../terminal.ts";

export async function importPolicyFile(
  terminal: Terminal,
  file: string,
  { source, sourceUrl = "" }: { readonly source: string; readonly sourceUrl?: string },
): Promise<void> {
  const text = await readTextFile(file);
  await withStore(terminal, "policies", async ({ kysely }) => {
    const rows = await importPolicies(kysely, text, { source, sourceUrl });
    terminal.out.write(`${rows} policies imported from ${file}; ${await makeVisible(terminal, kysely)}\n`);
  });
}

export async function dropPolicies(terminal: Terminal): Promise<void> {
  await withStore(terminal, "policies", async ({ kysely }) => {
    const dropped = (await forgetImportedPolicies(kysely)) ? "The imported list was removed" : "No list was imported";
    terminal.out.write(`${dropped}; ${await makeVisible(terminal, kysely)}\n`);
  });
}

async function makeVisible(terminal: Terminal, database: Kysely<StoreTables>): Promise<string> {
  const upstreams = createUpstreams(terminal.config(), () => new Date(), Math.random);
  const { generation, rows } = await refresh(energyCrisisPolicies, { database, upstreams });
  return generation === undefined
    ? "the next refresh publishes the change"
    : `generation ${generation} with ${rows} policies is published`;
}
