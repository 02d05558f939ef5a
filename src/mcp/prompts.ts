import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";

/** A task that a person may start from a menu. */
interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** Operations it names are those it needs; `{name}` stands for an argument. */
  readonly text: string;
}

interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** Taken where it is not given. */
  readonly otherwise?: string;
}

/** Protects an agent's memory: an argument is a code or a name. */
const longestArgument = 200;

const honesty =
  "Say for each figure of when it is and whether it is sample data. Where a source is unavailable or a member is missing say so: it is not zero.";

const country = (otherwise: string): PromptArgument => ({
  ...{ name: "country", description: "ISO 3166-1 alpha-2 code, such as DE.", required: false, otherwise },
});

export const prompts: readonly Prompt[] = [
  {
    name: "country-briefing",
    title: "Country briefing",
    description: "What is going on in a country: risk, conflict, outages, resilience, trade routes.",
    arguments: [{ name: "iso2", description: "ISO 3166-1 alpha-2 code, such as DE.", required: true }],
    text: `Write a briefing on {iso2} of at most one page. Read get_risk_scores, list_conflict_events and list_internet_outages for it, get_resilience_score and get_country_chokepoint_index where the key allows, and get_country_macro. Begin with what changed lately. ${honesty}`,
  },
  {
    name: "energy-shock-watch",
    title: "Energy shock watch",
    description: "Gas storage, stress in shipping and the measures governments have taken.",
    arguments: [country("all countries")],
    text: `Judge how exposed {country} is to an energy shock now. Read get_eu_gas_storage, get_shipping_stress, get_economic_stress and get_energy_crisis_policies. Compare the fill with the season, name the strained routes, list the measures in force. ${honesty}`,
  },
  {
    name: "market-open-prep",
    title: "Before the market opens",
    description: "Quotes, stress and news tone in one page.",
    arguments: [],
    text: `Prepare one page to read before the market opens. Read get_market_data, get_economic_stress, get_shipping_stress and the tone of the topics of get_news_topic_timeline. Say what moved most and what might explain it, and mark what is only a guess. ${honesty}`,
  },
  {
    name: "conflict-pulse",
    title: "Conflict pulse",
    description: "Armed conflict of the last 30 days.",
    arguments: [country("the world")],
    text: `Summarise armed conflict in {country} over the last 30 days. Read list_conflict_events, page by page where there are more, and get_risk_scores. Tell counts and deaths by place and kind, and how they compare with the risk score. ${honesty}`,
  },
  {
    name: "route-risk-check",
    title: "Route risk check",
    description: "What depends on a chokepoint, and what its closure would cost.",
    arguments: [{ name: "chokepoint", description: "Id of a chokepoint, such as suez.", required: true }],
    text: `Assess the risk of shipping through {chokepoint}. Read get_chokepoint_dependencies, get_multi_sector_cost_shock for the countries most exposed, get_shipping_stress and list_scenario_templates. Name bypasses with what they cost in days. ${honesty}`,
  },
  {
    name: "freshness-audit",
    title: "Freshness audit",
    description: "How old the data is and which sources are out.",
    arguments: [],
    text: `Read the resource ids://seed-meta/freshness and GET /api/health. List the datasets that are stale, failing or never loaded, what that means for the tools that use them, and which settings are missing. ${honesty}`,
  },
];

export function promptList() {
  return prompts.map(({ text: _, arguments: given, ...prompt }) => ({
    ...prompt,
    arguments: given.map(({ otherwise: __, ...argument }) => argument),
  }));
}

/** The prompt with its arguments put in. Throws an error of invalid parameters. */
export function getPrompt(name: string, given: Readonly<Record<string, string>> = {}) {
  const prompt = prompts.find((each) => each.name === name);
  if (!prompt) throw invalid(`No prompt ${quoted(name)}: prompts/list names all`);
  const unknown = Object.keys(given).find((argument) => !prompt.arguments.some((each) => each.name === argument));
  if (unknown !== undefined) throw invalid(`${prompt.name} has no argument ${quoted(unknown)}`);
  const text = prompt.arguments.reduce((so, argument) => {
    const value = argumentOf(argument, given);
    return so.replaceAll(`{${argument.name}}`, () => value);
  }, prompt.text);
  return {
    description: prompt.description,
    messages: [{ role: "user" as const, content: { type: "text" as const, text } }],
  };
}

function argumentOf(
  { name, required, otherwise = "" }: PromptArgument,
  given: Readonly<Record<string, string>>,
): string {
  const value = (given[name] ?? "").trim();
  if (value === "" && required) throw invalid(`The argument ${name} is required`);
  if (value.length > longestArgument) throw invalid(`The argument ${name} has more than ${longestArgument} characters`);
  return value === "" ? otherwise : value;
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, {
    reason: "invalid-params",
    nextStep: "Correct the arguments.",
  });
}

function quoted(name: string): string {
  return JSON.stringify(name.slice(0, longestArgument));
}
