/** What the exit codes of `ids` mean; the documentation's table is written from it. */
export const exitCodes = {
  done: {
    code: 0,
    commands: "all",
    meaning: "Done. A reader that closes its end early, as in `ids doctor | head -1`, is no failure.",
  },
  failed: {
    code: 1,
    commands: "all",
    meaning: "Failed. The last line of the error stream says why, and what to change.",
  },
  misused: {
    code: 2,
    commands: "all",
    meaning: "Unknown command or option, or a missing or wrong argument. Nothing was run.",
  },
  late: { code: 1, commands: "`serve`, `work`", meaning: "A part failed for good, or a stop took longer than 10 s." },
  interrupted: { code: 130, commands: "`serve`, `work`", meaning: "Cut by a second signal, SIGINT (Ctrl-C)." },
  terminated: { code: 143, commands: "`serve`, `work`", meaning: "Cut by a second signal, SIGTERM." },
} as const;
