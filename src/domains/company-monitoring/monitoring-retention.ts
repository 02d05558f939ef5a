import { type RawBuilder, sql } from "kysely";
import { MonitoredCompanyState } from "../../../gen/es/ids/company_monitoring/v1/companies_pb.ts";
import { MaterialImpactLifecycle } from "../../../gen/es/ids/company_monitoring/v1/impacts_pb.ts";
import type { Retention } from "../../store/retention.ts";
import type { Store } from "../../store/tables.ts";
import { type Change, changeAccount, purge, replacedForMs } from "./generation.ts";

export const removedCompanyDays = 400;

/** Removes old companies and impacts from the next version of the lists. Their revisions are deleted later. */
export const monitoringRetention = [
  {
    table: "monitored_company",
    stored: removedCompanyDays,
    ends: "A removed company with its impacts, from its removal; a retracted impact, from the retraction. Others stay.",
    async forget(database, before, { max, now }) {
      const account = await accountOf(database, endedCompanies(before), endedImpacts(before));
      if (account === undefined) return 0;
      return changeAccount(database, { account, now }, (change) => close(change, before, max));
    },
  },
  {
    table: "company_impact",
    stored: 1,
    ends: "A revision of a company or an impact, from its replacement: as long as cursors can show it.",
    async forget(database, _, { max, now }) {
      const old = sql`from ${sql.table("monitored_company")} where closed_at < ${new Date(now.getTime() - replacedForMs)}`;
      const oldImpacts = sql`from company_impact where closed_at < ${new Date(now.getTime() - replacedForMs)}`;
      const account = await accountOf(database, old, oldImpacts);
      return account === undefined ? 0 : purge({ transaction: database, account, now }, max);
    },
  },
] as const satisfies readonly Retention[];

function endedCompanies(before: Date): RawBuilder<unknown> {
  return sql`
    from monitored_company
    where to_generation is null and state = ${sql.lit(MonitoredCompanyState.REMOVED)} and changed_at < ${before}`;
}

function endedImpacts(before: Date): RawBuilder<unknown> {
  return sql`
    from company_impact
    where to_generation is null and lifecycle = ${sql.lit(MaterialImpactLifecycle.RETRACTED)} and changed_at < ${before}`;
}

async function accountOf(database: Store, ...sources: readonly RawBuilder<unknown>[]) {
  for (const source of sources) {
    const { rows } = await sql<{ account: string }>`select account ${source} limit 1`.execute(database);
    if (rows[0]) return rows[0].account;
  }
  return undefined;
}

/** A company is deleted only after the last of its impacts, because impacts refer to it. */
async function close({ transaction, account, generation, now }: Change, before: Date, max: number): Promise<number> {
  const companies = sql`select id ${endedCompanies(before)} and account = ${account}`;
  const closed = async (table: string, ids: RawBuilder<unknown>, atMost: number) => {
    const { rows } = await sql<{ closed: number }>`
      with closed as (
        update ${sql.table(table)} set to_generation = ${generation}, closed_at = ${now}
        where account = ${account} and to_generation is null and id in (${ids} limit ${atMost}) returning 1
      )
      select count(*)::int4 as closed from closed`.execute(transaction);
    return rows[0]?.closed ?? 0;
  };
  const impacts = await closed(
    "company_impact",
    sql`
      select id from (
        select id ${endedImpacts(before)} and account = ${account}
        union
        select id from company_impact where account = ${account} and to_generation is null and company_id in (${companies})
      ) as ended`,
    max,
  );
  return impacts < max ? impacts + (await closed("monitored_company", companies, max - impacts)) : impacts;
}
