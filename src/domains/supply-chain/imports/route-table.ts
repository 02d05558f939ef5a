import { z } from "zod";
import type { Source } from "../../../ingest/source.ts";
import { countryRoutes } from "../../../reference/trade/country-routes.ts";
import type { Row } from "./comtrade.ts";

/** Our own table of routes. As a source that always answers, it lets each run compute the exposures from today's table. */
export const routeTable: Source<Row> = {
  name: "route-table",
  licence: { kind: "open", terms: "Part of this project" },
  own: true,
  variables: [],
  rows: { atLeast: 197, mayBeEmpty: false },
  fetch: async () => [...countryRoutes],
  parse: (answer) => ({
    rows: z
      .array(z.tuple([z.string(), z.array(z.string())]))
      .parse(answer)
      .map(([iso2, routeIds]) => ({ iso2, told: { case: "routes" as const, value: { routeIds } } })),
    rejected: [],
  }),
};
