const plain = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });
const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const even1 = new Intl.NumberFormat("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const even2 = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const small = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** A number with as many digits as say something. */
export function numberText(value: number): string {
  if (value !== 0 && Math.abs(value) < 0.1) return small.format(value);
  return Math.abs(value) >= 10_000 ? whole.format(value) : plain.format(value);
}

/** Numbers that stand below one another, with as many decimals each; where two would make a zero of one, each has its own. */
export function evenly(values: readonly number[]): (value: number) => string {
  const decimals = values.map((value) => numberText(value).split(".")[1]?.length ?? 0);
  const most = decimals.reduce((one, other) => Math.max(one, other), 0);
  const isSmall = (value: number) => value !== 0 && Math.abs(value) < 0.01;
  const isOfSmall = most > 2 && (values.some(isSmall) || values.every((value) => Math.abs(value) < 1));
  if (most === 0 || isOfSmall) return numberText;
  return (most === 1 ? even1 : even2).format;
}

/** `1 row`, `12,300 rows`, `2 entries`. */
export function amountText(count: number, one: string, more = `${one}s`): string {
  return `${numberText(count)} ${count === 1 ? one : more}`;
}

/** `28.5B`, for axes and headlines. */
export function compactText(value: number): string {
  return Math.abs(value) >= 10_000 ? compact.format(value) : numberText(value);
}

/** A number with its unit: `12.5 %`, `$28.5B`. */
export function quantityText(value: number, unit: string, scale = 1): string {
  const text = compactText(value * scale);
  if (unit === "USD") return text.startsWith("-") ? `-$${text.slice(1)}` : `$${text}`;
  if (unit === "%") return `${text}%`;
  return unit === "" ? text : `${text} ${unitText(unit)}`;
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

/** A UCUM or currency code as people write it. */
function unitText(unit: string): string {
  return unitNames[unit] ?? unit.replace(/^\{(.*)\}$/, "$1");
}

/** The unit above a column: `million USD`. */
export function columnUnit(unit: string, scale: number): string {
  const factor = { 1: "", 1000: "thousand", 1000000: "million", 1000000000: "billion" }[scale];
  return [factor ?? `× ${scale}`, unitText(unit)].filter((part) => part !== "").join(" ");
}

/** A label without the unit that stands beside it. */
export function bareLabel(label: string): string {
  return label.replace(/ (?:%|USD|millions|seconds)$/, "");
}

/** Names whose words say too little or another thing than what they hold, by the last part of the identifier. */
const ownNames: Readonly<Record<string, string>> = {
  combined_score: "Risk",
  dynamic_score: "Change in 24 hours",
  geo_convergence: "Conflict",
  cii_contribution: "Unrest",
  news_activity: "Information",
  military_activity: "Security",
  yoy_export_change: "Exports, change on the year before",
  yoy_import_change: "Imports, change on the year before",
  current_account_pct: "Current account, share of GDP %",
  real_gdp_lcu_b: "Real GDP, billions in local currency",
  market_cap_musd: "Market cap, million USD",
  ne_lat: "Northern edge",
  ne_lon: "Eastern edge",
  sw_lat: "Southern edge",
  sw_lon: "Western edge",
  p05: "5th percentile",
  p95: "95th percentile",
};

/** Words that are written in their own way. */
const ownWords: Readonly<Record<string, string>> = {
  ...{ ids: "IDs", urls: "URLs", pct: "%", gov: "government", chg: "change", lat: "latitude", lon: "longitude" },
  ...{ lng: "longitude", eop: "at the end of the period", twh: "TWh", airforce: "air force" },
};
const abbreviations =
  /^(?:id|url|api|gdp|cpi|ppp|usd|hs2|hs4|iso2|icao24|cii|tiv|eu|us|ip|un|sec|cik|lei|ipo|eps|fx|hhi|bps|lcu)$/;

/** `occurredAt` as `Occurred at`, `location.latitude` as `Latitude`, `sec-tickers` as `SEC tickers`. */
export function labelOf(name: string): string {
  const words = (name.split(".").at(-1) ?? name)
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, "_")
    .replaceAll("-", "_")
    .toLowerCase();
  const own = ownNames[words];
  if (own !== undefined) return own;
  const [first = "", ...rest] = words.split("_");
  if (rest.length > 0 && first === "min") return `${labelOf(rest.join("_"))}, at least`;
  if (rest.length > 0 && first === "max") return `${labelOf(rest.join("_"))}, at most`;
  if (rest.length > 0 && first === "has") return `${labelOf(rest.join("_"))} is known`;
  const text = [first, ...rest].map(wordText).join(" ").replace(/ ms$/, "");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function wordText(word: string): string {
  if (abbreviations.test(word)) return word.toUpperCase();
  // `change30d`, `shock90`
  const [, stem = "", count = "", days = ""] = /^([a-z]{4,})(\d+)(d?)$/.exec(word) ?? [];
  if (count.length > 1 || days !== "") return `${stem} ${count}${days === "" ? "" : count === "1" ? " day" : " days"}`;
  return ownWords[word] ?? word;
}

/** A value that a list offers: a source by its name in the catalog, a place with capitals, any other as a label. */
export function valueText(field: string, value: string): string {
  if (/^sources?$/.test(field)) return value;
  return value.includes(" ") ? value.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()) : labelOf(value);
}
