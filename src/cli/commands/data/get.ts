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

/** Runs `ids get` with what follows it: each read of the contract is a command with its parameters as options. */
export async function get(terminal: Terminal, ids: Command, args: readonly string[]): Promise<void> {
  const reads = new Command("ids get")
    .copyInheritedSettings(ids)
    .description("Writes what a read of a running service answers.")
    .usage("<operation> [options]")
    .helpCommand(false)
    .configureHelp({ subcommandTerm: (command) => command.name(), minWidthToWrap: 20 });
  const [wanted = "", ...rest] = args;
  // The contract's own name does as well.
  const name = /^[A-Z][A-Za-z]+$/.test(wanted) ? kebab(wanted) : wanted;
  for (const operation of catalog) {
    if (!operation.read || !operation.queried) {
      addRejected(reads, operation);
      continue;
    }
    const command = readCommand(reads, operation);
    // The options of the others nobody sees.
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
    .option("--output <file>", "File to write, under another name until it is whole. Default: standard output.")
    .option("--key <key>", "API key, where IDS_API_KEY is not to count.");
  command.showHelpAfterError(`(${command.name()} takes ${command.options.map(({ long }) => long).join(", ")})`);
  command.action(({ output, key }: GetOptions) => {
    const { path, query } = address();
    if (query.get("format") === "parquet" && terminal.out.isTTY && output === undefined)
      throw new WrongCommandLine("Parquet is no text for a terminal: name a file with --output");
    return download(terminal, { path, query, key, output, resume: resumeText(operation), more: moreText(operation) });
  });
}

/** How to go on after a break, of a read with pages. */
function resumeText({ method }: Operation): string {
  const { page } = getOption(method, operationOption);
  return page
    ? `begin again, or take pages with ${flagOf(page.size)} and ${flagOf(page.cursor)}, which go on after a break`
    : "begin again";
}

/** How to get what follows a page. */
function moreText({ method }: Operation): Download["more"] {
  const { page } = getOption(method, operationOption);
  return (cursor) => `More rows follow: go on with ${flagOf(page?.cursor ?? "")} '${cursor}', or write all with --all`;
}

/** What changes something, or takes more than parameters, is told what to use instead. */
function addRejected(reads: Command, { name, verb, path, read }: Operation): void {
  const command = kebab(name);
  reads
    .command(command, { hidden: true })
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(() => {
      const why = read ? "takes a JSON body" : "changes something";
      throw new WrongCommandLine(
        `${command} ${why}, and \`ids get\` only reads: send ${verb} ${path} (the service's page /docs/${command})`,
      );
    });
}
