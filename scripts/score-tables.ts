import { bandOf, stressSeries } from "../src/domains/economic/us-series/stress-index.ts";
import { riskMethodology } from "../src/domains/intelligence/risk/risk-methodology.ts";
import { bands, grading } from "../src/domains/market/divergence/divergence-method.ts";
import { domains, pillars } from "../src/domains/resilience/method/structure.ts";
import { warRisks } from "../src/reference/trade/war-risk.ts";
import { markdownTable } from "./markdown-table.ts";

/** Returns the tables of docs/scores.md, whose weights and limits come from the methods themselves. */
export function scoreTables(): Readonly<Record<string, readonly string[]>> {
  const [riskParts] = riskMethodology().tables;
  return {
    "parts of risk": markdownTable(riskParts?.headings ?? [], riskParts?.rows ?? []),
    "domains of resilience": markdownTable(
      ["Domain", "Weight", "Pillar", "Weight of the pillar"],
      Object.entries(domains).map(([name, { weight, pillar }]) => [
        ...[`\`${name}\``, String(weight)],
        ...[`\`${pillar}\``, String(pillars[pillar])],
      ]),
    ),
    "series of stress": markdownTable(
      ["Series", "Meaning", "Weight", "Value with score 0", "Value with score 100"],
      stressSeries.map(({ id, label, weight, calm, extreme }) => [
        ...[`\`${id}\``, label],
        ...[weight, calm, extreme].map(String),
      ]),
    ),
    "labels of stress": markdownTable(
      ["Score", "Label"],
      [0, 20, 40, 60, 80].map((from) => [`from ${from}`, `\`${bandOf(from)}\``]),
    ),
    "threat levels": markdownTable(
      ["Threat level", "Points"],
      Object.entries(warRisks).map(([level, { weight }]) => [`\`${level}\``, String(weight)]),
    ),
    "bands of premiums": markdownTable(
      ["Metal", "Weight", "Elevated from", "Stressed from", "Extreme from"],
      Object.entries(grading).map(([metal, { weight, bands: from }]) => [
        ...[metal, String(weight)],
        ...from.map((percent) => `${percent} %`),
      ]),
    ),
    "ranks of premiums": markdownTable(
      ["Percentile of the premium", "Index, at least"],
      bands.map(({ percentile, floor }) => [`from ${percentile}`, String(floor)]),
    ),
  };
}
