import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { countryOf } from "../reference/countries/countries.ts";
import { chokepointById, chokepoints } from "../reference/trade/chokepoints.ts";

interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** Text of the prompt, with names of operations, and `{name}` for each argument. */
  readonly text: string;
}

interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** Value if the user gives no argument. */
  readonly otherwise?: string;
  /** Converts an argument to the value that operations accept; undefined if it is invalid. */
  readonly read: (value: string) => string | undefined;
  readonly rule: string;
}

/** Maximum length of an argument. Arguments are codes or names. */
const maxArgument = 200;

const honesty =
  "State the date of each figure and whether it is sample data. If a source is unavailable or a value is missing, say so: it is not zero.";

const countryCode = {
  description: "ISO 3166-1 alpha-2 code, such as DE.",
  read: (value: string) => countryOf(value)?.alpha2,
  rule: "a country: ISO 3166-1 alpha-2, alpha-3 or numeric code, or English short name",
};
const country = (otherwise: string): PromptArgument => ({
  ...countryCode,
  name: "country",
  required: false,
  otherwise,
});
const chokepoint: PromptArgument = {
  name: "chokepoint",
  description: "Id of a chokepoint, such as suez.",
  required: true,
  read: (value) => chokepointById(value.toLowerCase())?.id,
  rule: `one of ${chokepoints.map(({ id }) => id).join(", ")}`,
};

export const prompts: readonly Prompt[] = [
  {
    name: "country-briefing",
    title: "Country briefing",
    description: "Current situation of a country: risk, conflict, outages, resilience and trade routes.",
    arguments: [{ ...countryCode, name: "iso2", required: true }],
    text: `Write a briefing on {iso2} of at most one page. Read get_risk_scores, list_conflict_events and list_internet_outages for it, get_resilience_score and get_country_chokepoint_index if the key allows it, and get_country_macro. Start with recent changes. ${honesty}`,
  },
  {
    name: "energy-shock-watch",
    title: "Energy shock watch",
    description: "Gas storage, shipping stress and government measures.",
    arguments: [country("all countries")],
    text: `Assess how exposed {country} is to an energy shock now. Read get_eu_gas_storage, get_shipping_stress, get_economic_stress and get_energy_crisis_policies. Compare the gas storage level with the season, name the strained routes and list the measures in force. ${honesty}`,
  },
  {
    name: "market-open-prep",
    title: "Market open briefing",
    description: "Quotes, stress and news tone on one page.",
    arguments: [],
    text: `Prepare a one-page briefing for the market open. Read get_market_data, get_economic_stress, get_shipping_stress and the tone of each topic from get_news_topic_timeline. State what moved most and what might explain it, and mark speculation as such. ${honesty}`,
  },
  {
    name: "conflict-pulse",
    title: "Conflict pulse",
    description: "Armed conflict in the last 30 days.",
    arguments: [country("the world")],
    text: `Summarize armed conflict in {country} over the last 30 days. Read list_conflict_events, in shorter time ranges if the result is shortened, and get_risk_scores. Report counts and deaths by place and type, and compare them with the risk score. ${honesty}`,
  },
  {
    name: "route-risk-check",
    title: "Route risk check",
    description: "Dependence on a chokepoint and the cost of its closure.",
    arguments: [chokepoint],
    text: `Assess the risk of shipping through {chokepoint}. Read get_chokepoint_dependencies, get_multi_sector_cost_shock for the most exposed countries, get_shipping_stress and list_scenario_templates. Name the bypasses and their additional days. ${honesty}`,
  },
  {
    name: "freshness-audit",
    title: "Freshness audit",
    description: "Age of the data and unavailable sources.",
    arguments: [],
    text: `Read the resource ids://seed-meta/freshness, list_datasets and list_sources. List the datasets that are stale, failing or never loaded, the affected tools, and the missing settings. ${honesty}`,
  },
];

export function promptList() {
  return prompts.map(({ text: _, arguments: given, ...prompt }) => ({
    ...prompt,
    arguments: given.map(({ name, description, required }) => ({ name, description, required })),
  }));
}

/** Returns the text of a prompt. `callOf` describes a call by a listed tool, because models can call no others. */
export function getPrompt(
  name: string,
  given: Readonly<Record<string, string>> = {},
  callOf: (operation: string) => string,
) {
  const prompt = prompts.find((each) => each.name === name);
  if (!prompt) throw invalid(`Unknown prompt ${quoted(name)}. prompts/list returns all prompts`);
  const unknown = Object.keys(given).find((argument) => !prompt.arguments.some((each) => each.name === argument));
  if (unknown !== undefined) throw invalid(`Unknown argument ${quoted(unknown)} of prompt ${prompt.name}`);
  const text = prompt.arguments.reduce(
    (so, argument) => {
      const value = argumentOf(argument, given);
      return so.replaceAll(`{${argument.name}}`, () => value);
    },
    prompt.text.replace(/\b(?:get|list)_\w+/g, callOf),
  );
  return {
    description: prompt.description,
    messages: [{ role: "user" as const, content: { type: "text" as const, text } }],
  };
}

function argumentOf(
  { name, required, otherwise = "", read, rule }: PromptArgument,
  given: Readonly<Record<string, string>>,
): string {
  const value = (given[name] ?? "").trim();
  if (value === "" && required) throw invalid(`Argument ${name} is required`);
  if (value.length > maxArgument) throw invalid(`Argument ${name} must be at most ${maxArgument} characters`);
  if (value === "") return otherwise;
  const known = read(value);
  if (known === undefined) throw invalid(`Argument ${name} must be ${rule}`);
  return known;
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, {
    reason: "invalid-params",
    nextStep: "Correct the arguments.",
  });
}

function quoted(name: string): string {
  return JSON.stringify(name.slice(0, maxArgument));
}
