import { LRUCache } from "lru-cache";
import type { Principal } from "../../../access/keys/api-key.ts";
import type { QuotaRules } from "../../../access/quotas/quota-rules.ts";
import { type Quotas, rejectionOf } from "../../../access/quotas/quotas.ts";
import type { PagesTotal } from "../../../contract/paging.ts";
import { Congested } from "../../../errors.ts";
import { hourMs } from "../../../reference/duration.ts";

export interface WalkAllowance {
  /**
   * Records that an export starts, if the account has fewer running exports than its maximum. Returns a function that
   * records its end. Throws `Congested` at the maximum.
   */
  readonly begin: (principal: Principal) => () => void;
  /** Throws `QuotaExceeded` if the file has more rows than the plan allows today. Charges no quota. */
  readonly require: (principal: Principal, now: number, total: PagesTotal) => Promise<void>;
  /**
   * Charges the export as one call per 100 rows, without the first call, which was charged before. Ranges and repeated
   * requests of the same file within an hour are charged once, and a client that disconnects gets no refund. Throws
   * `QuotaExceeded`.
   */
  readonly charge: (principal: Principal, now: number, file: ChargedFile) => Promise<void>;
}

interface ChargedFile {
  readonly digest: string;
  readonly rows: number;
}

/** Maximum number of charged files that are remembered. Without an entry, a range is charged again. */
const maxCharged = 10_000;
const rowsInCall = 100;

export function createWalkAllowance(quotas: Quotas, rules: QuotaRules, clock: () => Date): WalkAllowance {
  const running = new Map<string, number>();
  const perf = { now: () => clock().getTime() };
  const charged = new LRUCache<string, Promise<void>>({ max: maxCharged, ttl: hourMs - 1, perf });
  const requireRows: WalkAllowance["require"] = async ({ account, plan, ownPlan = plan }, now, { rows, isCapped }) => {
    const counted = rules.ofWalk(ownPlan).rows;
    for (const [index, { remaining, resetAt }] of (await quotas.left(counted, account, now)).entries()) {
      const rule = counted[index];
      if (rule && remaining < rows) throw rejectionOf(rule, resetAt, { points: rows, remaining, isPart: isCapped });
    }
  };
  const chargeRows = async (principal: Principal, now: number, rows: number): Promise<void> => {
    const { account, plan, ownPlan = plan } = principal;
    await requireRows(principal, now, { rows, isCapped: false });
    const limits = rules.ofWalk(ownPlan);
    const calls = Math.ceil(rows / rowsInCall) - 1;
    const refund = rows > 0 ? await quotas.charge(limits.rows, account, now, rows) : undefined;
    try {
      if (calls > 0) await quotas.charge(limits.calls, account, now, calls);
    } catch (error) {
      await refund?.();
      throw error;
    }
  };
  return {
    begin({ account, plan, ownPlan = plan }) {
      const { walks } = ownPlan;
      const count = running.get(account) ?? 0;
      if (walks !== undefined && count >= walks)
        throw new Congested(`The plan allows ${walks} export${walks === 1 ? "" : "s"} of all pages at a time`);
      running.set(account, count + 1);
      return () => {
        const left = (running.get(account) ?? 1) - 1;
        if (left > 0) running.set(account, left);
        else running.delete(account);
      };
    },
    require: requireRows,
    async charge(principal, now, { digest, rows }) {
      const name = `${principal.account} ${digest}`;
      const known = charged.get(name);
      const charge = known ?? chargeRows(principal, now, rows);
      if (!known) charged.set(name, charge);
      try {
        await charge;
      } catch (error) {
        charged.delete(name);
        throw error;
      }
    },
  };
}
