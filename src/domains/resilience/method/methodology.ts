import { namesOf } from "../../../reference/named.ts";
import { percentText, rounded } from "../../../reference/rounding.ts";
import { embargo, funds, fundYear, languages, reexportHubs } from "../countries.ts";
import { neighbors } from "../cross-domain-readings.ts";
import { resilienceInputs } from "../inputs/resilience-inputs.ts";
import { fundTable as ownTable } from "../inputs/sovereign-funds.ts";
import { inputSources, inputs } from "../inputs.ts";
import { indicators } from "./indicators.ts";
import { scaleText } from "./scale.ts";
import { dimensions, domains, imputations, methodologyVersion, pillars, rules } from "./structure.ts";

interface MethodologyTable {
  readonly title: string;
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export function resilienceMethodology() {
  return {
    id: "resilience",
    title: "Resilience score",
    version: methodologyVersion,
    explainedBy: "GetResilienceScoreExplanation",
    lead: leadOf(),
    inputs: sources().rows,
    tables: [structure(), slots(), unsourced(), sources(), standIns(), constants(), fundTable(), limits()],
  };
}

function leadOf(): readonly string[] {
  const weights = Object.entries(pillars).map(
    ([name, weight]) => `${name.replaceAll("-", " ")} (${percentText(weight)})`,
  );
  return [
    "How well a country absorbs shocks, from 0 to 100: the higher the better.",
    `It is the mean of ${weights.length} pillars by their weights: ${new Intl.ListFormat("en").format(weights)}. A pillar is made of domains, a domain of dimensions, and a dimension of indicators, each scored from 0 to 100 by the scale below. What is known better counts more: in its pillar a domain counts by weight × coverage, and so does a dimension in its domain. The rules below have the formulas, and the page of a country its numbers. The score is lowered where the weakest pillar is low.`,
  ];
}

function structure(): MethodologyTable {
  const rows = Object.entries(dimensions).map(([id, terms]) => {
    const { weight, pillar } = domains[terms.domain];
    const own = `${terms.weight}${"retired" in terms ? " (retired, not scored)" : ""}`;
    return [id, own, terms.kind, terms.domain, String(weight), pillar, String(pillars[pillar])];
  });
  const headings = [
    ...["Dimension", "Weight of the dimension", "Kind"],
    ...["Domain", "Weight of the domain", "Pillar", "Weight of the pillar"],
  ];
  return { title: "Dimensions, domains and pillars", headings, rows };
}

function slots(): MethodologyTable {
  const rows = Object.entries(indicators).flatMap(([dimension, own]) =>
    own.map(({ id, weight, inputs: names, formula, scale }) => [
      ...[dimension, id, String(rounded(weight, 4)), names.join(", ") || "none", formula, scaleText(scale)],
    ]),
  );
  return { title: "Indicators", headings: ["Dimension", "Indicator", "Weight", "Inputs", "Value", "Score"], rows };
}

function unsourced(): MethodologyTable {
  const known = builtIn();
  const rows = namesOf(indicators).flatMap((dimension) =>
    indicators[dimension].flatMap(({ id, weight, missing, inputs: names }) => {
      const missingInputs = names.filter((name) => inputs[name].reportedBy.every(([source]) => !known.has(source)));
      const reason =
        missing ?? (missingInputs.length > 0 ? `No source is built in for ${missingInputs.join(", ")}` : undefined);
      return reason === undefined ? [] : [[dimension, id, String(weight), reason]];
    }),
  );
  return { title: "Indicators without a source", headings: ["Dimension", "Indicator", "Weight", "Why"], rows };
}

function builtIn(): ReadonlySet<string> {
  const own = resilienceInputs.sources.map(({ name }) => name);
  return new Set([...own, ...neighbors, ownTable.name]);
}

function sources(): MethodologyTable {
  const known = builtIn();
  const rows = Object.entries(inputs).flatMap(([name, { what, unit, reportedBy: reported }]) =>
    reported
      .filter(([source]) => known.has(source))
      .map(([source, series]) => {
        const { cadence, limitDays } = inputSources[source];
        return [name, what, unit, source, series, cadence, String(limitDays)];
      }),
  );
  const headings = ["Input", "Meaning", "Unit", "Source", "Series", "Cadence", "Failed after days"];
  return { title: "Inputs", headings, rows };
}

function standIns(): MethodologyTable {
  const rows = Object.entries(imputations).map(([id, { score, certainty, class: kind, when }]) => [
    ...[id, when, String(score), String(certainty), kind],
  ]);
  return { title: "Substitute", headings: ["Case", "When", "Score", "Certainty", "Class"], rows };
}

function constants(): MethodologyTable {
  const groups = Object.entries(languages).map(([name, { factor, countries }]) => [
    ...[`English: ${name}`, String(factor), countries || "all others"],
  ]);
  const others = [
    ["Embargo: highest exposure", String(embargo.cap), embargo.countries],
    ["Re-export hubs", "", reexportHubs],
  ];
  return {
    title: "Constants of countries",
    headings: ["Constant", "Value", "Countries"],
    rows: [...groups, ...others],
  };
}

function fundTable(): MethodologyTable {
  const rows = funds.map(({ country, name, assets, access, liquidity, transparency }) => [
    ...[country, name, String(assets), String(access), String(liquidity), String(transparency)],
  ]);
  const headings = ["Country", "Fund", `US$ billions, about ${fundYear}`, "Access", "Liquidity", "Transparency"];
  return { title: "Sovereign wealth funds", headings, rows };
}

function limits(): MethodologyTable {
  const { eligible, lowConfidence, levels, confidence, penalty, imputedFactor, interval, trend, historyDays } = rules;
  const rows = [
    ["Dimension", "Σ(indicator × weight × factor) / Σ(weight × factor), rounded to a whole number"],
    [
      "Domain",
      `Σ(dimension × weight × coverage × f) / Σ(weight × coverage × f), rounded to two decimals; f is ${imputedFactor} for a wholly imputed dimension, otherwise 1`,
    ],
    [
      "Coverage of a domain",
      "mean of the coverage of its dimensions, without retired ones and those that are not applicable to the country",
    ],
    ["Pillar", "Σ(domain × weight × coverage) / Σ(weight × coverage), not rounded"],
    [
      "Score",
      `Σ(pillar × weight) / Σ(weight) × (1 − ${penalty} × (1 − weakest pillar / 100)), rounded to two decimals; a pillar without coverage is ignored`,
    ],
    ["Levels", `high from ${levels.high}, medium from ${levels.medium}, else low`],
    ["Coverage that counts", `fresh ${confidence.fresh}, aging ${confidence.aging}, stale ${confidence.stale}`],
    [
      "Low confidence",
      `coverage below ${lowConfidence.coverageBelow}, or imputed more than ${lowConfidence.imputationShareAbove}`,
    ],
    [
      "Ranked",
      `coverage from ${eligible.coverage} with ${eligible.population} people, or from ${eligible.coverageOfSmall}; not of low confidence`,
    ],
    [
      "Trend",
      `slope / mean of s above ${trend.slope} is rising, below −${trend.slope} falling, else stable, as it is with fewer than ${trend.minPoints} scores or a mean of 0; s are the last scores of those of the ${historyDays} days (UTC) before today that have one of this version, oldest first, and then the current score; i = 0, 1, … n − 1 counts them, so that a day without a score leaves no gap; slope = Σ((i − (n − 1) / 2) × (s − mean of s)) / Σ((i − (n − 1) / 2)²)`,
    ],
    ["Interval", `${interval.draws} draws of pillar weights × (1 ± ${interval.spread}), 5th to 95th percentile`],
  ];
  return { title: "Rules", headings: ["Rule", "Value"], rows };
}
