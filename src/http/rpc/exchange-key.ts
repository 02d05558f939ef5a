import { createContextKey } from "@connectrpc/connect";
import type { Exchange } from "../exchange.ts";

/** The request that a call came in. */
export const exchangeKey = createContextKey<Exchange | undefined>(undefined, { description: "exchange" });
