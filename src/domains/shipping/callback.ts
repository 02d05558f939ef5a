import { mayBeCalled } from "../../egress/public-address.ts";
import { addressesOf, type Resolve } from "../../egress/resolver.ts";
import { targetOf } from "../../egress/target.ts";
import { InvalidRequest } from "../../errors.ts";

export interface CallbackRules {
  /** This machine may be called, over http too. */
  readonly allowLoopback: boolean;
}

const resolveWithinMs = 3_000;

/** Refuses a URL that does not lead to a public address; it is judged again at every delivery. Throws `InvalidRequest`. */
export async function checkCallback(url: string, resolve: Resolve, { allowLoopback }: CallbackRules): Promise<void> {
  const target = targetOf(url, allowLoopback);
  if ("refused" in target) throw refused(target.refused);
  const addresses = await addressesOf(target.host, resolve, resolveWithinMs).catch(() => []);
  if (addresses.length === 0) throw refused("value must hold a name that resolves");
  // Says no more than that: what a name resolves to here is nobody's business.
  if (!addresses.every(({ address }) => mayBeCalled(address, allowLoopback)))
    throw refused("value must lead to a public address");
}

function refused(description: string): InvalidRequest {
  return new InvalidRequest([{ field: "callbackUrl", description }]);
}
