import { percentText, rounded } from "../../../reference/rounding.ts";
import { riskCountries } from "./risk-countries.ts";
import {
  type Measured,
  monthDays,
  olderFactor,
  type RiskInputName,
  recentDays,
  riskInputList,
  riskInputs,
} from "./risk-inputs.ts";
import {
  additions,
  baselineWeight,
  components,
  eventWeight,
  floors,
  methodologyVersion,
  type Term,
  worldScale,
  worldWeights,
} from "./risk-method.ts";
import { componentOf } from "./risk-response.ts";

export function riskMethodology() {
  return {
    id: "risk",
    title: "Risk score",
    version: methodologyVersion,
    explainedBy: "GetRiskScoreExplanation",
    lead: leadOf(),
    example: exampleOf(),
    tables: [parts(), terms(), floorTable(), inputTable()],
  };
}

function leadOf(): readonly string[] {
  const max = additions.reduce((total, { cap }) => total + cap, 0);
  const without = components.filter(({ terms: own }) => own.every(hasNoSource)).map(({ name }) => name);
  return [
    `How unstable a country is, from 0 (stable) to 100, for ${riskCountries.length} countries. All others have no score, which is not a zero.`,
    `A baseline, a constant of each country, counts ${percentText(baselineWeight)}. Recent events count ${percentText(eventWeight)}: ${listText(components.map(({ name, weight }) => `${name} (${percentText(weight)} of it)`))}, each from 0 to 100. Then points are added for ${listText(additions.map(({ name }) => name))}, ${max} at most. The score is never below its floor, nor above 100.`,
    "Events count more in countries with few reports: they are multiplied by a constant of the country, `m` in the formulas. An unknown value counts as 0, and the response says so.",
    ...(without.length > 0 ? [`No source is built in for ${listText(without)}: no score includes it.`] : []),
    `The risk of the world is the mean of the ${worldWeights.length} highest scores by the weights ${worldWeights.join(", ")}, times ${worldScale.factor}, plus ${worldScale.base}.`,
  ];
}

/** Returns the steps of the computation for an invented country, as an example that uses the real weights. */
function exampleOf(): readonly string[] {
  const [baseline, scores, added] = [40, [20, 60], 12];
  const [first, second] = components.map(({ name, weight }, place) => ({ name, weight, score: scores[place] ?? 0 }));
  if (!first || !second) return [];
  const event = rounded(first.weight * first.score + second.weight * second.score, 2);
  const blended = rounded(baselineWeight * baseline + eventWeight * event + added, 2);
  return [
    `An invented country has a baseline of ${baseline}, ${first.name} of ${first.score}, ${second.name} of ${second.score}, and ${added} added points.`,
    `Events: ${first.weight} × ${first.score} + ${second.weight} × ${second.score} = ${event}.`,
    `Score: ${baselineWeight} × ${baseline} + ${eventWeight} × ${event} + ${added} = ${blended}, rounded ${rounded(blended)}.`,
    "If a floor is higher, such as that of a travel advisory, the score is the floor.",
  ];
}

function parts() {
  const names = new Map<string, string>(Object.entries(componentOf).map(([field, name]) => [name, field]));
  const rows = [
    ["Baseline", percentText(baselineWeight), "a constant of the country", "`staticBaseline`"],
    ...components.map(({ name, weight, terms: own }) => [
      ...[sentence(name), percentText(weight * eventWeight), own.map((term) => term.name).join(", ")],
      `\`${names.get(name)}\``,
    ]),
    ...additions.map(({ name, cap, inputs }) => [
      ...[sentence(name), `up to ${cap} points`, inputs.map(wordsOf).join(", ") || "the part information"],
      "",
    ]),
  ];
  return { title: "Parts of the risk score", headings: ["Part", "Counts", "Inputs", "Field"], rows };
}

function terms() {
  const rowOf = (part: string, { name, formula, cap }: Term) => [part, name, `\`${formula}\``, String(cap)];
  const rows = [
    ...components.flatMap(({ name, terms: own }) => own.map((term) => rowOf(sentence(name), term))),
    ...additions.map((term) => rowOf("Added points", term)),
  ];
  return { title: "Terms of the risk score", headings: ["Part", "Term", "Points", "Maximum"], rows };
}

function floorTable() {
  const rows = floors.map(({ name, condition, score }) => [sentence(name), condition, String(score)]);
  return { title: "Floors of the risk score", headings: ["Floor", "Condition", "Minimum"], rows };
}

function inputTable() {
  const rows = riskInputList.map(({ name, measured }) => [
    ...[`\`${name}\``, sentence(wordsOf(name))],
    ...(measured ? [measured.source, spans[measured.span]] : ["none is built in", "counts as 0"]),
  ]);
  return { title: "Inputs of the risk score", headings: ["Input", "Meaning", "Source", "Counted"], rows };
}

const recently = `sum of today and the ${recentDays} days before`;

const spans: Readonly<Record<Measured["span"], string>> = {
  "weighted month": `${recently}, plus ${olderFactor} × the sum of the days ${recentDays + 1} to ${monthDays} before, in UTC days`,
  week: `${recently}, in UTC days`,
  newest: "current value",
  growth: "1 if there are more than a week ago, else 0",
};

function hasNoSource({ inputs }: Term): boolean {
  return inputs.every((name) => riskInputs[name] === undefined);
}

function wordsOf(name: RiskInputName): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function listText(items: readonly string[]): string {
  return new Intl.ListFormat("en").format(items);
}
