import { mayBeCalled } from "../egress/public-address.ts";
import { addressesOf, type Resolve } from "../egress/resolver.ts";
import { targetOf } from "../egress/target.ts";
import { Congested, invalidField } from "../errors.ts";

export interface TargetRules {
  /** If true, loopback addresses are allowed, even over http. */
  readonly allowLoopback: boolean;
}

interface GivenUrl {
  readonly field: string;
  readonly url: string;
}

const resolveWithinMs = 3_000;

/** Maximum number of concurrent name lookups per account, because name servers may not respond. */
const maxLookups = 2;

export function targetChecker(resolve: Resolve, rules: TargetRules) {
  const underWay = new Map<string, number>();
  /** Checks the URL of a new endpoint. Throws `InvalidRequest` or `Congested`. */
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

/** Checks a URL when it is registered. Every delivery checks it again. Throws `InvalidRequest`. */
async function checkTarget({ field, url }: GivenUrl, resolve: Resolve, { allowLoopback }: TargetRules): Promise<void> {
  const target = targetOf(url, allowLoopback);
  if ("rejected" in target) throw invalidField(field, target.rejected);
  const addresses = await addressesOf(target.host, resolve, resolveWithinMs).catch(() => []);
  // The error is the same if the name does not exist and if it is internal, so that users cannot find out internal
  // names.
  if (addresses.length === 0 || !addresses.every(({ address }) => mayBeCalled(address, allowLoopback)))
    throw invalidField(field, "value must contain a host name that resolves only to public addresses");
}
