import { createContextKey } from "@connectrpc/connect";
import type { Exchange } from "../exchange.ts";

/** The request of a call. */
export const exchangeKey = createContextKey<Exchange | undefined>(undefined, { description: "exchange" });
