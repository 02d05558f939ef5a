import { createContextKey } from "@connectrpc/connect";
import type { Exchange } from "../exchange.ts";

export const exchangeKey = createContextKey<Exchange | undefined>(undefined, { description: "exchange" });
