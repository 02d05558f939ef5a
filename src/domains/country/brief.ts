import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import { ConflictService } from "../../../gen/es/ids/conflict/v1/conflict_pb.ts";
import { PartAvailability } from "../../../gen/es/ids/country/v1/brief_parts_pb.ts";
import type { GetCountryBriefResponseSchema } from "../../../gen/es/ids/country/v1/country_pb.ts";
import type { CountryMacroData } from "../../../gen/es/ids/economic/v1/country_macro_pb.ts";
import { EconomicService } from "../../../gen/es/ids/economic/v1/economic_pb.ts";
import { InfrastructureService } from "../../../gen/es/ids/infrastructure/v1/infrastructure_pb.ts";
import { IntelligenceService } from "../../../gen/es/ids/intelligence/v1/intelligence_pb.ts";
import { MilitaryService } from "../../../gen/es/ids/military/v1/military_pb.ts";
import { ResilienceService } from "../../../gen/es/ids/resilience/v1/resilience_pb.ts";
import { SupplyChainService } from "../../../gen/es/ids/supply_chain/v1/supply_chain_pb.ts";
import { TradeService } from "../../../gen/es/ids/trade/v1/trade_pb.ts";
import type { Country } from "../../reference/countries/countries.ts";
import { europeanUnion, wtoUnion } from "../../reference/countries/european-union.ts";
import { dayMs } from "../../reference/duration.ts";
import {
  available,
  type CallOperation,
  type Finding,
  failed,
  type PartState,
  stateOf,
  uncovered,
  unnumbered,
  without,
} from "./part-state.ts";

type Brief = MessageInitShape<typeof GetCountryBriefResponseSchema>;

const from = {
  risk: IntelligenceService.method.getRiskScores,
  resilience: ResilienceService.method.getResilienceScore,
  conflictCounts: ConflictService.method.countConflictEvents,
  conflict: ConflictService.method.listConflictEvents,
  outages: InfrastructureService.method.listInternetOutages,
  chokepoints: SupplyChainService.method.getCountryChokepointIndex,
  vulnerabilities: SupplyChainService.method.getCountryVulnerabilities,
  macro: EconomicService.method.getCountryMacro,
  trade: TradeService.method.getTradeFlows,
  tariffs: TradeService.method.getTariffTrends,
  defense: MilitaryService.method.getDefenseIndustrialBase,
  bases: MilitaryService.method.listMilitaryBases,
  tenders: EconomicService.method.listGlobalTenders,
  gas: EconomicService.method.getEuGasStorage,
} as const;

export const briefOperations: readonly DescMethodUnary[] = Object.values(from);

const days = 30;
const max = 5;

/** Returns everything about one country. Each part has what its own operation would return to the caller. */
export async function countryBrief(
  country: Country,
  { call, context, now }: { readonly call: CallOperation; readonly context: HandlerContext; readonly now: Date },
): Promise<Brief> {
  const sendRequest = callerOf(call, context);
  const [situation, dependence, economy, security] = await Promise.all([
    situationOf(sendRequest, country, now),
    dependenceOf(sendRequest, country),
    economyOf(sendRequest, country),
    securityOf(sendRequest, country),
  ]);
  return { country, ...situation, ...dependence, ...economy, ...security };
}

async function situationOf(sendRequest: Call, { alpha2: code }: Country, now: Date) {
  const since = BigInt(now.getTime() - days * dayMs);
  const [risk, resilience, conflict, outages] = await Promise.all([
    sendRequest(
      from.risk,
      { region: code },
      ({ ciiScores: [score], missingInputs }) => score && { score, missingInputs },
    ),
    sendRequest(from.resilience, { countryCode: code }, resilienceOf),
    conflictOf(sendRequest, code),
    sendRequest(from.outages, { country: code, start: since }, ({ outages }) => ({
      outages: outages.length,
      ongoing: outages.filter(({ endedAt }) => endedAt === 0n).length,
      latest: outages.slice(0, max),
    })),
  ]);
  return { risk, resilience, conflict, outages };
}

async function dependenceOf(sendRequest: Call, { alpha2: code }: Country) {
  let own: OwnGas | undefined;
  const [chokepoints, vulnerabilities] = await Promise.all([
    sendRequest(from.chokepoints, { iso2: code }, ({ exposures, vulnerabilityIndex }) =>
      exposures.length > 0 ? { vulnerabilityIndex, exposures: exposures.slice(0, max) } : undefined,
    ),
    sendRequest(from.vulnerabilities, { iso2: code }, (message) => {
      own = ownGasOf(message);
      return vulnerableOf(message);
    }),
  ]);
  const gas = own ? ownGasPart(own, vulnerabilities.state, code) : await unionGasOf(sendRequest, code);
  return { chokepoints, vulnerabilities, gas };
}

/** Returns the gas storage of the whole EU for a member whose own storage is unknown or unavailable. */
async function unionGasOf(sendRequest: Call, code: string) {
  return europeanUnion.includes(code)
    ? sendRequest(from.gas, {}, ({ fillPct, trend, updatedAt }) =>
        updatedAt === "" ? undefined : { fillPct, trend, gasDay: updatedAt, area: "EU" },
      )
    : without(from.gas, {
        availability: PartAvailability.NOT_APPLICABLE,
        reason: "No storage of the country is known",
      });
}

type OwnGas = NonNullable<ReturnType<typeof ownGasOf>>;

function ownGasOf({ vulnerabilities }: MessageShape<typeof from.vulnerabilities.output>) {
  const buffer = vulnerabilities
    .map(({ components }) => components?.buffer)
    .find((each) => each?.kind === "gas_storage_fill");
  return buffer?.inputs.find(({ hasValue, value, stale }) => hasValue && value !== undefined && !stale);
}

function ownGasPart({ value, detail, fetchedAt, sourceKey }: OwnGas, state: PartState, area: string) {
  const readAt = Date.parse(fetchedAt);
  return {
    state: {
      ...state,
      ...(state.availability !== PartAvailability.DEGRADED && available),
      ...(!Number.isNaN(readAt) && { asOf: BigInt(readAt) }),
      sources: [sourceKey],
    },
    ...(value !== undefined && { fillPct: value }),
    gasDay: /\d{4}-\d{2}-\d{2}$/.exec(detail)?.[0] ?? "",
    area,
  };
}

async function economyOf(sendRequest: Call, { alpha2: code, numeric }: Country) {
  const customsArea = europeanUnion.includes(code) ? wtoUnion : numeric;
  const ofNumeric = <T>(method: DescMethodUnary, requested: () => Promise<T>) =>
    numeric === "" ? without(method, unnumbered) : requested();
  const [macro, trade, tariffs, tenders] = await Promise.all([
    sendRequest(from.macro, { countries: [code] }, ({ data }) => macroOf(data, code)),
    ofNumeric(from.trade, () =>
      sendRequest(from.trade, { reportingCountry: numeric }, ({ flows }) => {
        const flow = flows.at(-1);
        return flow && { flow };
      }),
    ),
    ofNumeric(from.tariffs, () =>
      sendRequest(from.tariffs, { reportingCountry: customsArea }, ({ datapoints }) => {
        const tariff = datapoints.at(-1);
        return tariff && { tariff };
      }),
    ),
    sendRequest(
      from.tenders,
      { country: code, pageSize: 1 },
      // If the feed has no notice of a country, the number of tenders is unknown and not 0.
      ({ total, totalCapped, countryCoverage }) =>
        countryCoverage === "observed" ? { open: total, capped: totalCapped } : undefined,
      ({ dataAvailable }) => dataAvailable,
    ),
  ]);
  return { macro, trade, tariffs, tenders };
}

async function securityOf(sendRequest: Call, { alpha2: code }: Country) {
  const [defense, bases] = await Promise.all([
    sendRequest(
      from.defense,
      { countryCode: code },
      ({ available, expenditurePctGdp, expenditureUsd, personnel, suppliers }) =>
        available
          ? {
              ...(expenditurePctGdp && { expenditurePctGdp }),
              ...(expenditureUsd && { expenditureUsd }),
              ...(personnel && { personnel }),
              suppliers: suppliers.slice(0, max),
            }
          : undefined,
      ({ industrialFetchedAt }) => industrialFetchedAt !== "",
    ),
    // Antarctica is not the host country of any stored base, so a count of 0 would mean nothing.
    sendRequest(from.bases, { ...world, country: code }, ({ totalInView }) =>
      code === "AQ" ? undefined : { bases: totalInView },
    ),
  ]);
  return { defense, bases };
}

/** A box of the whole world. At the highest zoom, bases are not grouped to clusters. */
const world = { neLat: 90, neLon: 180, swLat: -90, swLon: -180, zoom: 22 };

/** Calls a part's operation. `take` returns the country's values. `isCovering`: if there are none, none exist. */
type Call = ReturnType<typeof callerOf>;

function callerOf(call: CallOperation, context: HandlerContext) {
  return async <I extends DescMessage, O extends DescMessage, C extends object>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    take: (message: MessageShape<O>) => C | undefined,
    isCovering?: (message: MessageShape<O>) => boolean,
  ): Promise<{ readonly state: PartState } | ({ readonly state: PartState } & C)> => {
    const response = await call(method, request, context);
    const { message, rejection, unconfirmed } = response;
    const content = message && take(message);
    const find = (): Finding => {
      if (!message) return rejection ?? failed;
      if (content) return unconfirmed ? { availability: PartAvailability.DEGRADED, ...unconfirmed } : available;
      return (isCovering ? isCovering(message) : !unconfirmed) ? uncovered : { ...failed, ...unconfirmed };
    };
    const state = stateOf(response, find());
    return content ? { state, ...content } : { state };
  };
}

async function conflictOf(sendRequest: Call, country: string) {
  const [counts, list] = await Promise.all([
    sendRequest(from.conflictCounts, { country, groupBy: "type" }, ({ counts, totalEvents, totalFatalities }) => ({
      events: totalEvents,
      fatalities: totalFatalities,
      byType: counts,
    })),
    sendRequest(from.conflict, { country }, ({ events }) => ({ latest: events.slice(0, max) })),
  ]);
  const { operation = "", path = "" } = list.state;
  return { ...counts, ...list, state: { ...counts.state, operation, path } };
}

function resilienceOf({
  level,
  overallScore,
  trend,
  change30d,
  hasChange30d,
  lowConfidence,
  domains,
  pillars,
}: MessageShape<typeof from.resilience.output>) {
  if (level === "unknown") return undefined;
  const scored = ({ id, score }: { readonly id: string; readonly score: number }) => ({ id, score });
  return {
    ...{ overallScore, level, trend, lowConfidence },
    ...(hasChange30d && { change30d }),
    domains: domains.map(scored),
    pillars: pillars.map(scored),
  };
}

function macroOf(data: CountryMacroData | undefined, code: string) {
  const [prices, growth] = [data?.macro?.countries[code], data?.growth?.countries[code]];
  const [labor, external] = [data?.labor?.countries[code], data?.external?.countries[code]];
  const figures = {
    ...(prices && { prices }),
    ...(growth && { growth }),
    ...(labor && { labor }),
    ...(external && { external }),
  };
  return Object.keys(figures).length > 0 ? figures : undefined;
}

function vulnerableOf({ vulnerabilities }: MessageShape<typeof from.vulnerabilities.output>) {
  const commodities = vulnerabilities.flatMap(({ commodityId, commodity, score, hasScore, band }) =>
    hasScore && score !== undefined ? [{ commodityId, commodity, score, band }] : [],
  );
  return commodities.length > 0 ? { commodities: commodities.slice(0, max) } : undefined;
}
