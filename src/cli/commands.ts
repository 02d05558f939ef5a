import { type Command, InvalidArgumentError } from "commander";
import type { ListenOptions, TriggerOptions } from "./alerts.ts";
import type { KeyOptions } from "./keys.ts";
import { type Terminal, withVariables } from "./terminal.ts";

// Each command loads its module only when it runs.

export function addServingCommands(ids: Command, terminal: Terminal): void {
  ids
    .command("serve")
    .description("serve the API and refresh the datasets")
    .option("--no-work", "serve without refreshing the datasets")
    .option("--sample", "serve samples, like IDS_DATA=sample")
    .action(async ({ work, sample = false }: { work: boolean; sample?: boolean }) =>
      (await import("./serve.ts")).serve(sample ? withVariables(terminal, { IDS_DATA: "sample" }) : terminal, work),
    );
  ids
    .command("work")
    .description("refresh datasets on schedule (requires DATABASE_URL)")
    .action(async () => (await import("./serve.ts")).work(terminal));
}

export function addDataCommands(ids: Command, terminal: Terminal): void {
  ids
    .command("ingest [dataset...]")
    .description("refresh the given datasets now (default: all)")
    .option("--accept-shrunk", "accept far fewer or older rows than before")
    .option("--accept-changed", "accept responses with a changed schema")
    .action(async (names: string[], options: { acceptShrunk?: boolean; acceptChanged?: boolean }) =>
      (await import("./datasets.ts")).ingest(terminal, names, options),
    );
  ids
    .command("sources")
    .description("check the sources of the datasets")
    .command("check [source...]")
    .description("check responses without storing them (default: all)")
    .option("--record <folder>", "write the responses as samples, without keys")
    .option("--replay <folder>", "read recorded responses instead of sending requests")
    .option("--json", "print JSON")
    .action(async (names: string[], options: { record?: string; replay?: string; json?: boolean }) =>
      (await import("./sources.ts")).checkSources(terminal, names, options),
    );
  ids
    .command("history")
    .description("complete the history of series")
    .command("backfill [dataset...]")
    .description("fetch and store missing earlier points (default: all)")
    .option("--from <day>", "first day, YYYY-MM-DD (default: the source's earliest)")
    .option("--to <day>", "last day, YYYY-MM-DD")
    .action(async (names: string[], options: DayOptions) =>
      (await import("./datasets.ts")).backfillHistory(terminal, names, options),
    );
  addDatasetCommands(ids, terminal);
  addArchiveCommands(ids, terminal);
  const policies = ids.command("policies").description("manage the list of energy-crisis policies");
  policies
    .command("import <file>")
    .description("replace the built-in list with a CSV file")
    .requiredOption("--source <name>", "publisher of the list")
    .option("--source-url <url>", "URL of the list")
    .action(async (file: string, options: { source: string; sourceUrl?: string }) =>
      (await import("./datasets.ts")).importPolicyFile(terminal, file, options),
    );
  policies
    .command("drop")
    .description("restore the built-in list")
    .action(async () => (await import("./datasets.ts")).dropPolicies(terminal));
}

function addDatasetCommands(ids: Command, terminal: Terminal): void {
  const dataset = ids.command("dataset").description("roll back a dataset");
  dataset
    .command("generations <dataset>")
    .description("list the retained generations, newest first")
    .option("--json", "print JSON")
    .action(async (name: string, options: JsonOption) =>
      (await import("./datasets.ts")).listGenerations(terminal, name, options),
    );
  dataset
    .command("rollback <dataset>")
    .description("serve an earlier generation until it is released")
    .addHelpText("after", "\nUntil then, refreshes do not replace it.")
    .requiredOption("--to <generation>", "number of the generation")
    .option("--force", "roll back to data that is too old")
    .action(async (name: string, options: { to: string; force?: boolean }) =>
      (await import("./datasets.ts")).rollBackDataset(terminal, name, options),
    );
  dataset
    .command("release <dataset>")
    .description("let refreshes replace the restored generation")
    .action(async (name: string) => (await import("./datasets.ts")).releaseDataset(terminal, name));
}

function addArchiveCommands(ids: Command, terminal: Terminal): void {
  const archive = ids.command("archive").description("archive closed UTC days as Parquet to IDS_ARCHIVE");
  const ofDays = (usage: string, description: string, name: "writeArchive" | "verifyArchive" | "importArchive") =>
    archive
      .command(usage)
      .description(description)
      .option("--from <day>", "first day, YYYY-MM-DD")
      .option("--to <day>", "last day, YYYY-MM-DD")
      .action(async (names: string[], options: DayOptions) =>
        (await import("./archive.ts"))[name](terminal, names, options),
      );
  ofDays("write [dataset...]", "archive the missing closed days (default: all datasets)", "writeArchive");
  archive
    .command("list [dataset]")
    .description("list archived datasets, or days of one dataset")
    .option("--json", "print JSON")
    .action(async (name: string | undefined, options: JsonOption) =>
      (await import("./archive.ts")).listArchive(terminal, name, options),
    );
  ofDays("verify [dataset...]", "compare the archived files with their manifests", "verifyArchive");
  ofDays("import [dataset...]", "import archived days that the store lacks", "importArchive");
}

interface DayOptions {
  readonly from?: string;
  readonly to?: string;
}

interface JsonOption {
  readonly json?: boolean;
}

/** Adds the commands that call a running service. */
export function addServiceCommands(ids: Command, terminal: Terminal): void {
  const descriptions = {
    get: "write the response of a read (`--help` lists them)",
    call: "change data, or send a JSON body (`--help`)",
  };
  // The operations come from the contract, which is loaded only when the command runs.
  for (const name of ["get", "call"] as const)
    ids
      .command(`${name} [operation] [parameters...]`)
      .description(descriptions[name])
      .helpOption(false)
      .allowUnknownOption()
      .passThroughOptions()
      .action(async (_operation, _parameters, _options, command: Command) =>
        (await import("./client/operation-commands.ts"))[name](terminal, ids, command.args),
      );
  ids
    .command("keys")
    .description("create API keys")
    .command("create")
    .description("create a key and print only the key")
    .requiredOption("--name <name>", "display name of the key")
    .option("--account <id>", "account id, operator only")
    .option("--scope <scope...>", "scopes in addition to the generic reads")
    .option("--expires <day>", "expiry of the key (default: no expiry)")
    .option("--operator", "create an operator key directly in the store")
    .action(async (options: KeyOptions) => (await import("./keys.ts")).createKey(terminal, ids, options));
  ids
    .command("listen")
    .description("print new alerts through a temporary feed")
    .option("--endpoint <id>", "print the alerts to this endpoint instead")
    .option("--forward <url>", "also send each signed event to this URL")
    .option("--secret <secret>", "signing secret (default: a new, printed one)")
    .option("--count <events>", "end after this number of events", wholeNumber)
    .action(async (options: ListenOptions) => (await import("./alerts.ts")).listen(terminal, options));
  ids
    .command("trigger <type>")
    .description("send a signed example event to a URL")
    .requiredOption("--to <url>", "URL that receives the event")
    .option("--secret <secret>", "signing secret (default: a new, printed one)")
    .action(async (type: string, options: TriggerOptions) =>
      (await import("./alerts.ts")).trigger(terminal, type, options),
    );
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("must be a whole number up to 999999999");
  return Number(text);
}

export function addOperatingCommands(ids: Command, terminal: Terminal): void {
  ids
    .command("init")
    .description("set and check the keys for live data")
    .option("--file <file>", "file to write the keys to", ".env")
    .action(async (options: { file: string }) => (await import("./init.ts")).init(terminal, options));
  ids
    .command("doctor")
    .description("show settings, missing variables, and dataset status")
    .option("--json", "print JSON")
    .option("--check", "exit with 1 if serving would fail")
    .action(async (options: { json?: boolean; check?: boolean }) =>
      (await import("./doctor.ts")).doctor(terminal, options),
    );
  ids
    .command("migrate")
    .description("migrate the database to the current schema")
    .action(async () => (await import("./store.ts")).migrateDatabase(terminal));
  ids
    .command("backup <file>")
    .description("write the store to a file, or to standard output (-)")
    .action(async (file: string) => (await import("./backup.ts")).backUp(terminal, file));
  ids
    .command("restore <file>")
    .description("restore a backup, or standard input (-)")
    .addHelpText("after", "\nStop the service first. The store must be empty unless you use --replace.")
    .option("--replace", "delete the present content of the store")
    .action(async (file: string, options: { replace?: boolean }) =>
      (await import("./backup.ts")).restore(terminal, file, options),
    );
  ids
    .command("secrets")
    .description("manage stored secrets")
    .command("rotate")
    .description("re-encrypt stored secrets with the first or a new key")
    .action(async () => (await import("./secrets.ts")).rotateSecrets(terminal));
  ids
    .command("openapi")
    .description("print or write the OpenAPI document")
    .option("--out <folder>", "output folder")
    .action(async (options: { out?: string }) => (await import("./openapi.ts")).openapi(terminal, options));
}
