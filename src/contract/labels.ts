import type { DescField } from "@bufbuild/protobuf";

/** Returns an enum value as words: `OUTAGE_SEVERITY_TOTAL` becomes `Total`. Any other text is not changed. */
export function enumText(field: DescField | undefined, text: string): string {
  const known = field?.enum?.values.find(({ name }) => name === text);
  return known ? labelOf(known.localName) : text;
}

/** Returns a label without its unit, which is shown next to it. */
export function bareLabel(label: string, ...units: readonly string[]): string {
  const words = units.flatMap((unit) => (unit === "" ? [] : unit.replaceAll(/[^\w% ]/g, "\\$&")));
  const atEnd = new RegExp(`,? (?:${["%", "USD", "millions", "seconds", ...words].join("|")})$`, "i");
  const bare = label.replace(atEnd, "");
  // Removes a unit inside a label such as `Premium USD per oz`, but not after a number, as in `Cost of 30 days`.
  return words.length === 0 ? bare : bare.replace(new RegExp(`(?<!\\d) (?:${words.join("|")})(?= )`), "");
}

/** Labels for identifiers whose words would be unclear, by the last part of the identifier. */
const ownNames = textMap({
  greyed_out: "Too little data to rank",
  admin1: "Region",
  advisory_level: "Travel advice",
  advisory_provenance: "Source of the travel advice",
  ...{
    cii_scores: "Risk scores",
    gas_country_fill: "Gas storage by country",
    gas_fill: "Gas storage",
    hysteresis: "Margin to fire again",
  },
  bypass_id: "Bypass",
  floor: "Minimum score",
  combined_score: "Risk",
  dynamic_score: "Change in 24 hours",
  geo_convergence: "Conflict",
  cii_contribution: "Unrest",
  news_activity: "Information",
  military_activity: "Security",
  yoy_export_change: "Exports, change on the year before",
  yoy_import_change: "Imports, change on the year before",
  last_observed_at_ms: "Last read",
  current_account_pct: "Current account, share of GDP %",
  real_gdp_lcu_b: "Real GDP, billions in local currency",
  market_cap_musd: "Market cap, million USD",
  ne_lat: "Northern edge",
  ne_lon: "Eastern edge",
  sw_lat: "Southern edge",
  sw_lon: "Western edge",
  within_km: "Within (km)",
  iso2: "Country",
  value_then: "Before",
  value_now: "Now",
  country_code: "Country",
  commodity_id: "Commodity",
  hs2_label: "Sector",
  import_value_annual: "Annual imports",
  total_added_cost: "Added cost",
  total_cost_shock: "Added cost",
  total_cost_shock_per_day: "Added cost per day",
  war_risk_premium_bps: "War risk premium",
  p05: "5th percentile",
  p95: "95th percentile",
});

const ownWords = textMap({
  ...{ ids: "IDs", urls: "URLs", pct: "%", gov: "government", chg: "change", lat: "latitude", lon: "longitude" },
  ...{ lng: "longitude", eop: "at the end of the period", twh: "TWh", airforce: "air force" },
});
const abbreviations =
  /^(?:id|url|uk|uae|nato|api|gdp|cpi|ppp|usd|hs2|hs4|iso2|icao24|cii|tiv|eu|us|ip|un|sec|cik|lei|ipo|eps|fx|hhi|bps|lcu|btc|sumed)$/;

/** Returns `Occurred at` for `occurredAt`, `Latitude` for `location.latitude`, and `SEC tickers` for `sec-tickers`. */
export function labelOf(name: string): string {
  const words = (name.split(".").at(-1) ?? name)
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, "_")
    .replaceAll("-", "_")
    .toLowerCase();
  const own = ownNames.get(words);
  if (own !== undefined) return own;
  const [first = "", ...rest] = words.split(/[_ ]/);
  if (rest.length > 0 && first === "min") return `${labelOf(rest.join("_"))}, at least`;
  if (rest.length > 0 && first === "max") return `${labelOf(rest.join("_"))}, at most`;
  if (rest.length > 0 && first === "has") return `${labelOf(rest.join("_"))} is known`;
  const text = [first, ...rest].map(wordText).join(" ").replace(/ ms$/, "");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns a label in the form that it has within a sentence. */
export function lowerLabelOf(name: string): string {
  return lowerFirst(labelOf(name));
}

/** Changes the first letter of a text to lower case. Abbreviations such as `GDP` do not change. */
export function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

/** Returns a map instead of the object, because every object already has members such as `constructor`. */
function textMap(texts: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(texts));
}

function wordText(word: string): string {
  if (abbreviations.test(word)) return word.toUpperCase();
  // Matches words that end in a number, such as `change30d` and `shock90`, to separate the number.
  const [, stem = "", count = "", days = ""] = /^([a-z]{4,})(\d+)(d?)$/.exec(word) ?? [];
  if (count.length > 1 || days !== "") return `${stem} ${count}${days === "" ? "" : count === "1" ? " day" : " days"}`;
  return ownWords.get(word) ?? word;
}

/** The contract calls sources of travel advice `live` and `fallback`, which looks like the origin of the data. */
const advisorySources = new Map([
  ["live", "State Department"],
  ["fallback", "Fixed list"],
]);

/**
 * Returns the label of an item in a list. Sources and codes do not change, places get capitals, and any other item
 * becomes a label.
 */
export function valueText(field: string, value: string): string {
  const own = field === "advisory_provenance" && advisorySources.get(value);
  if (own) return own;
  if (field === "direction" && value === "above") return "At or above";
  if (field === "direction" && value === "below") return "At or below";
  if (field === "unit") return value === "1" ? "ratio" : unitText(value);
  if (/^sources?$/.test(field) || /^[A-Z\d]+$/.test(value)) return value;
  return value.includes(" ") ? value.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()) : labelOf(value);
}

const unitNames: Readonly<Record<string, string>> = {
  "TW.h": "TWh",
  "MW.h": "MWh",
  "GW.h": "GWh",
  deg: "°",
  a: "years",
  d: "days",
  h: "hours",
  min: "minutes",
};

/** Formats a UCUM or currency code: `%{GDP}` becomes `% of GDP`. */
export function unitText(unit: string): string {
  const own = unit.replace(/^\{(.*)\}$/, "$1");
  return unitNames[unit] ?? own.replace(/\{(.*)\}$/, " of $1");
}

/** Returns the unit above a column, such as `million USD`. */
export function columnUnit(unit: string, scale: number): string {
  const factor = { 1: "", 1000: "thousand", 1000000: "million", 1000000000: "billion" }[scale];
  return [factor ?? `× ${scale}`, unitText(unit)].filter((part) => part !== "").join(" ");
}
