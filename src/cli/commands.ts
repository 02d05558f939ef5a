import { type Command, InvalidArgumentError } from "commander";
import type { ListenOptions, TriggerOptions } from "./alerts.ts";
import type { KeyOptions } from "./keys.ts";
import { type Terminal, withVariables } from "./terminal.ts";

// Each command imports its module only when it runs, so that `ids` starts quickly.

export function addServingCommands(ids: Command, terminal: Terminal): void {
  add(ids, "serve", "serve the API and refresh the datasets", {
    "--no-work": "serve without refreshing the datasets",
    "--sample": "serve samples, like IDS_DATA=sample",
  }).action(async ({ work, sample = false }: { work: boolean; sample?: boolean }) =>
    (await import("./serve.ts")).serve(sample ? withVariables(terminal, { IDS_DATA: "sample" }) : terminal, work),
  );
  add(ids, "work", "refresh datasets on schedule (requires DATABASE_URL)").action(async () =>
    (await import("./serve.ts")).work(terminal),
  );
}

const json = { "--json": "print JSON" };
const days = { "--from <day>": "first day, YYYY-MM-DD", "--to <day>": "last day, YYYY-MM-DD" };

interface JsonOption {
  readonly json?: boolean;
}

interface DayOptions {
  readonly from?: string;
  readonly to?: string;
}

export function addDataCommands(ids: Command, terminal: Terminal): void {
  const datasets = () => import("./datasets.ts");
  add(ids, "ingest [dataset...]", "refresh the given datasets now (default: all)", {
    "--accept-shrunk": "accept far fewer or older rows than before",
    "--accept-changed": "accept responses with a changed schema",
  }).action(async (names: string[], options: { acceptShrunk?: boolean; acceptChanged?: boolean }) =>
    (await datasets()).ingest(terminal, names, options),
  );
  const generation = { "--generation <number>": "generation to parse (default: the current one)", ...json };
  add(ids, "verify [name...]", "compare datasets or citations with their bytes", generation)
    .addHelpText(
      "after",
      "\nA name is a dataset (default: all) or a cited address, whose bytes are compared\nwith its digest. Fails if a byte or a row differs.",
    )
    .action(async (names: string[], options: JsonOption & { generation?: string }) =>
      (await import("./verify.ts")).verify(terminal, names, options),
    );
  add(ids, "replay <dataset>", "parse source bytes with this program, show changes", generation).action(
    async (name: string, options: JsonOption & { generation?: string }) =>
      (await import("./verify.ts")).replay(terminal, name, options),
  );
  const sources = add(ids, "sources", "check the sources of the datasets");
  add(sources, "check [source...]", "check responses without storing them (default: all)", {
    "--record <folder>": "write the responses as samples, without keys",
    "--replay <folder>": "read recorded responses instead of sending requests",
    ...json,
  }).action(async (names: string[], options: JsonOption & { record?: string; replay?: string }) =>
    (await import("./sources.ts")).checkSources(terminal, names, options),
  );
  const history = add(ids, "history", "complete the history of series");
  add(history, "backfill [dataset...]", "fetch and store missing earlier points (default: all)", {
    ...days,
    "--from <day>": "first day, YYYY-MM-DD (default: the source's earliest)",
  }).action(async (names: string[], options: DayOptions) =>
    (await datasets()).backfillHistory(terminal, names, options),
  );
  const dataset = add(ids, "dataset", "roll back a dataset");
  add(dataset, "generations <dataset>", "list the retained generations, newest first", json).action(
    async (name: string, options: JsonOption) => (await datasets()).listGenerations(terminal, name, options),
  );
  add(dataset, "rollback <dataset>", "serve an earlier generation until it is released")
    .addHelpText("after", "\nUntil then, refreshes do not replace it.")
    .requiredOption("--to <generation>", "number of the generation")
    .option("--force", "roll back to data that is too old")
    .action(async (name: string, options: { to: string; force?: boolean }) =>
      (await datasets()).rollBackDataset(terminal, name, options),
    );
  add(dataset, "release <dataset>", "let refreshes replace the restored generation").action(async (name: string) =>
    (await datasets()).releaseDataset(terminal, name),
  );
  addArchiveCommands(ids, terminal);
  const policies = add(ids, "policies", "manage the list of energy-crisis policies");
  add(policies, "import <file>", "replace the built-in list with a CSV file")
    .requiredOption("--source <name>", "publisher of the list")
    .option("--source-url <url>", "URL of the list")
    .action(async (file: string, options: { source: string; sourceUrl?: string }) =>
      (await datasets()).importPolicyFile(terminal, file, options),
    );
  add(policies, "drop", "restore the built-in list").action(async () => (await datasets()).dropPolicies(terminal));
}

function addArchiveCommands(ids: Command, terminal: Terminal): void {
  const archive = add(ids, "archive", "archive closed UTC days as Parquet to IDS_ARCHIVE");
  const ofDays = (usage: string, description: string, name: "writeArchive" | "verifyArchive" | "importArchive") =>
    add(archive, usage, description, days).action(async (names: string[], options: DayOptions) =>
      (await import("./archive.ts"))[name](terminal, names, options),
    );
  ofDays("write [dataset...]", "archive the missing closed days (default: all datasets)", "writeArchive");
  add(archive, "list [dataset]", "list archived datasets, or days of one dataset", json).action(
    async (name: string | undefined, options: JsonOption) =>
      (await import("./archive.ts")).listArchive(terminal, name, options),
  );
  ofDays("verify [dataset...]", "compare the archived files with their manifests", "verifyArchive");
  ofDays("import [dataset...]", "import archived days that the store lacks", "importArchive");
}

/** Adds the commands that send requests to a running service. */
export function addServiceCommands(ids: Command, terminal: Terminal): void {
  const ofOperations = (name: "get" | "call", description: string) =>
    add(ids, `${name} [operation] [parameters...]`, description)
      .helpOption(false)
      .allowUnknownOption()
      .passThroughOptions()
      .action(async (_operation, _parameters, _options, command: Command) =>
        (await import("./client/operation-commands.ts"))[name](terminal, ids, command.args),
      );
  ofOperations("get", "write the response of a read (`--help` lists them)");
  ofOperations("call", "change data, or send a JSON body (`--help`)");
  const keys = add(ids, "keys", "create API keys");
  add(keys, "create", "create a key and print only the key")
    .requiredOption("--name <name>", "display name of the key")
    .option("--account <id>", "account id, operator only")
    .option("--scope <scope...>", "scopes in addition to the generic reads")
    .option("--read-only", "the key changes nothing, not even itself")
    .option("--expires, --expires-at <day>", "expiry of the key (default: no expiry)")
    .option("--operator", "create an operator key directly in the store")
    .action(async (options: KeyOptions) => (await import("./keys.ts")).createKey(terminal, ids, options));
  const secret = { "--secret <secret>": "signing secret (default: a new, printed one)" };
  add(ids, "listen", "print new alerts through a temporary feed", {
    "--endpoint <id>": "print the alerts to this endpoint instead",
    "--forward <url>": "also send each signed event to this URL",
    ...secret,
  })
    .option("--count <events>", "end after this number of events", wholeNumber)
    .action(async (options: ListenOptions) => (await import("./alerts.ts")).listen(terminal, options));
  add(ids, "trigger <type>", "send a signed example event to a URL", secret)
    .requiredOption("--to <url>", "URL that receives the event")
    .action(async (type: string, options: TriggerOptions) =>
      (await import("./alerts.ts")).trigger(terminal, type, options),
    );
}

export function addOperatingCommands(ids: Command, terminal: Terminal): void {
  add(ids, "init", "set and check the keys for live data")
    .option("--file <file>", "file to write the keys to", ".env")
    .action(async (options: { file: string }) => (await import("./init.ts")).init(terminal, options));
  add(ids, "doctor", "show settings, missing variables, and dataset status", {
    ...json,
    "--check": "exit with 1 if serving would fail",
  }).action(async (options: JsonOption & { check?: boolean }) =>
    (await import("./doctor.ts")).doctor(terminal, options),
  );
  add(ids, "migrate", "migrate the database to the current schema", {
    "--check": "say what it would change, and whether you can go back",
  }).action(async (options: { check?: boolean }) => (await import("./store.ts")).migrateDatabase(terminal, options));
  add(ids, "backup <file>", "write the store to a file, or to standard output (-)").action(async (file: string) =>
    (await import("./backup.ts")).backUp(terminal, file),
  );
  add(ids, "restore <file>", "restore a backup, or standard input (-)", {
    "--replace": "delete the present content of the store",
  })
    .addHelpText("after", "\nStop the service first. The store must be empty unless you use --replace.")
    .action(async (file: string, options: { replace?: boolean }) =>
      (await import("./backup.ts")).restore(terminal, file, options),
    );
  const secrets = add(ids, "secrets", "manage stored secrets");
  add(secrets, "rotate", "re-encrypt stored secrets with the first or a new key").action(async () =>
    (await import("./secrets.ts")).rotateSecrets(terminal),
  );
  add(ids, "completion <shell>", "print a completion script for bash, zsh, or fish").action(async (shell: string) =>
    (await import("./completion.ts")).completion(terminal, ids, shell),
  );
  add(ids, "openapi", "print or write the OpenAPI document", { "--out <folder>": "output folder" }).action(
    async (options: { out?: string }) => (await import("./openapi.ts")).openapi(terminal, options),
  );
}

/** Adds a command. `options` has descriptions by option flags. */
function add(parent: Command, usage: string, description: string, options: Readonly<Record<string, string>> = {}) {
  const command = parent.command(usage).description(description);
  for (const [flags, text] of Object.entries(options)) command.option(flags, text);
  return command;
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("must be a whole number up to 999999999");
  return Number(text);
}
