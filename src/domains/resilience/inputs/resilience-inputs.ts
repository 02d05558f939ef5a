import { sql } from "kysely";
import { ResilienceInputSchema } from "../../../../gen/es/ids/stored/v1/resilience_pb.ts";
import { dataset, type Refresh, type RowCount } from "../../../ingest/dataset.ts";
import type { Store, Transaction } from "../../../store/tables.ts";
import { bisBanking, bisDebtService } from "./sources/bis.ts";
import { comtradePartners } from "./sources/comtrade-partners.ts";
import { eurostatEnergy, owidEnergy } from "./sources/energy.ts";
import { fatf } from "./sources/fatf.ts";
import { hdxIpc } from "./sources/hdx-ipc.ts";
import { imfDataMapper } from "./sources/imf-datamapper.ts";
import { unhcrDisplacement } from "./sources/unhcr-displacement.ts";
import { whoGho } from "./sources/who-gho.ts";
import { worldBankDevelopment } from "./sources/world-bank-development.ts";
import { wtoTariffLevels } from "./sources/wto-tariff-levels.ts";

/** The inputs from sources that only this domain reads. Scores combine them with data of other domains. */
export const resilienceInputs = dataset({
  name: "resilience-inputs",
  subject: "Indicators of countries that the resilience scores are computed from.",
  row: ResilienceInputSchema,
  schedule: "20 4 * * *",
  freshForMinutes: 3 * 24 * 60,
  // The inputs stay valid for long, because almost all are annual.
  servableForMinutes: 90 * 24 * 60,
  serves: [],
  sources: [
    imfDataMapper,
    worldBankDevelopment,
    unhcrDisplacement,
    whoGho,
    owidEnergy,
    eurostatEnergy,
    wtoTariffLevels,
    bisBanking,
    bisDebtService,
    comtradePartners,
    fatf,
    hdxIpc,
  ],
  currentTables: ["resilience_input"],
  rowsInTable: true,
  countRows: countInputRows,
  async write(transaction, refresh) {
    await sql`delete from resilience_input where origin <> ${refresh.origin}`.execute(transaction);
    for (const source of refresh.bySource.keys()) await replace(transaction, source, refresh);
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from resilience_input`.execute(
      transaction,
    );
    return rows[0]?.count ?? 0;
  },
});

/** Replaces the values of a source. If it reports no new values for an input, the old ones stay, with their age. */
async function replace(
  transaction: Transaction,
  source: string,
  { bySource, responses, origin }: Refresh<typeof ResilienceInputSchema>,
): Promise<void> {
  const reported = bySource.get(source) ?? [];
  const names = [...new Set(reported.map(({ input }) => input))];
  const fetchedAt = responses.get(source)?.fetchedAt;
  if (!fetchedAt) return;
  await sql`delete from resilience_input where source = ${source} and input = any(${names})`.execute(transaction);
  const rows = reported.map(({ country, input, value, period, series }) => ({ country, input, value, period, series }));
  await sql`
    insert into resilience_input (source, input, country, period, series, value, origin, fetched_at)
    select ${source}, input, country, period, series, value, ${origin}, ${fetchedAt}
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as reported (country text, input text, value float8, period text, series text)
    on conflict do nothing`.execute(transaction);
}

async function countInputRows(database: Store): Promise<RowCount[]> {
  const start = sql`(case when length(period) = 4 then period || '-01-01' else period end)::date`;
  const { rows } = await sql<RowCount>`
    select source, country, count(*)::int as rows,
      (extract(epoch from min(${start})) * 1000)::float8 as first,
      (extract(epoch from max(${start})) * 1000)::float8 as last
    from resilience_input group by source, country`.execute(database);
  return rows;
}
