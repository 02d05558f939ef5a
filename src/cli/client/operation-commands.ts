import { type DescMessage, fromJson, type JsonValue } from "@bufbuild/protobuf";
import { Command, Option } from "commander";
import { operation as operationOption } from "../../../gen/es/ids/options/v1/options_pb.ts";
import { catalog, kebab, type Operation } from "../../contract/catalog.ts";
import { binaryFormats, fileFormats } from "../../contract/file-format.ts";
import { getOption } from "../../contract/option.ts";
import { nextCursorReader } from "../../contract/paging.ts";
import { isObject, type JsonObject } from "../../contract/request/body.ts";
import { described, firstSentence } from "../../contract/schema.ts";
import { ConfigurationError } from "../../errors.ts";
import { printable } from "../../reference/printable.ts";
import { type Terminal, WrongCommandLine } from "../terminal.ts";
import { download } from "./download.ts";
import { type ApiRequest, sendForJson } from "./exchange.ts";
import { addBodyOptions, addParameterOptions, flagOf, type RequestBodies } from "./request-options.ts";
import { responseTables } from "./response-tables.ts";

/** Runs `ids get`. Each read operation is a subcommand, whose options are its parameters. */
export function get(terminal: Terminal, ids: Command, args: readonly string[]): Promise<void> {
  return runOperation(args, getCommands(terminal, ids));
}

function getCommands(terminal: Terminal, ids: Command): OperationCommands {
  return {
    root: rootCommand(ids, "get", "Writes the response of a read of a running service."),
    isOffered: isPlainRead,
    define: (command, operation) => defineRead(command, terminal, operation),
    instead: ({ read }) => `${read ? "requires a JSON body" : "changes data"}: use \`ids call\``,
  };
}

/** Runs `ids call`. Each other operation is a subcommand, whose options are the members of its body. */
export function call(terminal: Terminal, ids: Command, args: readonly string[]): Promise<void> {
  return runOperation(args, callCommands(terminal, ids));
}

function callCommands(terminal: Terminal, ids: Command): OperationCommands {
  return {
    root: rootCommand(ids, "call", "Changes data on a running service, or sends a read with a JSON body."),
    isOffered: (operation) => !isPlainRead(operation),
    define: (command, operation) => defineCall(command, terminal, operation),
    instead: () => "only reads: use `ids get`",
  };
}

/** Returns the subcommands of `ids get` and `ids call` with all their options. */
export function operationCommands(terminal: Terminal, ids: Command) {
  const defined = ({ root, isOffered, define }: OperationCommands) => {
    for (const operation of catalog.filter(isOffered)) define(root.command(kebab(operation.method.name)), operation);
    return root.commands;
  };
  return { get: defined(getCommands(terminal, ids)), call: defined(callCommands(terminal, ids)) };
}

function isPlainRead({ read, queried }: Operation): boolean {
  return read && queried;
}

function rootCommand(ids: Command, name: string, description: string): Command {
  return new Command(`ids ${name}`)
    .copyInheritedSettings(ids)
    .description(description)
    .usage("<operation> [options]")
    .helpCommand(false)
    .configureHelp({ subcommandTerm: (command) => command.name(), minWidthToWrap: 20 });
}

interface OperationCommands {
  readonly root: Command;
  readonly isOffered: (operation: Operation) => boolean;
  readonly define: (command: Command, operation: Operation) => void;
  /** Returns why `ids get` or `ids call` does not offer an operation, and what to use instead. */
  readonly instead: (operation: Operation) => string;
}

async function runOperation(args: readonly string[], commands: OperationCommands): Promise<void> {
  const { root, isOffered, define, instead } = commands;
  const [wanted = "", ...rest] = args;
  // Also accepts the operation's name in the contract, such as `GetRiskScores`.
  const name = /^[A-Z][A-Za-z]+$/.test(wanted) ? kebab(wanted) : wanted;
  for (const operation of catalog) {
    const { method } = operation;
    const own = kebab(method.name);
    if (!isOffered(operation)) {
      const other = root.command(own, { hidden: true }).helpOption(false);
      other.allowUnknownOption().allowExcessArguments();
      other.action(() => {
        throw new WrongCommandLine(`${own} ${instead(operation)} (see /docs/${own})`);
      });
      continue;
    }
    const { description = "" } = described(`${method.parent.typeName}.${method.name}`);
    const command = root.command(own).description(description).summary(firstSentence(description));
    // Only the chosen subcommand gets its options, because the help of the command does not show them.
    if (own === name) define(command, operation);
  }
  await root.parseAsync(args.length === 0 ? [] : [name, ...rest], { from: "user" });
}

interface CommonOptions {
  readonly table?: boolean;
  readonly key?: string;
}

function addCommonOptions(command: Command): void {
  command.option("--key <key>", "API key instead of IDS_API_KEY.");
  command.showHelpAfterError(`(${command.name()} accepts ${command.options.map(({ long }) => long).join(", ")})`);
}

const tableOption = () => new Option("--table", "Print tables instead of JSON; lists in rows become further tables.");

function defineRead(command: Command, terminal: Terminal, operation: Operation): void {
  const address = addParameterOptions(command, operation);
  command
    .option("--output <file>", "File to write; it appears when it is complete. Default: standard output.")
    .addOption(tableOption().conflicts(["format", "rows", "raw", "columns", "jmespath", "output"]));
  addCommonOptions(command);
  command.action(async ({ output, table, key }: CommonOptions & { readonly output?: string }) => {
    const { path, query } = address();
    const request: ApiRequest = { verb: "GET", path, query, key };
    if (table) return writeTables(terminal, operation, request);
    const format = fileFormats.find((each) => each === query.get("format"));
    if (format && binaryFormats.has(format) && terminal.out.isTTY && output === undefined)
      throw new WrongCommandLine(`A terminal cannot show ${format}: name a file with --output`);
    await download(terminal, { ...request, output, resume: resumeText(operation), more: moreText(operation) });
  });
}

/** Prints a page of a read, or all pages with `--all`. */
async function writeTables(terminal: Terminal, operation: Operation, request: ApiRequest): Promise<void> {
  const { query } = request;
  const { page } = getOption(operation.method, operationOption);
  const nextOf = nextCursorReader(operation);
  const all = query.get("all") === "true";
  query.delete("all");
  const responses: JsonObject[] = [];
  let next = "";
  do {
    if (next !== "") query.set(page?.cursor ?? "", next);
    const response = await sendForJson(terminal, request);
    responses.push(response);
    next = nextOf(fromJson(operation.method.output, response, { ignoreUnknownFields: true }));
  } while (all && next !== "");
  terminal.out.write(responseTables(terminal.out, operation, responses));
  if (next !== "") terminal.err.write(`ids: ${moreText(operation)(next)}\n`);
}

/** Returns advice for continuing after a broken connection. */
function resumeText({ method }: Operation): string {
  const { page } = getOption(method, operationOption);
  return page
    ? `start again, or read pages with ${flagOf(page.size)} and ${flagOf(page.cursor)}, which can continue after a break`
    : "start again";
}

/** Returns how the user gets the rows after a page. */
function moreText({ method }: Operation): (cursor: string) => string {
  const { page } = getOption(method, operationOption);
  return (cursor) =>
    `More rows follow: continue with ${flagOf(page?.cursor ?? "")} '${cursor}', or write all with --all`;
}

interface CallOptions extends CommonOptions {
  readonly only?: string;
}

function defineCall(command: Command, terminal: Terminal, operation: Operation): void {
  const { verb, method } = operation;
  const address = addParameterOptions(command, operation);
  const bodies = addBodyOptions(command, operation);
  command
    .option("--only <member>", "Print only this member of the response, such as secret or key.id.")
    .addOption(tableOption().conflicts("only"));
  addCommonOptions(command);
  command.action(async ({ table, only, key }: CallOptions) => {
    if (only !== undefined) requireMember(method.output, only);
    const { path, query } = address();
    const { bodies: sent, file } = await bodies();
    const responses: JsonObject[] = [];
    try {
      for (const body of sent) {
        const placeOf = placesFrom(file, responses.length);
        responses.push(await sendForJson(terminal, { verb, path, query, key, body, placeOf }));
      }
    } finally {
      if (table && responses.length > 0) terminal.out.write(responseTables(terminal.out, operation, responses));
      else for (const response of responses) terminal.out.write(`${textOf(response, only)}\n`);
    }
    requireWhole(file);
  });
}

/** Returns a function that says where a rejected member is: in an option, or in a row of the sent file. */
function placesFrom(file: RequestBodies["file"], batch: number): (member: string) => string {
  return (member) => {
    const [, list, index, inner = ""] = /^(\w+)\[(\d+)\]\.?(.*)$/.exec(member) ?? [];
    if (!file || list !== file.list.jsonName) return flagOf(member);
    const row = file.rows[batch * file.size + Number(index)];
    return `${file.file}, ${row?.place ?? member} ${inner}`.trimEnd();
  };
}

/** Throws if the file has rows that could not be read and were not sent. */
function requireWhole(file: RequestBodies["file"]): void {
  if (!file || file.rejected.length === 0) return;
  const { rows, rejected } = file;
  const reasons = rejected.map(({ row, reason }) => `${row} ${reason}`).join("; ");
  throw new ConfigurationError(
    `${file.file}: ${rows.length} rows were sent, and ${rejected.length} were not. Correct them and send them again: ${reasons}`,
  );
}

function requireMember(desc: DescMessage, path: string): void {
  const [name = "", ...rest] = path.split(".");
  const field = desc.fields.find(({ jsonName }) => jsonName === name);
  const names = desc.fields.map(({ jsonName }) => jsonName).join(", ");
  if (!field) throw new WrongCommandLine(`--only: ${name} is not one of the members ${names}`);
  if (rest.length > 0 && field.fieldKind === "message") requireMember(field.message, rest.join("."));
}

function textOf(response: JsonObject, only: string | undefined): string {
  const members = only?.split(".") ?? [];
  const value = members.reduce<JsonValue>((from, name) => (isObject(from) ? (from[name] ?? "") : ""), response);
  return typeof value === "string" ? printable(value) : JSON.stringify(value, null, 2);
}
