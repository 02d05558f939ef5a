import type { Command } from "commander";
import { exitCodes } from "../src/cli/failures.ts";
import { createProgram } from "../src/cli/program.ts";
import { readConfig } from "../src/config/config.ts";
import { markdownTable } from "./markdown-table.ts";

/** Returns every command of the program with its options, grouped by purpose as in the help. */
export function commandTables(): readonly string[] {
  const { stdout: out, stderr: err } = process;
  const ids = createProgram({ environment: {}, config: () => readConfig({}), out, err });
  const groups = Map.groupBy(ids.commands, (command) => command.helpGroup().replace(/:$/, ""));
  return [...groups].flatMap(([group, commands]) => [
    ...markdownTable([group, "Description"], commands.flatMap(leaves).flatMap(commandRows)),
    "",
  ]);
}

export function exitCodesTable(): readonly string[] {
  const rows = Object.values(exitCodes).map(({ code, commands, meaning }) => [String(code), commands, meaning]);
  return markdownTable(["Exit code", "Commands", "Meaning"], rows);
}

function leaves(command: Command): readonly Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}

/** Returns a row for the command, and one for each of its options below. */
function commandRows(command: Command): string[][] {
  const args = command.registeredArguments.map((each) => {
    const name = each.variadic ? `${each.name()}...` : each.name();
    return each.required ? `<${name}>` : `[${name}]`;
  });
  const options = command.options.map(({ flags, description, mandatory }) => {
    return [`— \`${flags}\``, mandatory ? `${description} (required)` : description];
  });
  return [[`\`${[pathOf(command), ...args].join(" ")}\``, command.description()], ...options];
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : `npx ${command.name()}`;
}
