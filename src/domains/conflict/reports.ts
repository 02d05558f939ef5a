import type { MessageInitShape } from "@bufbuild/protobuf";
import { sql } from "kysely";
import type { ConflictReportSchema } from "../../../gen/es/ids/conflict/v1/conflict_pb.ts";
import { rounded } from "../../reference/rounding.ts";
import { compare, type Report, rule } from "./merge.ts";

/** A stored report of an event, with the columns of the table of events. */
export interface StoredReport {
  readonly id: string;
  readonly source_key: string;
  readonly event_type: string;
  readonly country: string;
  readonly latitude: number;
  readonly longitude: number;
  /** The time in Unix epoch milliseconds: text in a row of a query, and a number in JSON. */
  readonly occurred_at: string | number;
  readonly fatalities: number;
  readonly actors: readonly string[];
  readonly source: string;
  readonly admin1: string;
  readonly time_precision: number | null;
  readonly place_precision: number | null;
  readonly deaths_low: number | null;
  readonly deaths_best: number | null;
  readonly deaths_high: number | null;
}

/** The reports of an event from other sources, as JSON. Null if there are none. */
export const otherReports = sql<readonly StoredReport[] | null>`(
  select json_agg(report order by report.id) from conflict_event report where report.duplicate_of = conflict_event.id)`;

/** Returns all reports of an event. The report that gives the event its values comes first. */
export function reportsOf(event: StoredReport, others: readonly StoredReport[] | null) {
  return [
    reportOf(event),
    ...(others ?? []).map((other) => {
      const { daysApart, kmApart, score } = compare(comparable(event), comparable(other));
      return { ...reportOf(other), daysApart, kmApart: rounded(kmApart, 1), score: rounded(score, 3), rule };
    }),
  ];
}

function reportOf(row: StoredReport): MessageInitShape<typeof ConflictReportSchema> {
  return {
    source: row.source_key,
    id: row.id.slice(row.source_key.length + 1),
    eventType: row.event_type,
    occurredAt: BigInt(row.occurred_at),
    location: { latitude: row.latitude, longitude: row.longitude },
    actors: [...row.actors],
    reportedBy: row.source,
    admin1: row.admin1,
    ...stated("timePrecision", row.time_precision),
    ...stated("placePrecision", row.place_precision),
    ...stated("deathsLow", row.deaths_low),
    ...stated("deathsBest", row.deaths_best),
    ...stated("deathsHigh", row.deaths_high),
  };
}

function stated(name: string, value: number | null) {
  return value === null ? {} : { [name]: value };
}

function comparable({ occurred_at, ...row }: StoredReport): Report {
  return { ...row, occurredAt: Number(occurred_at) };
}
