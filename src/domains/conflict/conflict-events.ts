import { ConflictEventSchema, ConflictService } from "../../../gen/es/ids/conflict/v1/conflict_pb.ts";
import { dataset } from "../../ingest/dataset.ts";
import type { Span } from "../../ingest/source.ts";
import { acled } from "./acled.ts";
import { markDuplicates } from "./event-duplicates.ts";
import { eventFeatures } from "./event-features.ts";
import { eventSeries } from "./event-series.ts";
import { removeWithdrawn, storeEvents } from "./event-store.ts";
import { type ConflictTables, countEventRows } from "./event-table.ts";
import { ucdp } from "./ucdp.ts";

/** Conflict events, kept as rows: history grows beyond what the sources' answers tell of. */
export const conflictEvents = dataset({
  name: "conflict-events",
  subject: "Armed-conflict and political-violence events worldwide, by day and place.",
  row: ConflictEventSchema,
  schedule: "20 */6 * * *",
  freshForMinutes: 13 * 60,
  serves: [ConflictService.method.listConflictEvents, ConflictService.method.countConflictEvents],
  sources: [acled, ucdp],
  keptTables: ["conflict_event"],
  series: eventSeries,
  countRows: countEventRows,
  features: eventFeatures,
  async write(transaction, { bySource, answers, origin, now, noteRows }) {
    const tables = transaction.withTables<ConflictTables>();
    await tables.deleteFrom("conflict_event").where("origin", "!=", origin).execute();
    const changed: Span[] = [];
    for (const [sourceKey, events] of bySource) {
      const stored = { sourceKey, origin, now, ...(noteRows && { noteRows }) };
      changed.push(...(await storeEvents(transaction, stored, events)));
      const answer = answers.get(sourceKey);
      if (answer) changed.push(...(await removeWithdrawn(transaction, stored, events, answer)));
    }
    const from = Math.min(...changed.map((span) => span.from));
    const to = Math.max(...changed.map((span) => span.to));
    if (from <= to)
      await markDuplicates(transaction, [acled.name, ucdp.name], { from, to }, { now, ...(noteRows && { noteRows }) });
    const { rows } = await tables
      .selectFrom("conflict_event")
      .select(({ fn }) => fn.countAll<string>().as("rows"))
      .where("duplicate_of", "is", null)
      .executeTakeFirstOrThrow();
    return Number(rows);
  },
});
