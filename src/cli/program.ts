import { Command, CommanderError } from "commander";
import { readConfig } from "../config/config.ts";
import { Unavailable } from "../errors.ts";
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
      err.write(`ids: ${errorText(error)}\n`);
      process.exitCode = 1;
    }
  }
}

/** What went wrong in one line; of a service's refusal without the protocol's own words. */
function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof Unavailable) return `${error.message}: check DATABASE_URL, and that the database runs`;
  if (error.cause instanceof Error && "code" in error.cause && error.cause.code === "ECONNREFUSED")
    return "No service responds: start the service, or set IDS_URL";
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
    .description("serve the API and refresh the datasets")
    .option("--no-work", "serve only; `ids work` refreshes the datasets")
    .action(async ({ work }: { work: boolean }) => (await import("./commands/serve.ts")).serve(terminal, work));
  ids
    .command("work")
    .description("refresh the datasets on their schedules, without serving (requires DATABASE_URL)")
    .action(async () => (await import("./commands/work.ts")).work(terminal));
  ids
    .command("migrate")
    .description("migrate the database to the current schema")
    .action(async () => (await import("./commands/migrate.ts")).migrateDatabase(terminal));
  ids
    .command("ingest [dataset...]")
    .description("refresh the given datasets now (default: all)")
    .option("--accept-shrunk", "accept a refresh with far fewer rows than the last good one")
    .option("--accept-changed", "accept answers whose form has changed, as far as they can be read")
    .action(async (names: string[], options: { acceptShrunk?: boolean; acceptChanged?: boolean }) =>
      (await import("./commands/ingest.ts")).ingest(terminal, names, options),
    );
  ids
    .command("sources")
    .description("sources of the datasets")
    .command("check [source...]")
    .description(
      "ask the configured sources now and compare the answers with what is known; stores nothing (default: all)",
    )
    .option("--record <folder>", "keep the answers, without keys, in the form of samples")
    .option("--replay <folder>", "read recorded answers instead of asking")
    .option("--json", "print JSON")
    .action(async (names: string[], options: { record?: string; replay?: string; json?: boolean }) =>
      (await import("./commands/sources.ts")).checkSources(terminal, names, options),
    );
  ids
    .command("doctor")
    .description("show settings, missing variables and the status of every dataset")
    .option("--json", "print JSON")
    .action(async (options: { json?: boolean }) => (await import("./commands/doctor.ts")).doctor(terminal, options));
  ids
    .command("openapi")
    .description("print the OpenAPI document, or write it to a folder")
    .option("--out <folder>", "output folder")
    .action(async (options: { out?: string }) => (await import("./commands/openapi.ts")).openapi(terminal, options));
  ids
    .command("secrets")
    .description("manage stored secrets")
    .command("rotate")
    .description("re-encrypt stored secrets with the first key of IDS_SECRET_KEY, or with a new key in the data folder")
    .action(async () => (await import("./commands/secrets.ts")).rotateSecrets(terminal));
  const policies = ids.command("policies").description("manage the list of energy-crisis policies");
  policies
    .command("import <file>")
    .description("replace the built-in list with a CSV file; one invalid row rejects the whole file")
    .requiredOption("--source <name>", "publisher of the list")
    .option("--source-url <url>", "URL of the list")
    .action(async (file: string, options: { source: string; sourceUrl?: string }) =>
      (await import("./commands/policies.ts")).importPolicyFile(terminal, file, options),
    );
  policies
    .command("drop")
    .description("restore the built-in list")
    .action(async () => (await import("./commands/policies.ts")).dropPolicies(terminal));
  addAccountCommands(ids, terminal);
  return ids;
}
