import { percentText } from "../../reference/rounding.ts";
import { limits, rule, weights } from "./merge.ts";

/** Precision and recall of the matching. The test test/domains/conflict/matching.test.ts fails if they change. */
export const measured = {
  sample: { of: "Invented events of the sample, 40 countries in 60 days", precision: 0.988, recall: 0.935 },
  dense: { of: "Events of UCDP in Israel and Palestine in 2002, dense", precision: 0.912, recall: 0.899 },
  unseen: { of: "Events of UCDP in Bangladesh, which no choice was made with", precision: 0.978, recall: 0.895 },
  crowded: {
    of: "Invented events of both sources in the same towns, of which 1 in 9 of UCDP is a copy",
    ...{ precision: 0.489, recall: 0.929 },
  },
};

export function matchingMethodology() {
  const { days, km, deathRatio, minScore } = limits;
  return {
    id: "matching",
    title: "Score of matching reports",
    version: rule,
    explainedBy: "ListConflictEvents",
    lead: [
      `How alike two reports of a conflict event are, from 0 to 1. If two sources have reports with a score of ${minScore} or more, the reports are of one event.`,
      `The score is 1 − ${weights.days} × days apart / ${days} − ${weights.km} × km apart / ${km} − ${weights.deaths} × |log2(deaths of one / deaths of the other)|.`,
      `It is 0 if the countries differ or are unknown, if the deaths differ by more than a factor of ${deathRatio}, or if only one report has deaths. Names of parties do not count, because sources name them differently.`,
      "Each report is in one event, and an event has at most one report of each source. The pair with the highest score comes first, then the next. The result does not depend on the order in which reports arrive.",
      "The event has the values of one report, and counts and series add only these. All reports remain in `reports` with their score.",
    ],
    tables: [accuracy(), errors()],
  };
}

function accuracy() {
  const rows = Object.values(measured).map(({ of, precision, recall }) => [
    of,
    percentText(precision),
    percentText(recall),
  ]);
  return {
    title: "Measured accuracy of matching",
    headings: ["Reports", "Matches that are right (precision)", "Pairs that are found (recall)"],
    rows,
  };
}

function errors() {
  return {
    title: "What matching gets wrong",
    headings: ["Error", "Reason"],
    rows: [
      [
        "The measured reports are synthetic",
        "They are events with changed copies. Weights were chosen on other copies. No pairs of real reports are labeled",
      ],
      [
        "Two events become one",
        "Events on the same days in the same area with similar deaths look alike, as in a siege. Deaths are then counted too low",
      ],
      [
        "One event remains two",
        `The sources differ by more than ${limits.days} days, ${limits.km} km, or a factor of ${limits.deathRatio} in deaths. Deaths are then counted twice`,
      ],
      ["One event remains two", "One source has one report of several days, and the other has one report of each day"],
      ["One event remains two", "One source reports deaths, and the other reports none"],
    ],
  };
}
