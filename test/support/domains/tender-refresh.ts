import type { TenderNotice } from "../../../gen/es/ids/stored/v1/tender_pb.ts";
import { maskOf } from "../../../src/config/masking.ts";
import { globalTenders } from "../../../src/domains/economic/tenders/global-tenders.ts";
import { type RefreshOutcome, refresh } from "../../../src/ingest/refresh/refresh.ts";
import { createUpstreams } from "../../../src/ingest/upstreams.ts";
import type { Database } from "../../../src/store/database.ts";

/** One real, live refresh of the tenders, in which a single source reports these notices. */
export function refreshTenders(
  database: Database,
  rows: readonly TenderNotice[],
  { now, complete = false }: { readonly now: Date; readonly complete?: boolean },
): Promise<RefreshOutcome> {
  const source = {
    name: "ted",
    license: { kind: "open", publisher: "invented", terms: "" },
    variables: [],
    rows: { atLeast: 1, mayBeEmpty: false },
    covers: "all open items",
    fetch: async () => undefined,
    parse: () => ({ rows, rejected: [], complete }),
  } as const;
  const upstreams = createUpstreams(
    { data: "live", variable: () => undefined, mask: maskOf({}) },
    () => now,
    () => 0,
  );
  return refresh({ ...globalTenders, sources: [source] }, { database: database.kysely, upstreams, acceptShrunk: true });
}
