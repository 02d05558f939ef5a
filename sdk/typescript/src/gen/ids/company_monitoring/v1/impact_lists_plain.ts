// Written by `make generate`.
import type { CompanyEventImpact, MaterialImpactDirection, MaterialImpactLifecycle } from "../../../ids/company_monitoring/v1/impacts_plain.ts";
import type { MonitoringSnapshot } from "../../../ids/company_monitoring/v1/snapshot_plain.ts";
/** A page of impacts. */
export interface ListCompanyEventImpactsResponse {
  /** Latest change first, then by id, highest first. */
  impacts: CompanyEventImpact[];
  /** Cursor of the next page. Empty on the last page. */
  nextCursor: string;
  /** The generation from which this page was read. */
  snapshot: MonitoringSnapshot;
}

/** A page of changed impacts. */
export interface ListCompanyEventChangesResponse {
  /** Oldest change first. */
  impacts: CompanyEventImpact[];
  /** Cursor of the next page. Empty on the last page. */
  nextCursor: string;
  /** `CURRENT`: all pages together are the changes up to `snapshot`. `SNAPSHOT_REQUIRED`: the cursor's generation is no longer kept; read ListCompanyEventImpacts from the start. */
  pollState: "CURRENT" | "SNAPSHOT_REQUIRED";
  /** The generation from which this page was read. After the last page, continue polling with its `pollCursor`, which is empty if `pollState` is `SNAPSHOT_REQUIRED`. */
  snapshot: MonitoringSnapshot;
}

export interface GetPaths {
  /** Lists material impacts on the account's companies, latest change first.
   *
   * Returns one row per impact, as of the snapshot. Retracted impacts stay on the list. Send the same filters with every cursor. After the last page, continue with ListCompanyEventChanges from `snapshot.pollCursor`. */
  "/api/company-monitoring/v1/list-company-event-impacts": {
    query: {
      /** Company ids, repeated or comma-separated. At most 100. Default: all companies. */
      company_id?: readonly string[] | undefined;
      /** Directions, such as `negative` or `MATERIAL_IMPACT_DIRECTION_NEGATIVE`, repeated or comma-separated. At most 3. Default: all directions. */
      direction?: readonly Exclude<MaterialImpactDirection, "MATERIAL_IMPACT_DIRECTION_UNSPECIFIED">[] | undefined;
      /** Lifecycle stages, such as `corrected` or `MATERIAL_IMPACT_LIFECYCLE_CORRECTED`, repeated or comma-separated. At most 3. Default: all stages. */
      lifecycle?: readonly Exclude<MaterialImpactLifecycle, "MATERIAL_IMPACT_LIFECYCLE_UNSPECIFIED">[] | undefined;
      /** Impacts per page, 1 to 100. Default 25, also for 0. */
      page_size?: number | undefined;
      /** `nextCursor` of the previous page, with the same filters. Default: the first page of the newest generation. Expires after 24 hours. */
      cursor?: string | undefined;
    };
    answer: ListCompanyEventImpactsResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; all?: boolean | undefined; raw?: boolean | undefined };
  };
  /** Lists impacts changed after a snapshot, oldest change first.
   *
   * Returns one row per impact in its current state, even if it changed several times. An impact that matched the filters in the snapshot is also returned after it stops matching them. If the snapshot is no longer kept, `pollState` is `SNAPSHOT_REQUIRED`. */
  "/api/company-monitoring/v1/list-company-event-changes": {
    query: {
      /** As in ListCompanyEventImpacts. */
      company_id?: readonly string[] | undefined;
      /** As in ListCompanyEventImpacts. */
      direction?: readonly Exclude<MaterialImpactDirection, "MATERIAL_IMPACT_DIRECTION_UNSPECIFIED">[] | undefined;
      /** As in ListCompanyEventImpacts. */
      lifecycle?: readonly Exclude<MaterialImpactLifecycle, "MATERIAL_IMPACT_LIFECYCLE_UNSPECIFIED">[] | undefined;
      /** Impacts per page, 1 to 100. Default 25, also for 0. */
      page_size?: number | undefined;
      /** `snapshot.pollCursor` of an earlier response, or `nextCursor` of the previous page. Expires after 24 hours. */
      cursor: string;
    };
    answer: ListCompanyEventChangesResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; all?: boolean | undefined; raw?: boolean | undefined };
  };
}

