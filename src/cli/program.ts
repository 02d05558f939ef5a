import { Command, CommanderError } from "commander";
import { readConfig } from "../config/config.ts";
import { programVersion } from "../reference/program-version.ts";
import { addDataCommands, addOperatingCommands, addServiceCommands, addServingCommands } from "./commands.ts";
import { errorText, exitCodes } from "./failures.ts";
import { type Terminal, WrongCommandLine } from "./terminal.ts";

/** Runs a command. If it fails, prints the error to the error stream and sets the exit code. */
export async function run(
  argv: readonly string[],
  environment: Terminal["environment"],
  out: Terminal["out"],
  err: Terminal["err"],
  input?: Terminal["input"],
): Promise<void> {
  const config: Terminal["config"] = (uses) => readConfig(environment, uses);
  const terminal: Terminal = { environment, config, out, err, ...(input && { input }) };
  try {
    await createProgram(terminal).parseAsync([...argv]);
  } catch (error) {
    if (error instanceof CommanderError)
      process.exitCode = error.exitCode === 0 ? exitCodes.done.code : exitCodes.misused.code;
    else {
      err.write(`ids: ${errorText(error)}\n`);
      process.exitCode = (error instanceof WrongCommandLine ? exitCodes.misused : exitCodes.failed).code;
    }
  }
}

/** Creates all commands with their options. The documentation's table is generated from them. */
export function createProgram(terminal: Terminal): Command {
  const { out, err } = terminal;
  const ids = new Command("ids")
    .description("Intelligence Data Service")
    .version(versionText(), "-V, --version", "print the version of the program and of Node.js")
    .helpOption("-h, --help", "print help")
    .helpCommand(false)
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void out.write(text),
      writeErr: (text) => void err.write(text),
      getOutHelpWidth: () => helpWidth(out),
      getErrHelpWidth: () => helpWidth(err),
    });
  ids.addHelpText(
    "after",
    `
IDS_URL names the running service, and IDS_API_KEY opens it. Every variable:
docs/settings.md; the commands and their exit codes: docs/commands.md.`,
  );
  addServingCommands(ids.commandsGroup("Serving:"), terminal);
  addDataCommands(ids.commandsGroup("Data:"), terminal);
  addServiceCommands(ids.commandsGroup("Running service:"), terminal);
  addOperatingCommands(ids.commandsGroup("Operating:"), terminal);
  ids
    .command("help [command...]")
    .description("print the help of a command")
    .action((names: string[]) => showHelp(ids, names));
  return ids;
}

/** Prints the help of a command. For an unknown name, the error suggests the closest known one. */
async function showHelp(ids: Command, names: readonly string[]): Promise<void> {
  let shown = ids;
  for (const name of names) {
    if (shown.commands.length === 0) break;
    const next = shown.commands.find((command) => command.name() === name);
    if (!next) await shown.parseAsync([name], { from: "user" });
    else shown = next;
  }
  shown.help();
}

const defaultWidth = 80;

function helpWidth({ isTTY, columns }: Terminal["out"]): number {
  return (isTTY && columns) || defaultWidth;
}

function versionText(): string {
  return `ids ${programVersion()} (Node.js ${process.versions.node})`;
}
