import type { Operation } from "../../contract/catalog.ts";
import type { Exchange } from "../../http/exchange.ts";
import type { RequestQueue } from "../../http/load/request-queue.ts";
import type { Withheld } from "../../http/rest/formats/withheld-rows.ts";
import type { Route } from "../../http/router.ts";
import { documentRoute } from "../../http/routes/document-route.ts";
import { lakeDatabase } from "./lake-database.ts";
import { lakeScript, scriptHead } from "./lake-script.ts";
import { type LakeView, lakeViews } from "./lake-views.ts";

export interface LakeParts {
  readonly operations: readonly Operation[];
  readonly withheld: (operation: Operation) => Withheld;
  readonly queue: RequestQueue;
  /** Counts each request in the limits of the client's address. */
  readonly meter: (exchange: Exchange) => unknown;
}

/** Serves views over all current files, as a script and as a database file of DuckDB. */
export function lakeRoutes({ operations, withheld, queue, meter }: LakeParts): (readonly [string, Route])[] {
  let known: readonly LakeView[] | undefined;
  // The views are derived from the contract at the first request, because its descriptions must be loaded for that.
  const views = () => (known ??= lakeViews(operations, withheld));
  const script = {
    ...{ name: "lake.sql", type: "application/sql; charset=utf-8", namesOrigin: true },
    make: (origin: string) => scriptHead(origin) + lakeScript(views(), origin),
  };
  const database = {
    ...{ name: "lake.duckdb", type: "application/vnd.duckdb", namesOrigin: true },
    // The creation of the file takes a third of a second, so it goes through the queue for pages.
    make: async (origin: string, exchange: Exchange) =>
      queue.createPage(exchange, () => lakeDatabase(lakeScript(views(), origin))),
  };
  return [
    ["/lake.sql", documentRoute(script, meter)],
    ["/lake.duckdb", documentRoute(database, meter)],
  ];
}
