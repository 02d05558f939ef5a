/** The exit codes of `ids`. The table in the documentation is generated from them. */
export const exitCodes = {
  done: {
    code: 0,
    commands: "all",
    meaning: "Done. If a reader such as `head` closes its end early, only a backup fails.",
  },
  failed: { code: 1, commands: "all", meaning: "Failed. The error stream says why, and what to change." },
  unready: {
    code: 1,
    commands: "`doctor --check`",
    meaning: "`ids serve` would not start, or a dataset has no data to serve.",
  },
  unrefreshed: {
    code: 1,
    commands: "`ingest`, `sources check`",
    meaning:
      "A dataset got no new data, a response was not as expected, or a named source is not configured. The others were refreshed or checked.",
  },
  late: {
    code: 1,
    commands: "`serve`, `work`",
    meaning: "A part failed permanently, or the shutdown took longer than 10 s.",
  },
  misused: {
    code: 2,
    commands: "all",
    meaning: "Unknown command, option, dataset or source, or a missing or wrong argument. Nothing was run.",
  },
  interrupted: { code: 130, commands: "`serve`, `work`", meaning: "Ended by a second signal, SIGINT (Ctrl-C)." },
  terminated: { code: 143, commands: "`serve`, `work`", meaning: "Ended by a second signal, SIGTERM." },
} as const;
