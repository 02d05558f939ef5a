import { ProtocolError, ProtocolErrorCode, UriTemplate } from "@modelcontextprotocol/server";
import { InvalidRequest, NotFound } from "../errors.ts";
import type { HealthReport } from "../ingest/health.ts";
import type { ToolArguments } from "./tool-arguments.ts";

export const freshness = {
  uri: "ids://seed-meta/freshness",
  name: "freshness",
  title: "Data freshness",
  description: "Time of the last read of the least recently read dataset, and whether any dataset is stale.",
  mimeType: "application/json",
} as const;

export const allowance = {
  uri: "ids://account/mcp-allowance",
  name: "mcp-allowance",
  title: "Account allowance",
  description: "Used and remaining calls of the market-data tool for the key's account today.",
  mimeType: "application/json",
  operation: "get_limits",
} as const;

type Reported = Readonly<Record<string, unknown>>;

const isFilled = (list: unknown) => Array.isArray(list) && list.length > 0;

/** Templates of resource URIs. Reading counts as a call. `isThere` returns whether the response has the object. */
const templates = [
  {
    uriTemplate: "ids://countries/{iso2}/risk",
    name: "country-risk",
    title: "Country risk score",
    description: "Score, components and 24-hour change of a country, by its lowercase alpha-2 code.",
    operation: "get_risk_scores",
    parameter: "region",
    isThere: ({ ciiScores, degraded }: Reported) => degraded === true || isFilled(ciiScores),
  },
  {
    uriTemplate: "ids://chokepoints/{slug}/dependencies",
    name: "chokepoint-dependencies",
    title: "Chokepoint dependencies",
    description: "Countries and commodities that depend on a chokepoint, by its id, such as suez.",
    operation: "get_chokepoint_dependencies",
    parameter: "chokepoint_id",
    isThere: ({ chokepoint, available }: Reported) => available === false || chokepoint !== "",
  },
  {
    uriTemplate: "ids://markets/{symbol}/quote",
    name: "market-quote",
    title: "Market quote",
    description: "Stored quote of a symbol.",
    operation: "get_market_data",
    parameter: "symbols",
    isThere: ({ data, unavailable }: Reported) => unavailable === true || isFilled(Object(data).quotes),
  },
] as const;

export function templateList() {
  return templates.map(({ operation: _, parameter: __, isThere: ___, ...reported }) => ({
    ...reported,
    mimeType: "application/json",
  }));
}

export interface ResourceRead {
  readonly tool: string;
  readonly parameters: ToolArguments;
  readonly isThere: (response: Reported) => boolean;
}

/** Returns the operation and parameters of a resource URI; undefined if the URI matches no template. */
export function operationOf(uri: string): ResourceRead | undefined {
  for (const { pattern, operation, parameter, isThere } of patterns) {
    const [value] = Object.values(pattern.match(uri) ?? {});
    if (typeof value === "string" && value !== "")
      return { tool: operation, parameters: { [parameter]: value }, isThere };
  }
  return undefined;
}

const patterns = templates.map((each) => ({ ...each, pattern: new UriTemplate(each.uriTemplate) }));

export function unknownResource(uri: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, "Resource not found", {
    uri: uri.slice(0, 200),
    reason: "unknown-resource",
    nextStep: "Call resources/list or resources/templates/list for the available resources.",
  });
}

/** Returns an error about the URI if a parameter from the URI is invalid. Returns other errors unchanged. */
export function resourceError(error: unknown, uri: string): unknown {
  if (error instanceof NotFound) return unknownResource(uri);
  if (!(error instanceof InvalidRequest)) return error;
  const reported = error.violations.map(({ description }) => description).join("; ");
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Invalid resource URI: ${reported}`, {
    uri: uri.slice(0, 200),
    reason: "invalid-params",
    nextStep: "Correct the URI. resources/templates/list returns its template.",
  });
}

/** Returns the time of the oldest data, and `stale: true` if any dataset is unhealthy or was never loaded. */
export function freshnessOf({ datasets, status }: HealthReport): { cached_at: string | null; stale: boolean } {
  const known = datasets.flatMap(({ readAt }) => readAt ?? []).sort();
  return { cached_at: known.length < datasets.length ? null : (known[0] ?? null), stale: status !== "ok" };
}
