import { commodities } from "../../../reference/trade/commodities.ts";

/** A stage of the way from the ground to the metal. */
export const stages = ["mine", "refinery"] as const;
export type Stage = (typeof stages)[number];

/** The commodities whose producers are known, in the order of every answer. */
export const minerals = commodities.filter(({ mineral }) => mineral);
