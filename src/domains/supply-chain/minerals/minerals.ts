import { commodities } from "../../../reference/trade/commodities.ts";

/** A stage of production, from ore to metal. */
export const stages = ["mine", "refinery"] as const;
export type Stage = (typeof stages)[number];

/** The commodities with known producers, in response order. */
export const minerals = commodities.filter(({ mineral }) => mineral);
