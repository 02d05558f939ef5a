import type { Principal } from "../../access/keys/api-key.ts";
import { networkOf } from "../../interceptors/network.ts";
import type { ReadRequest } from "../read-request.ts";
import type { Work } from "./waiting-line.ts";

/** For whom a request is worked on: its account, whatever the address; without a key, its address. */
export function workOf(requested: ReadRequest, operation: string, principal: Principal | undefined): Work {
  return {
    operation,
    // No account's id begins with a space.
    caller: principal?.account ?? ` ${networkOf(requested.address())}`,
    keyed: principal !== undefined,
    connection: requested,
  };
}
