// The rules of CONTRIBUTING's style section that a program can check.

/** A rule finds phrases in one sentence or paragraph; `advice` says what to write instead. */
export interface Rule {
  readonly pattern: RegExp;
  readonly advice: string;
}

const words: readonly (readonly [pattern: string, advice: string])[] = [
  ["(?:is|are|was|were) told", "is reported, returned, or notified"],
  ["tells?", "say, show, or return"],
  ["told", "reported"],
  ["anew", "again"],
  ["(?:goes|go|went) on", "continue"],
  ["where (?:none|one|it) is", "if"],
  ["to be had", "available"],
  ["is to be", "must be"],
  ["besides?", "next to, in addition to"],
  ["(?:pass|passes|passed) on", "redistribute"],
  ["passing on", "redistribution"],
  ["(?<!there )(?:is|are) no(?! longer| more)", "is not a"],
  ["in its place", "instead"],
  ["(?:by|of) (?:itself|themselves)", "automatically"],
  ["put back", "restore, roll back"],
  ["for want of", "because of missing"],
  ["comes? to stand", "crosses"],
  ["give(?:s|n)? way", "is dropped"],
  ["newcomer", "new user"],
  ["meanwhile", "in the meantime"],
  ["so many", "a number of"],
  ["held against", "compared with"],
  ["made up for", "retried"],
  ["stands in", "is in"],
  ["alone", "only"],
  ["whoever", "the client, the user"],
  ["nobody|anybody|everybody", "no client, any user"],
  ["whence|thereof|hitherto|at hand|dearer|let in", "plain words"],
  ["takes the place of", "replaces"],
];

const british = [
  ...["labour", "defence", "neighbour\\w*", "colour\\w*", "favour\\w*", "honour\\w*", "behaviour\\w*"],
  ...["cancelled", "cancelling", "catalogues?", "programmes?", "licences?", "centres?", "tonnes?"],
  "(?:summar|normal|recogn|organ|capital|author|util|priorit)is(?:e[ds]?|ing|ation)",
];

/** Words that are not used in any text of the project. */
export const privateWords: readonly Rule[] = [
  ...words.map(([pattern, advice]) => ({ pattern: wholeWords(pattern), advice })),
  { pattern: wholeWords(british.join("|")), advice: "American spelling" },
];

/** Names that others gave, in their spelling: the examples and the terms of sources quote them. */
export const officialNames = new RegExp(
  [
    ...["Open\\s+Government\\s+Licence", "United Nations .*? Programme", "Programme for", "Offshore centres"],
    ...["National Defence", "Cancelled Solicitation", "tonnes \\(metal content\\)"],
  ].join("|"),
  "g",
);

const startOfClause = "(?:^|(?<=[.:;] ))";

/** Clauses whose subject a reader has to guess. */
export const clauses: readonly Rule[] = [
  {
    pattern: new RegExp(
      `${startOfClause}What (?:is|was|are|were|has|comes|lies|stands|remains|concerns|cannot|fails|a|an|the|it|they|each)\\b`,
      "g",
    ),
    advice: "start with the thing instead of “What …”",
  },
  {
    pattern: new RegExp(
      `${startOfClause}Of (?:a|an|the|every|each|what|one|some|most|these|those|earlier|several|such)\\b`,
      "g",
    ),
    advice: "start with the subject instead of “Of …”",
  },
  {
    pattern:
      /(?:(?<=[.;:,] )|(?<=\b(?:of|to|for|and|but) ))who (?:is|has|asks|looks|takes|reads|waits|signs|comes|only|does|repeats)\b/gi,
    advice: "name the person or thing instead of “who …”",
  },
];

/** Parts of identifiers, in lower case, that the glossary names differently. */
export const privateNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    told: "reported, parsed",
    tell: "report",
    tells: "reports",
    untold: "unreported",
    anew: "again",
    whoever: "caller",
    nobody: "no client",
    beside: "next to",
    gathered: "batched",
    turnstile: "limit per tick",
    patience: "timeout",
    standing: "status, entitlements",
    neighbour: "neighbor",
    neighbours: "neighbors",
    licence: "license",
    licences: "licenses",
  }),
);

function wholeWords(pattern: string): RegExp {
  return new RegExp(`\\b(?:${pattern.replaceAll(" ", "\\s+")})\\b`, "gi");
}
