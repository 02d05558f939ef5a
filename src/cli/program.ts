import { Command, CommanderError } from "commander";
import { readConfig } from "../config/config.ts";
import { addAccountCommands } from "./commands/account-commands.ts";
import type { Terminal } from "./terminal.ts";

/** Reads the command line and runs the command; a failure is told on the error stream and sets the exit status. */
export async function run(
  argv: readonly string[],
  environment: Terminal["environment"],
  out: Terminal["out"],
  err: Terminal["err"],
): Promise<void> {
  const terminal: Terminal = { environment, config: (uses) => readConfig(environment, uses), out, err };
  try {
    await program(terminal).parseAsync([...argv]);
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode;
    else {
      err.write(`ids: ${toldOf(error)}\n`);
      process.exitCode = 1;
    }
  }
}

/** What went wrong in one line; of a service's refusal without the protocol's own words. */
function toldOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error && "code" in error.cause && error.cause.code === "ECONNREFUSED")
    return "Nothing answers there: start the service, or set IDS_URL";
  return "rawMessage" in error ? String(error.rawMessage) : error.message;
}

function program(terminal: Terminal): Command {
  const ids = new Command("ids")
    .description("Intelligence Data Service")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void terminal.out.write(text),
      writeErr: (text) => void terminal.err.write(text),
    });
  ids
    .command("serve")
    .description("serve the API; refreshes the datasets too unless --no-work is given")
    .option("--no-work", "leave the refreshing to `ids work`")
    .action(async ({ work }: { work: boolean }) => (await import("./commands/serve.ts")).serve(terminal, work));
  ids
    .command("work")
    .description("refresh the datasets by their schedules, without serving (needs DATABASE_URL)")
    .action(async () => (await import("./commands/work.ts")).work(terminal));
  ids
    .command("migrate")
    .description("bring the database to what this program needs")
    .action(async () => (await import("./commands/migrate.ts")).migrateDatabase(terminal));
  ids
    .command("ingest [dataset...]")
    .description("refresh datasets now; all of them when none is named")
    .option("--accept-shrunk", "take an answer with far fewer rows than the last good one")
    .action(async (names: string[], options: { acceptShrunk?: boolean }) =>
      (await import("./commands/ingest.ts")).ingest(terminal, names, options),
    );
  ids
    .command("doctor")
    .description("tell what is set, what is missing, and how every dataset stands")
    .option("--json", "as JSON")
    .action(async (options: { json?: boolean }) => (await import("./commands/doctor.ts")).doctor(terminal, options));
  ids
    .command("openapi")
    .description("print the OpenAPI document, or write it as JSON and YAML into a folder")
    .option("--out <folder>", "folder to write into")
    .action(async (options: { out?: string }) => (await import("./commands/openapi.ts")).openapi(terminal, options));
  ids
    .command("secrets")
    .description("the secrets at rest")
    .command("rotate")
    .description("encrypt them with the first key of IDS_SECRET_KEY, or with a new one in the data folder")
    .action(async () => (await import("./commands/secrets.ts")).rotateSecrets(terminal));
  const policies = ids.command("policies").description("the list of energy-crisis policies");
  policies
    .command("import <file>")
    .description("serve this list (CSV) in place of the program's own; one bad row refuses all of it")
    .requiredOption("--source <name>", "who made the list")
    .option("--source-url <url>", "the list's own page")
    .action(async (file: string, options: { source: string; sourceUrl?: string }) =>
      (await import("./commands/policies.ts")).importPolicyFile(terminal, file, options),
    );
  policies
    .command("drop")
    .description("serve the program's own list again")
    .action(async () => (await import("./commands/policies.ts")).dropPolicies(terminal));
  addAccountCommands(ids, terminal);
  return ids;
}
