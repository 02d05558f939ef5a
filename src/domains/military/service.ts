import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import type {
  DefenseIndicatorSchema,
  GetDefenseIndustrialBaseResponseSchema,
} from "../../../gen/es/ids/military/v1/defense_industrial_base_pb.ts";
import { type ListMilitaryBasesRequest, MilitaryService } from "../../../gen/es/ids/military/v1/military_pb.ts";
import {
  type DefenseFigure,
  DefenseFigureSchema,
  type DefenseIndustrialBases,
  DefenseIndustrialBasesSchema,
} from "../../../gen/es/ids/stored/v1/defense_pb.ts";
import { requestedCircle } from "../../contract/request/near-parameter.ts";
import { markSample, setNoStore } from "../../contract/request-context.ts";
import { InvalidRequest, Unavailable } from "../../errors.ts";
import type { Refresh } from "../../ingest/dataset.ts";
import { scheduled } from "../../ingest/schedule/scheduled.ts";
import { snapshot } from "../../ingest/snapshot.ts";
import type { LiveSource } from "../../ingest/source.ts";
import type { Upstreams } from "../../ingest/upstreams.ts";
import { dayMs } from "../../reference/duration.ts";
import { namesOf } from "../../reference/named.ts";
import type { ServedParts } from "../../store/served/served.ts";
import { type BaseIndex, buildBaseIndex } from "./bases/base-index.ts";
import { readBases } from "./bases/base-table.ts";
import { viewBases } from "./bases/base-view.ts";
import { militaryBases } from "./bases/military-bases.ts";
import { armsSuppliers, supplierConcentration } from "./defense/arms-suppliers.ts";
import { defenseIndicators, indicatorIds } from "./defense/defense-indicators.ts";
import { adsbLol } from "./flights/adsb.ts";
import type { FlightTracker } from "./flights/flight-tracker.ts";
import { openSkyNetwork } from "./flights/opensky.ts";

const staleAfterDays = 28;

type Response = MessageInitShape<typeof GetDefenseIndustrialBaseResponseSchema>;
type Indicator = MessageInitShape<typeof DefenseIndicatorSchema>;

const defenseIndustrialBase = snapshot({
  name: "defense-industrial-base",
  subject: "Military spending, personnel, arms trade and arms suppliers of countries.",
  notIncluded: [
    "numbers of tanks, numbers of fighter jets, nuclear warheads, military spending of earlier years: spending of the last two years, personnel, and arms trade",
  ],
  row: DefenseFigureSchema,
  message: DefenseIndustrialBasesSchema,
  schedule: "20 4 * * 1",
  freshForMinutes: staleAfterDays * 24 * 60,
  serves: [MilitaryService.method.getDefenseIndustrialBase],
  main: [defenseIndicators],
  sources: [defenseIndicators, armsSuppliers],
  combine: basesOf,
  count: ({ bases }) => bases.length,
});

function basesOf({
  bySource,
  responses,
}: Refresh<typeof DefenseFigureSchema>): MessageInitShape<typeof DefenseIndustrialBasesSchema> {
  const figures = byCountry(bySource.get(defenseIndicators.name) ?? []);
  const deliveries = bySource.get(armsSuppliers.name) ?? [];
  const lastYear = Math.max(...deliveries.map(({ year }) => year));
  const received = byCountry(deliveries);
  const codes = [...new Set([...figures.keys(), ...received.keys()])].sort((a, b) => (a < b ? -1 : 1));
  const suppliersRead = responses.get(armsSuppliers.name);
  return {
    bases: codes.map((countryCode) => ({
      countryCode,
      ...indicatorsOf(figures.get(countryCode) ?? []),
      ...supplierConcentration(received.get(countryCode) ?? [], lastYear),
    })),
    industrialFetchedAt: responses.get(defenseIndicators.name)?.fetchedAt.toISOString() ?? "",
    supplierFetchedAt: suppliersRead?.fetchedAt.toISOString() ?? "",
    supplierRetained: suppliersRead !== undefined && !suppliersRead.fresh,
  };
}

function byCountry(figures: readonly DefenseFigure[]): ReadonlyMap<string, readonly DefenseFigure[]> {
  return Map.groupBy(figures, ({ countryCode }) => countryCode);
}

type Member = keyof typeof indicatorIds;
const members = namesOf(indicatorIds);

function indicatorsOf(figures: readonly DefenseFigure[]): Record<Member, Indicator> {
  const of = (id: string) =>
    latest(
      id,
      figures.filter(({ indicator }) => indicator === id),
    );
  return Object.fromEntries(members.map((member) => [member, of(indicatorIds[member])])) as Record<Member, Indicator>;
}

function latest(id: string, figures: readonly DefenseFigure[]): Indicator {
  const [last, previous] = figures.toSorted((a, b) => b.year - a.year);
  if (!last) return {};
  return {
    available: true,
    value: last.value,
    year: last.year,
    previousValue: previous?.value ?? 0,
    previousYear: previous?.year ?? 0,
    source: `World Bank ${id}`,
  };
}

function defenseBaseAt(stored: DefenseIndustrialBases | undefined, countryCode: string, now: Date): Response {
  const base = stored?.bases.find((known) => known.countryCode === countryCode);
  const industrialFetchedAt = stored?.industrialFetchedAt ?? "";
  const supplierFetchedAt = stored?.supplierFetchedAt ?? "";
  const hasIndicators = members.some((member) => base?.[member]?.available);
  const hasSuppliers = base !== undefined && base.supplierSource !== "";
  const times = [industrialFetchedAt, supplierFetchedAt].filter(Boolean).map((time) => Date.parse(time));
  return {
    ...(base ?? indicatorsOf([])),
    countryCode,
    available: hasIndicators || hasSuppliers,
    fetchedAt: times.length === 0 ? "" : new Date(Math.min(...times)).toISOString(),
    industrialFetchedAt,
    supplierFetchedAt,
    supplierRetained: hasSuppliers && stored?.supplierRetained === true,
    industrialState: stateOf(industrialFetchedAt, hasIndicators, now),
    supplierState: stateOf(supplierFetchedAt, hasSuppliers, now),
  };
}

function stateOf(fetchedAt: string, hasData: boolean, now: Date): string {
  if (fetchedAt === "") return "not_loaded";
  if (!hasData) return "no_data";
  return now.getTime() - Date.parse(fetchedAt) > staleAfterDays * dayMs ? "stale" : "ok";
}

/** Returns whether a part is missing or stale. A source of suppliers that is not enabled may be missing. */
function isPartial({ industrialState = "", supplierState = "" }: Response, wantsSuppliers: boolean): boolean {
  const incompleteStates = ["not_loaded", "stale"];
  return (
    incompleteStates.includes(industrialState) ||
    (wantsSuppliers ? incompleteStates.includes(supplierState) : supplierState === "stale")
  );
}

const lookups: readonly LiveSource[] = [adsbLol, openSkyNetwork].map((source) => ({
  ...source,
  serves: [MilitaryService.method.getProviderLiveFlight],
}));

export const military = {
  datasets: [scheduled(militaryBases), scheduled(defenseIndustrialBase)],
  lookups,
  implement,
};

interface MilitaryParts extends ServedParts {
  readonly flights: FlightTracker;
  readonly upstreams: Pick<Upstreams, "missingOf">;
}

function implement(parts: MilitaryParts): ServiceImpl<typeof MilitaryService> {
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
    async listMilitaryBases(request, context) {
      const { zoom = 3, type, kind, country, id } = request;
      const circle = await requestedCircle(request);
      const box = boxOf(request) ?? (id === "" && !circle ? undefined : world);
      if (!box) {
        if (served.visible(militaryBases)?.provenance.origin === "sample") markSample(context);
        return withoutBox(context);
      }
      served.dataset(militaryBases, context);
      if (index === undefined) throw new Unavailable("military bases are being loaded");
      const view = viewBases(index, { ...box, zoom: Math.floor(zoom), type, kind, country, id, circle });
      return { ...view, ...(circle && { center: circle }) };
    },
    async getProviderLiveFlight({ icao24 }, { responseHeader }) {
      const { flight, unavailable } = await flights.find(icao24);
      if (unavailable) responseHeader.set("X-Flight-Upstream", "unavailable");
      return flight ? { flight } : {};
    },
    getDefenseIndustrialBase({ countryCode }, context) {
      const response = defenseBaseAt(
        served.messageIfAny(defenseIndustrialBase, context, { flagged: "incomplete" }),
        countryCode,
        clock(),
      );
      if (isPartial(response, wantsSuppliers)) setNoStore(context);
      return response;
    },
  };
}

const world = { neLat: 90, neLon: 180, swLat: -90, swLon: -180 };

/** Returns the box of a request; undefined without corners. Throws if the request has some corners but not all. */
function boxOf({ swLat, swLon, neLat, neLon }: ListMilitaryBasesRequest): typeof world | undefined {
  if (neLat !== undefined && neLon !== undefined && swLat !== undefined && swLon !== undefined)
    return { neLat, neLon, swLat, swLon };
  const corners = { sw_lat: swLat, sw_lon: swLon, ne_lat: neLat, ne_lon: neLon };
  const missing = Object.entries(corners).flatMap(([name, value]) => (value === undefined ? [name] : []));
  if (missing.length === Object.keys(corners).length) return undefined;
  const description = "value is required together with the other corners";
  throw new InvalidRequest(missing.map((field) => ({ field, description })));
}

/** Returns the empty response to a request without corners. */
function withoutBox(context: HandlerContext) {
  // This response says nothing about the stored bases, so it must not be cached.
  setNoStore(context);
  context.responseHeader.set("X-Bbox", "missing");
  context.responseHeader.set("X-Bbox-Missing", "sw_lat,sw_lon,ne_lat,ne_lon");
  return { unavailableReason: "A box is required. Set sw_lat, sw_lon, ne_lat, and ne_lon, or near" };
}
