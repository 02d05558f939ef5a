import type { Command } from "commander";
import { operationCommands } from "./client/operation-commands.ts";
import { type Terminal, WrongCommandLine } from "./terminal.ts";

/** The words that can come next, by what precedes them: a command, or a command and its subcommand. */
type Words = ReadonlyMap<string, readonly string[]>;

/** Prints the script with which a shell completes commands, operations, and options. */
export function completion(terminal: Terminal, ids: Command, shell: string): void {
  const write = new Map([
    ["bash", bash],
    ["zsh", zsh],
    ["fish", fish],
  ]).get(shell);
  if (!write) throw new WrongCommandLine(`completion knows bash, zsh, and fish, not ${shell}`);
  terminal.out.write(write(wordsOf(terminal, ids)));
}

function wordsOf(terminal: Terminal, ids: Command): Words {
  const words = new Map<string, readonly string[]>();
  const addCommand = (path: string, { commands, options }: Pick<Command, "commands" | "options">) => {
    const names = commands.map((command) => command.name());
    words.set(path, [...names, ...options.flatMap(({ long }) => long ?? []), "--help"]);
    for (const command of commands) addCommand(`${path} ${command.name()}`.trim(), command);
  };
  addCommand("", ids);
  for (const [name, commands] of Object.entries(operationCommands(terminal, ids)))
    addCommand(name, { commands, options: [] });
  return words;
}

/** Returns a script for bash. Commands have at most one subcommand, so the first two words without a dash decide. */
function bash(words: Words): string {
  const cases = [...words].map(([path, next]) => `    "${path}") echo "${next.join(" ")}" ;;`);
  return `_ids_words() {
  case "$1" in
${cases.join("\n")}
  esac
}
_ids() {
  local path="" word next
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) break ;; esac
    next="$path\${path:+ }$word"
    [ -n "$(_ids_words "$next")" ] || break
    path="$next"
  done
  COMPREPLY=($(compgen -W "$(_ids_words "$path")" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _ids ids
`;
}

function zsh(words: Words): string {
  return `autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${bash(words)}`;
}

function fish(words: Words): string {
  const cases = [...words].map(([path, next]) => `    case "${path}"\n      printf '%s\\n' ${next.join(" ")}`);
  return `function __ids_words
  switch "$argv[1]"
${cases.join("\n")}
  end
end
function __ids_complete
  set -l path ""
  for word in (commandline -opc)[2..]
    string match -q -- '-*' $word; and break
    set -l next (string trim "$path $word")
    test -n "$(__ids_words $next)"; or break
    set path $next
  end
  __ids_words $path
end
complete -c ids -f -a '(__ids_complete)'
`;
}
