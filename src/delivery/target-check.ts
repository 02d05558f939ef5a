import { outside } from "../egress/outside.ts";
import { mayBeCalled } from "../egress/public-address.ts";
import { addressesOf, type Resolve } from "../egress/resolver.ts";
import { targetOf } from "../egress/target.ts";
import { Congested, InvalidRequest } from "../errors.ts";

/** Where endpoints may lead. */
export interface TargetRules {
  /** This machine may be called, over http too. */
  readonly allowLoopback: boolean;
}

/** A URL, and the member of the request that has it. */
interface GivenUrl {
  readonly field: string;
  readonly url: string;
}

const resolveWithinMs = 3_000;

/** Look-ups of one account under way: names that nobody answers for must not pile up. */
const maxLookups = 2;

/** Checks of URLs of endpoints, of which an account has few at a time. */
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

/** Refuses a URL that does not lead to a public address; it is judged again at every delivery. Throws `InvalidRequest`. */
async function checkTarget({ field, url }: GivenUrl, resolve: Resolve, { allowLoopback }: TargetRules): Promise<void> {
  const target = targetOf(url, allowLoopback);
  if ("rejected" in target) throw rejected(field, target.rejected);
  const addresses = await outside(() => addressesOf(target.host, resolve, resolveWithinMs)).catch(() => []);
  // Says no more than that: whether a name exists here, and what it leads to, is nobody's business.
  if (addresses.length === 0 || !addresses.every(({ address }) => mayBeCalled(address, allowLoopback)))
    throw rejected(field, "value must hold a name that leads to public addresses only");
}

function rejected(field: string, description: string): InvalidRequest {
  return new InvalidRequest([{ field, description }]);
}
