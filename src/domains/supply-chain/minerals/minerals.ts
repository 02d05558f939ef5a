import { commodities } from "../../../reference/trade/commodities.ts";

export const stages = ["mine", "refinery"] as const;
export type Stage = (typeof stages)[number];

export const minerals = commodities.filter(({ mineral }) => mineral);
