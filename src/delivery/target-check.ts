import { mayBeCalled } from "../egress/public-address.ts";
import { addressesOf, type Resolve } from "../egress/resolver.ts";
import { targetOf } from "../egress/target.ts";
import { Congested, InvalidRequest } from "../errors.ts";

export interface TargetRules {
  /** If true, loopback addresses are allowed, also over http. */
  readonly allowLoopback: boolean;
}

interface GivenUrl {
  readonly field: string;
  readonly url: string;
}

const resolveWithinMs = 3_000;

/** Maximum concurrent lookups per account, so that unresponsive name servers do not accumulate them. */
const maxLookups = 2;

export function targetChecker(resolve: Resolve, rules: TargetRules) {
  const underWay = new Map<string, number>();
  /** Throws `InvalidRequest`, `Congested`. */
  return async (account: string, given: GivenUrl): Promise<void> => {
    const before = underWay.get(account) ?? 0;
    if (before >= maxLookups)
      throw new Congested(`${maxLookups} callback URLs of the account are being checked already`);
    underWay.set(account, before + 1);
    try {
      await checkTarget(given, resolve, rules);
    } finally {
      const left = (underWay.get(account) ?? 1) - 1;
      if (left === 0) underWay.delete(account);
      else underWay.set(account, left);
    }
  };
}

/** Every delivery checks this again. Throws `InvalidRequest`. */
async function checkTarget({ field, url }: GivenUrl, resolve: Resolve, { allowLoopback }: TargetRules): Promise<void> {
  const target = targetOf(url, allowLoopback);
  if ("rejected" in target) throw rejected(field, target.rejected);
  const addresses = await addressesOf(target.host, resolve, resolveWithinMs).catch(() => []);
  // The error does not reveal whether a name exists in the internal network or what it resolves to.
  if (addresses.length === 0 || !addresses.every(({ address }) => mayBeCalled(address, allowLoopback)))
    throw rejected(field, "value must contain a host name that resolves only to public addresses");
}

function rejected(field: string, description: string): InvalidRequest {
  return new InvalidRequest([{ field, description }]);
}
