import { Command } from "commander";
import { operation as operationOption } from "../../../../gen/es/ids/options/v1/options_pb.ts";
import { catalog, kebab, type Operation } from "../../../contract/catalog.ts";
import { getOption } from "../../../contract/option.ts";
import { described, firstSentence } from "../../../contract/schema.ts";
import { type Download, download } from "../../client/download.ts";
import { addReadOptions, flagOf } from "../../client/read-options.ts";
import type { Terminal } from "../../terminal.ts";
import { WrongCommandLine } from "../../wrong-command-line.ts";

interface GetOptions {
  readonly output?: string;
  readonly key?: string;
}

export async function get(terminal: Terminal, ids: Command, args: readonly string[]): Promise<void> {
  const reads = new Command("ids get")
    .copyInheritedSettings(ids)
    .description("Writes the response of a read of a running service.")
    .usage("<operation> [options]")
    .helpCommand(false)
    .configureHelp({ subcommandTerm: (command) => command.name(), minWidthToWrap: 20 });
  const [wanted = "", ...rest] = args;
  // The name in the contract is accepted too.
  const name = /^[A-Z][A-Za-z]+$/.test(wanted) ? kebab(wanted) : wanted;
  for (const operation of catalog) {
    if (!operation.read || !operation.queried) {
      addRejected(reads, operation);
      continue;
    }
    const command = readCommand(reads, operation);
    // The options of other subcommands are not shown, so they are not defined.
    if (command.name() === name) defineRead(command, terminal, operation);
  }
  await reads.parseAsync(args.length === 0 ? [] : [name, ...rest], { from: "user" });
}

function readCommand(reads: Command, { method: { parent, name } }: Operation): Command {
  const { description = "" } = described(`${parent.typeName}.${name}`);
  return reads.command(kebab(name)).description(description).summary(firstSentence(description));
}

function defineRead(command: Command, terminal: Terminal, operation: Operation): void {
  const address = addReadOptions(command, operation);
  command
    .option("--output <file>", "File to write; it appears when it is complete. Default: standard output.")
    .option("--key <key>", "API key instead of IDS_API_KEY.");
  command.showHelpAfterError(`(${command.name()} accepts ${command.options.map(({ long }) => long).join(", ")})`);
  command.action(({ output, key }: GetOptions) => {
    const { path, query } = address();
    if (query.get("format") === "parquet" && terminal.out.isTTY && output === undefined)
      throw new WrongCommandLine("Parquet cannot be shown on a terminal: name a file with --output");
    return download(terminal, { path, query, key, output, resume: resumeText(operation), more: moreText(operation) });
  });
}

function resumeText({ method }: Operation): string {
  const { page } = getOption(method, operationOption);
  return page
    ? `start again, or read pages with ${flagOf(page.size)} and ${flagOf(page.cursor)}, which can continue after a break`
    : "start again";
}

function moreText({ method }: Operation): Download["more"] {
  const { page } = getOption(method, operationOption);
  return (cursor) =>
    `More rows follow: continue with ${flagOf(page?.cursor ?? "")} '${cursor}', or write all with --all`;
}

/** Adds a subcommand that explains what to use for an operation that is not a simple read. */
function addRejected(reads: Command, { name, verb, path, read }: Operation): void {
  const command = kebab(name);
  reads
    .command(command, { hidden: true })
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(() => {
      const why = read ? "requires a JSON body" : "changes data";
      throw new WrongCommandLine(
        `${command} ${why}, but \`ids get\` only reads: send ${verb} ${path} (see /docs/${command})`,
      );
    });
}
