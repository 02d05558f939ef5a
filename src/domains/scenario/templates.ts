import { hsChapters } from "../../reference/trade/hs-chapters.ts";

export interface Template {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly type: "conflict" | "weather" | "sanctions" | "tariff_shock";
  /** The IDs of the chokepoints that the scenario closes. Empty for a tariff. */
  readonly affectedChokepointIds: readonly string[];
  readonly disruptionPct: number;
  readonly durationDays: number;
  /** The chapters of the Harmonized System that the scenario affects. Empty for all watched chapters. */
  readonly affectedHs2: readonly string[];
  readonly costShockMultiplier: number;
}

export const templates: readonly Template[] = [
  {
    id: "taiwan-strait-full-closure",
    name: "Taiwan Strait Full Closure",
    description: "The Taiwan Strait is shut to machinery, electronics and vehicles for a month.",
    type: "conflict",
    affectedChokepointIds: ["taiwan_strait"],
    disruptionPct: 100,
    durationDays: 30,
    affectedHs2: ["84", "85", "87"],
    costShockMultiplier: 1.45,
  },
  {
    id: "suez-bab-simultaneous",
    name: "Suez + Bab el-Mandeb Simultaneous Disruption",
    description: "The Suez Canal and Bab el-Mandeb lose four fifths of their traffic at the same time, for two months.",
    type: "conflict",
    affectedChokepointIds: ["suez", "bab_el_mandeb"],
    disruptionPct: 80,
    durationDays: 60,
    affectedHs2: [],
    costShockMultiplier: 1.35,
  },
  {
    id: "panama-drought-50pct",
    name: "Panama Canal Drought — 50% Capacity",
    description: "Low water halves the traffic of the Panama Canal for three months.",
    type: "weather",
    affectedChokepointIds: ["panama"],
    disruptionPct: 50,
    durationDays: 90,
    affectedHs2: [],
    costShockMultiplier: 1.22,
  },
  {
    id: "hormuz-tanker-blockade",
    name: "Hormuz Strait Tanker Blockade",
    description: "No tanker passes the Strait of Hormuz for two weeks, which affects energy and chemicals.",
    type: "conflict",
    affectedChokepointIds: ["hormuz_strait"],
    disruptionPct: 100,
    durationDays: 14,
    affectedHs2: ["27", "29"],
    costShockMultiplier: 2.1,
  },
  {
    id: "russia-baltic-grain-suspension",
    name: "Russia Baltic Grain Export Suspension",
    description: "No grain or oilseeds leave by the Bosporus and the Dover Strait for half a year.",
    type: "sanctions",
    affectedChokepointIds: ["bosphorus", "dover_strait"],
    disruptionPct: 100,
    durationDays: 180,
    affectedHs2: ["10", "12"],
    costShockMultiplier: 1.55,
  },
  {
    id: "us-tariff-escalation-electronics",
    name: "US Tariff Escalation — Electronics",
    description: "Tariffs on electronics rise for a year; nothing is blocked.",
    type: "tariff_shock",
    affectedChokepointIds: [],
    disruptionPct: 0,
    durationDays: 365,
    affectedHs2: ["85"],
    costShockMultiplier: 1.5,
  },
];

export function templateById(id: string): Template | undefined {
  return templates.find((template) => template.id === id);
}

/** Returns whether the scenario is a tariff, which has no chokepoints because it affects goods on every route. */
export function isTariff({ affectedChokepointIds }: Template): boolean {
  return affectedChokepointIds.length === 0;
}

export function chaptersOf({ affectedHs2 }: Template): readonly string[] {
  return affectedHs2.length > 0 ? affectedHs2 : [...hsChapters.keys()];
}
