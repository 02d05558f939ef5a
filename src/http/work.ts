import type { Principal } from "../access/api-key.ts";
import type { Operation } from "../contract/catalog.ts";
import { networkOf } from "../interceptors/network.ts";
import type { Exchange } from "./exchange.ts";
import type { Work } from "./waiting-line.ts";

/** For whom a request is worked on: its account, whatever the address; without a key, its address. */
export function workOf(exchange: Exchange, { name }: Operation, principal: Principal | undefined): Work {
  return {
    operation: name,
    // No account's id begins with a space.
    caller: principal?.account ?? ` ${networkOf(exchange.address())}`,
    keyed: principal !== undefined,
    connection: exchange,
  };
}
