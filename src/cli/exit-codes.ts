/** What the exit codes of `ids` mean; the documentation's table is written from it. */
export const exitCodes = {
  done: {
    code: 0,
    commands: "all",
    meaning: "Done. A reader that closes its end early, as `head` does, is no failure, but of a backup.",
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
      "A dataset got no new data, an answer was not as expected, or a source that was named could not be asked; the others were refreshed or checked.",
  },
  late: { code: 1, commands: "`serve`, `work`", meaning: "A part failed for good, or a stop took longer than 10 s." },
  misused: {
    code: 2,
    commands: "all",
    meaning: "Unknown command, option, dataset or source, or a missing or wrong argument. Nothing was run.",
  },
  interrupted: { code: 130, commands: "`serve`, `work`", meaning: "Cut by a second signal, SIGINT (Ctrl-C)." },
  terminated: { code: 143, commands: "`serve`, `work`", meaning: "Cut by a second signal, SIGTERM." },
} as const;
