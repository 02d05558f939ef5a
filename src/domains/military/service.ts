import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import type { Kysely } from "kysely";
import { type ListMilitaryBasesRequest, MilitaryService } from "../../../gen/es/ids/military/v1/military_pb.ts";
import { InvalidRequest, Unavailable } from "../../errors.ts";
import { scheduled } from "../../ingest/schedule/scheduled.ts";
import type { LiveSource } from "../../ingest/source.ts";
import type { Upstreams } from "../../ingest/upstreams.ts";
import type { Served } from "../../store/served/served.ts";
import type { StoreTables } from "../../store/tables.ts";
import { type BaseIndex, buildBaseIndex } from "./bases/base-index.ts";
import { readBases } from "./bases/base-table.ts";
import { viewBases } from "./bases/base-view.ts";
import { militaryBases } from "./bases/military-bases.ts";
import { armsSuppliers } from "./defense/arms-suppliers.ts";
import { defenseBaseAt, defenseIndustrialBase, isPartial } from "./defense/defense-industrial-base.ts";
import { adsbLol } from "./flights/adsb.ts";
import type { FlightTracker } from "./flights/flight-tracker.ts";
import { openSkyNetwork } from "./flights/opensky.ts";

/** The datasets behind these operations. */
export const militaryDatasets = [scheduled(militaryBases), scheduled(defenseIndustrialBase)];

/** Who is asked for live flights. */
export const militaryLookups: readonly LiveSource[] = [adsbLol, openSkyNetwork].map((source) => ({
  ...source,
  serves: [MilitaryService.method.getProviderLiveFlight],
}));

/** Military operations: bases from an index of the visible generation, defence from memory, flights from their provider. */
export function military(parts: {
  readonly database: Kysely<StoreTables>;
  readonly served: Served;
  readonly flights: FlightTracker;
  readonly upstreams: Pick<Upstreams, "missingOf">;
  readonly clock: () => Date;
}): ServiceImpl<typeof MilitaryService> {
  const { database, served, flights, upstreams, clock } = parts;
  const wantsSuppliers = upstreams.missingOf(armsSuppliers).length === 0;
  let index: BaseIndex | undefined;
  served.follow(militaryBases, async ({ generation, rows }) => {
    const loaded = await buildBaseIndex(readBases(database, generation));
    if (loaded.size !== rows)
      throw new Unavailable(`military bases: ${loaded.size} of ${rows} rows of generation ${generation} were found`);
    index = loaded;
  });
  return {
    listMilitaryBases(request, context) {
      const { neLat, neLon, swLat, swLon, zoom = 3, type, kind, country } = request;
      if (neLat === undefined || neLon === undefined || swLat === undefined || swLon === undefined)
        return withoutBox(request, context);
      served.dataset(militaryBases, context);
      if (index === undefined) throw new Unavailable("military bases are being loaded");
      return viewBases(index, { neLat, neLon, swLat, swLon, zoom: Math.floor(zoom), type, kind, country });
    },
    async getProviderLiveFlight({ icao24 }, { responseHeader }) {
      const { flight, unavailable } = await flights.find(icao24);
      if (unavailable) responseHeader.set("X-Flight-Upstream", "unavailable");
      return flight ? { flight } : {};
    },
    getDefenseIndustrialBase({ countryCode }, context) {
      const answer = defenseBaseAt(
        served.messageIfAny(defenseIndustrialBase, context, { flagged: "incomplete" }),
        countryCode,
        clock(),
      );
      if (isPartial(answer, wantsSuppliers)) context.responseHeader.set("Cache-Control", "no-store");
      return answer;
    },
  };
}

/** No corner at all asks for nothing; some but not all are a mistake. */
function withoutBox({ swLat, swLon, neLat, neLon }: ListMilitaryBasesRequest, { responseHeader }: HandlerContext) {
  const corners = { sw_lat: swLat, sw_lon: swLon, ne_lat: neLat, ne_lon: neLon };
  const missing = Object.entries(corners).flatMap(([name, value]) => (value === undefined ? [name] : []));
  if (missing.length < Object.keys(corners).length) {
    const description = "value is required together with the other corners";
    throw new InvalidRequest(missing.map((field) => ({ field, description })));
  }
  // What is there of the data is not looked at: nobody may keep this as an answer.
  responseHeader.set("Cache-Control", "no-store");
  responseHeader.set("X-Bbox", "missing");
  responseHeader.set("X-Bbox-Missing", missing.join());
  return {};
}
