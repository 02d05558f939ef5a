import type { Command } from "commander";
import { type Terminal, withVariables } from "../terminal.ts";

export function addServingCommands(ids: Command, terminal: Terminal): void {
  ids
    .command("serve")
    .description("serve the API and refresh the datasets")
    .option("--no-work", "serve only; `ids work` refreshes the datasets")
    .option("--sample", "serve the illustrative samples, as IDS_DATA=sample does")
    .action(async ({ work, sample = false }: { work: boolean; sample?: boolean }) =>
      (await import("./serve.ts")).serve(sample ? withVariables(terminal, { IDS_DATA: "sample" }) : terminal, work),
    );
  ids
    .command("work")
    .description("refresh the datasets on their schedules, without serving (requires DATABASE_URL)")
    .action(async () => (await import("./work.ts")).work(terminal));
}

export function addDataCommands(ids: Command, terminal: Terminal): void {
  ids
    .command("ingest [dataset...]")
    .description("refresh the given datasets now and show the progress (default: all)")
    .option("--accept-shrunk", "accept a refresh with far fewer or older rows than the last good one")
    .option("--accept-changed", "accept answers whose form has changed, as far as they can be read")
    .action(async (names: string[], options: { acceptShrunk?: boolean; acceptChanged?: boolean }) =>
      (await import("./data/ingest.ts")).ingest(terminal, names, options),
    );
  ids
    .command("sources")
    .description("check the sources of the datasets")
    .command("check [source...]")
    .description(
      "ask the configured sources now and compare the answers with what is known; stores nothing (default: all)",
    )
    .option("--record <folder>", "keep the answers, without keys, in the form of samples")
    .option("--replay <folder>", "read recorded answers instead of asking")
    .option("--json", "print JSON")
    .action(async (names: string[], options: { record?: string; replay?: string; json?: boolean }) =>
      (await import("./data/sources.ts")).checkSources(terminal, names, options),
    );
  ids
    .command("history")
    .description("complete the history of figures over time")
    .command("backfill [dataset...]")
    .description(
      "ask sources for what figures were before, and keep the points that are missing (default: every one that can)",
    )
    .option("--from <day>", "first day, YYYY-MM-DD (default: as far back as the source goes)")
    .option("--to <day>", "last day, YYYY-MM-DD")
    .action(async (names: string[], options: DaySpanOptions) =>
      (await import("./data/history.ts")).backfillHistory(terminal, names, options),
    );
  addDatasetCommands(ids, terminal);
  addArchiveCommands(ids, terminal);
  const policies = ids.command("policies").description("manage the list of energy-crisis policies");
  policies
    .command("import <file>")
    .description("replace the built-in list with a CSV file; one invalid row rejects the whole file")
    .requiredOption("--source <name>", "publisher of the list")
    .option("--source-url <url>", "URL of the list")
    .action(async (file: string, options: { source: string; sourceUrl?: string }) =>
      (await import("./policies.ts")).importPolicyFile(terminal, file, options),
    );
  policies
    .command("drop")
    .description("restore the built-in list")
    .action(async () => (await import("./policies.ts")).dropPolicies(terminal));
}

function addDatasetCommands(ids: Command, terminal: Terminal): void {
  const dataset = ids.command("dataset").description("put an earlier generation of a dataset back");
  dataset
    .command("generations <dataset>")
    .description("list the generations of which the rows are kept, newest first")
    .option("--json", "print JSON")
    .action(async (name: string, options: { json?: boolean }) =>
      (await import("./data/dataset.ts")).listGenerations(terminal, name, options),
    );
  dataset
    .command("rollback <dataset>")
    .description("serve an earlier generation again; refreshes do not replace it until it is released")
    .requiredOption("--to <generation>", "number of the generation")
    .option("--force", "even if its data are too old to be served: reads then answer 503, or their flag for old data")
    .action(async (name: string, options: { to: string; force?: boolean }) =>
      (await import("./data/dataset.ts")).rollBackDataset(terminal, name, options),
    );
  dataset
    .command("release <dataset>")
    .description("let refreshes replace the generation that was put back")
    .action(async (name: string) => (await import("./data/dataset.ts")).releaseDataset(terminal, name));
}

function addArchiveCommands(ids: Command, terminal: Terminal): void {
  const archive = ids
    .command("archive")
    .description("keep closed UTC days as Parquet in the place that IDS_ARCHIVE names");
  const days = (command: Command) =>
    command.option("--from <day>", "first day, YYYY-MM-DD").option("--to <day>", "last day, YYYY-MM-DD");
  days(
    archive.command("write [dataset...]").description("archive the closed days that are missing (default: of all)"),
  ).action(async (names: string[], options: DaySpanOptions) =>
    (await import("./data/archive.ts")).writeArchive(terminal, names, options),
  );
  archive
    .command("list [dataset]")
    .description("list the datasets and how far their days reach; of one dataset, its days")
    .option("--json", "print JSON")
    .action(async (name: string | undefined, options: { json?: boolean }) =>
      (await import("./data/archive.ts")).listArchive(terminal, name, options),
    );
  days(
    archive.command("verify [dataset...]").description("read the files again and compare them with their manifests"),
  ).action(async (names: string[], options: DaySpanOptions) =>
    (await import("./data/archive.ts")).verifyArchive(terminal, names, options),
  );
  days(
    archive.command("import [dataset...]").description("put archived days that the store lacks back into its history"),
  ).action(async (names: string[], options: DaySpanOptions) =>
    (await import("./data/archive.ts")).importArchive(terminal, names, options),
  );
}

interface DaySpanOptions {
  readonly from?: string;
  readonly to?: string;
}

/** Its parameters are the contract's, which is read when it is run. */
export function addGetCommand(ids: Command, terminal: Terminal): void {
  ids
    .command("get [operation] [parameters...]")
    .description(
      "write what a read of a running service answers: JSON, or a file with --format (CSV, NDJSON, GeoJSON, Parquet), to a file with --output; `ids get --help` lists the reads, `ids get <operation> --help` its parameters",
    )
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .action(async (_operation, _parameters, _options, command: Command) =>
      (await import("./data/get.ts")).get(terminal, ids, command.args),
    );
}

export function addOperatingCommands(ids: Command, terminal: Terminal): void {
  ids
    .command("init")
    .description("show what going live needs, ask for keys on a terminal, write them to `.env` and check them")
    .option("--file <file>", "file that the keys are written to", ".env")
    .action(async (options: { file: string }) => (await import("./init.ts")).init(terminal, options));
  ids
    .command("doctor")
    .description("show settings, missing variables and the status of every dataset")
    .option("--json", "print JSON")
    .option("--check", "exit with 1 if `ids serve` would not start, or a dataset has no data to serve")
    .action(async (options: { json?: boolean; check?: boolean }) =>
      (await import("./doctor.ts")).doctor(terminal, options),
    );
  ids
    .command("migrate")
    .description("migrate the database to the current schema")
    .action(async () => (await import("./migrate.ts")).migrateDatabase(terminal));
  ids
    .command("backup <file>")
    .description("write the store to a file, or to standard output (-), also while the service is running")
    .action(async (file: string) => (await import("./backup.ts")).backUp(terminal, file));
  ids
    .command("restore <file>")
    .description(
      "restore a backup from a file, or from standard input (-), into an empty store; stop the service first",
    )
    .option("--replace", "lose what the store holds")
    .action(async (file: string, options: { replace?: boolean }) =>
      (await import("./backup.ts")).restore(terminal, file, options),
    );
  ids
    .command("secrets")
    .description("manage stored secrets")
    .command("rotate")
    .description("re-encrypt stored secrets with the first key of IDS_SECRET_KEY, or with a new key in the data folder")
    .action(async () => (await import("./secrets.ts")).rotateSecrets(terminal));
  ids
    .command("openapi")
    .description("print the OpenAPI document, or write it to a folder")
    .option("--out <folder>", "output folder")
    .action(async (options: { out?: string }) => (await import("./openapi.ts")).openapi(terminal, options));
}
