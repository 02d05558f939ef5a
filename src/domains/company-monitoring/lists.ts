import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import type { Kysely } from "kysely";
import type { CompanyMonitoringService } from "../../../gen/es/ids/company_monitoring/v1/company_monitoring_pb.ts";
import { accountOf } from "../../access/caller.ts";
import type { Cursors } from "../../access/cursor.ts";
import type { StoreTables } from "../../store/tables.ts";
import { type Filter, filterHash } from "./filter.ts";
import { companyMessage, impactMessage } from "./messages.ts";
import type { RevisionRows } from "./monitoring-table.ts";
import { type Page, readChanges, readSnapshot } from "./page.ts";
import { cursorMark, readCursor, refusePurged, type Surface, type View, writeCursor } from "./snapshot-cursor.ts";

export interface ListParts {
  readonly database: Kysely<StoreTables>;
  readonly cursors: (purpose: string, mark: string) => Cursors;
  /** Live mode shows nothing invented. */
  readonly data: "live" | "sample";
  readonly clock: () => Date;
}

type Lists = "listMonitoredCompanies" | "listCompanyEventImpacts" | "listCompanyEventChanges";

const defaultPage = 25;

/** The lists of an account, each page cut from the generation that its cursor names. */
export function monitoringLists(parts: ListParts): Pick<ServiceImpl<typeof CompanyMonitoringService>, Lists> {
  const { database, data, clock } = parts;
  const shownOf = (filter: Filter): Filter => (data === "live" ? { ...filter, origin: ["live"] } : filter);
  const cursors = parts.cursors("company monitoring", cursorMark);

  const readList = async <T extends keyof RevisionRows>(
    table: T,
    surface: Surface,
    filter: Filter,
    request: { readonly cursor: string; readonly pageSize: number },
    context: HandlerContext,
  ) => {
    const now = clock();
    const view = readCursor(cursors, surface, request.cursor, now);
    const page = await readSnapshot(database, table, {
      account: surface.account,
      filter: shownOf(filter),
      size: request.pageSize || defaultPage,
      generation: view?.generation,
      after: view?.position,
    });
    if (!page.isWhole) refusePurged();
    markSamples(page.rows, context);
    const asOf = view?.asOf ?? now.toISOString();
    const shown = { generation: page.generation, asOf, watermark: page.generation };
    return { page, shown, now, nextCursor: nextOf(surface, shown, page, now) };
  };
  const nextOf = (surface: Surface, view: View, { next }: Pick<Page<keyof RevisionRows>, "next">, now: Date) =>
    next ? writeCursor(cursors, surface, { ...view, position: next }, now) : "";
  /** From where changes are told once this view was read to its end. */
  const pollCursorOf = (surface: Surface, { generation, asOf }: View, now: Date) =>
    writeCursor(cursors, changesOf(surface), { generation, asOf, watermark: generation }, now);

  return {
    async listMonitoredCompanies({ state, country, pageSize, cursor }, context) {
      const filter = { state, domicile: country === "" ? [] : [country] };
      const surface = surfaceOf("ListMonitoredCompanies", context, filter);
      const { page, shown, nextCursor } = await readList(
        "monitored_company",
        surface,
        filter,
        { cursor, pageSize },
        context,
      );
      return { companies: page.rows.map(companyMessage), nextCursor, snapshot: snapshotMessage(shown, "") };
    },
    async listCompanyEventImpacts({ pageSize, cursor, ...request }, context) {
      const filter = impactFilter(request);
      const surface = surfaceOf("ListCompanyEventImpacts", context, filter);
      const { page, shown, now, nextCursor } = await readList(
        "company_impact",
        surface,
        filter,
        { cursor, pageSize },
        context,
      );
      const pollCursor = pollCursorOf(surface, shown, now);
      return { impacts: page.rows.map(impactMessage), nextCursor, snapshot: snapshotMessage(shown, pollCursor) };
    },
    async listCompanyEventChanges({ pageSize, cursor, ...request }, context) {
      const filter = impactFilter(request);
      const surface = changesOf(surfaceOf("ListCompanyEventChanges", context, filter));
      const now = clock();
      const view = readCursor(cursors, surface, cursor, now);
      // The contract demands a cursor.
      const since = view?.watermark ?? 0;
      // Without a position it is a poll cursor: its own generation is the one before the changes.
      const page = await readChanges(database, {
        account: surface.account,
        filter: shownOf(filter),
        since,
        size: pageSize || defaultPage,
        generation: view?.position && view.generation,
        after: view?.position,
      });
      const asOf = view?.position ? view.asOf : now.toISOString();
      const shown = { generation: page.generation, asOf, watermark: since };
      if (!page.isWhole) return { pollState: "SNAPSHOT_REQUIRED", snapshot: snapshotMessage(shown, "") };
      markSamples(page.rows, context);
      return {
        impacts: page.rows.map(impactMessage),
        nextCursor: nextOf(surface, shown, page, now),
        pollState: "CURRENT",
        snapshot: snapshotMessage(shown, pollCursorOf(surface, shown, now)),
      };
    },
  };
}

function markSamples(rows: readonly { readonly origin: string }[], { responseHeader }: HandlerContext): void {
  if (rows.some(({ origin }) => origin === "sample")) responseHeader.set("X-Data-Origin", "sample");
}

/** Throws `NotAuthenticated`: the gate lets nobody in without a key, only a handler called past it has none. */
function surfaceOf(name: Surface["name"], context: HandlerContext, filter: Filter): Surface {
  return { name, mode: "snapshot", account: accountOf(context), filterHash: filterHash(filter) };
}

function changesOf(surface: Surface): Surface {
  return { ...surface, name: "ListCompanyEventChanges", mode: "poll" };
}

function impactFilter(request: { companyId: string[]; direction: number[]; lifecycle: number[] }): Filter {
  return { company_id: request.companyId, direction: request.direction, lifecycle: request.lifecycle };
}

function snapshotMessage({ generation, asOf }: View, pollCursor: string) {
  return { snapshotAsOf: asOf, snapshotGeneration: BigInt(generation), pollCursor };
}
