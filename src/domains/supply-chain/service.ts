import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import type {
  GetCountryChokepointIndexRequest,
  GetCountryChokepointIndexResponseSchema,
} from "../../../gen/es/ids/supply_chain/v1/chokepoint_index_pb.ts";
import type { GetCountryProductsResponseSchema } from "../../../gen/es/ids/supply_chain/v1/country_products_pb.ts";
import type {
  GetMineralProductionRequest,
  GetMineralProductionResponse,
  GetMineralProductionResponseSchema,
  MineralCommodity,
  MineralHoldingSchema,
  MineralStage,
} from "../../../gen/es/ids/supply_chain/v1/mineral_production_pb.ts";
import type { SupplyChainService } from "../../../gen/es/ids/supply_chain/v1/supply_chain_pb.ts";
import { setNoStore } from "../../contract/request-context.ts";
import { invalidField, Unavailable } from "../../errors.ts";
import { scheduled } from "../../ingest/schedule/scheduled.ts";
import { useOneOf } from "../../reference/allowed-values.ts";
import { countries } from "../../reference/countries/countries.ts";
import { chokepointById, chokepoints } from "../../reference/trade/chokepoints.ts";
import { coastSides } from "../../reference/trade/coast-sides.ts";
import { countryRoutes } from "../../reference/trade/country-routes.ts";
import { hsHeadings } from "../../reference/trade/hs-headings.ts";
import type { ServedParts } from "../../store/served/served.ts";
import type { Store } from "../../store/tables.ts";
import { chokepointStatus, chokepointStatusDataset, type StatusListener } from "./chokepoints/chokepoint-status.ts";
import { costShock } from "./imports/cost-shock.ts";
import { countryImports } from "./imports/country-imports.ts";
import { type Exposure, exposureOf, ranked } from "./imports/exposure.ts";
import { isOutdated, readAt, readProducts } from "./imports/import-table.ts";
import { mineralProduction, mineralProductionAt } from "./minerals/mineral-production.ts";
import { type Stage, stages } from "./minerals/minerals.ts";
import { shippingStress, shippingStressAt } from "./shipping-stress/shipping-stress.ts";
import type { SupplyTables } from "./supply-tables.ts";
import { listBuffers, supplyBuffers } from "./vulnerability/supply-buffers.ts";
import { supplyVulnerability } from "./vulnerability/supply-vulnerability.ts";
import {
  chokepointDependencies,
  countryVulnerabilities,
  vulnerabilityRankings,
} from "./vulnerability/vulnerability-responses.ts";
import { type ReadScores, readRows } from "./vulnerability/vulnerability-store.ts";

const energy = "27";

/** Returns a country's dependence on chokepoints. For a chapter without watched headings, its routes determine it. */
async function chokepointIndex(
  { iso2, hs2 }: GetCountryChokepointIndexRequest,
  {
    database,
    computedAt,
    now,
  }: {
    readonly database: Store;
    readonly computedAt: Date;
    readonly now: Date;
  },
): Promise<MessageInitShape<typeof GetCountryChokepointIndexResponseSchema>> {
  const chapter = (hs2 || energy).padStart(2, "0");
  const upstreamUnavailable = isOutdated(await readAt(database, iso2), now);
  const coastSide = coastSides.get(iso2);
  if (coastSide === undefined) return { iso2, hs2: chapter, upstreamUnavailable };
  const { coverage, scores, primaryId, vulnerabilityIndex } =
    (await readExposure(database, iso2, chapter)) ?? exposureOf(iso2, chapter, [], countryRoutes);
  return {
    iso2,
    hs2: chapter,
    primaryChokepointId: primaryId,
    vulnerabilityIndex,
    coverage,
    upstreamUnavailable,
    fetchedAt: computedAt.toISOString(),
    exposures: [...scores].flatMap(([chokepointId, exposureScore]) => {
      const chokepoint = chokepointById(chokepointId);
      if (!chokepoint) return [];
      const { name, shockSupported } = chokepoint;
      return { chokepointId, chokepointName: name, coastSide, exposureScore, shockSupported };
    }),
  };
}

async function readExposure(database: Store, iso2: string, hs2: string): Promise<Exposure | undefined> {
  const row = await database
    .withTables<SupplyTables>()
    .selectFrom("chokepoint_exposure")
    .select(["coverage", "scores"])
    .where("iso2", "=", iso2)
    .where("hs2", "=", hs2)
    .executeTakeFirst();
  return row && ranked(row.coverage, new Map(Object.entries(row.scores)));
}

export function supplyChain(reported: StatusListener) {
  const datasets = [
    scheduled(countryImports),
    scheduled(chokepointStatusDataset(reported)),
    scheduled(shippingStress),
    scheduled(mineralProduction),
    scheduled(supplyBuffers),
    scheduled(supplyVulnerability),
  ];
  return { datasets, implement };
}

const unavailableReason = "No seeded import data available for this country";
const defaultClosureDays = 30;

function implement({ database, served, clock }: ServedParts): ServiceImpl<typeof SupplyChainService> {
  const published =
    (context: HandlerContext): ReadScores =>
    async (choice) =>
      served.datasetIfAny(supplyVulnerability, context) && readRows(database, choice);

  return {
    async getCountryChokepointIndex(request, context) {
      if (!countries.has(request.iso2))
        throw invalidField(
          "iso2",
          `value must be an assigned ISO 3166-1 alpha-2 code, or XK; \`country\` accepts other forms`,
        );
      const { storedAt } = served.dataset(countryImports, context, { flagged: "incomplete" });
      const index = await chokepointIndex(request, { database, computedAt: storedAt, now: clock() });
      if (index.upstreamUnavailable || index.exposures === undefined) setNoStore(context);
      return index;
    },

    async getCountryProducts({ iso2 }, context) {
      const isServed = served.datasetIfAny(countryImports, context, { flagged: "old" }) !== undefined;
      const response = isServed ? await countryProducts(database, iso2, clock()) : { iso2, upstreamUnavailable: true };
      if (response.upstreamUnavailable || response.products === undefined) setNoStore(context);
      return response;
    },

    async getMultiSectorCostShock({ iso2, chokepointId, closureDays = defaultClosureDays }, context) {
      const chokepoint = chokepointById(chokepointId);
      if (!chokepoint)
        throw invalidField("chokepoint_id", `Unknown chokepointId: ${chokepointId}${useOneOf(chokepoints)}`);
      const isServed = served.datasetIfAny(countryImports, context, { flagged: "old" }) !== undefined;
      const now = clock();
      const products = isServed ? await readProducts(database, iso2) : [];
      if (products.length === 0) setNoStore(context);
      return {
        iso2,
        chokepointId,
        closureDays,
        ...costShock(
          products.map(({ hs4, total_value }) => ({ hs4, totalValue: total_value })),
          chokepoint,
          closureDays,
        ),
        fetchedAt: now.toISOString(),
        unavailableReason: products.length === 0 ? unavailableReason : "",
        upstreamUnavailable: !isServed || isOutdated(await readAt(database, iso2), now),
      };
    },

    getShippingStress(_request, context) {
      return shippingStressAt(served.messageIfAny(shippingStress, context, { flagged: "old" }), clock());
    },

    getMineralProduction(request, context) {
      const stored = served.messageIfAny(mineralProduction, context, { flagged: "old" });
      return stored ? chosen(mineralProductionAt(stored, clock()), request) : { upstreamUnavailable: true };
    },

    getCountryVulnerabilities(request, context) {
      return countryVulnerabilities(published(context), request, clock());
    },

    listChokepointStatus({ chokepointId }, context) {
      const { chokepoints: all, upstreamUnavailable } = served.message(chokepointStatus, context);
      const chosen = all.filter((each) => chokepointId === "" || each.chokepointId === chokepointId);
      return { chokepoints: chosen, upstreamUnavailable };
    },

    listSupplyBuffers(request, context) {
      return listBuffers(served.message(supplyBuffers, context), request);
    },

    getChokepointDependencies(request, context) {
      return chokepointDependencies(published(context), request, clock());
    },

    listVulnerabilityRankings(request, context) {
      return vulnerabilityRankings(published(context), request, clock());
    },
  };
}

/** Returns the imports of a country. If the store fails, the response is empty and says that it is unavailable. */
async function countryProducts(
  database: Store,
  iso2: string,
  now: Date,
): Promise<MessageInitShape<typeof GetCountryProductsResponseSchema>> {
  try {
    const rows = await readProducts(database, iso2);
    const upstreamUnavailable = isOutdated(await readAt(database, iso2), now);
    const [first] = rows;
    if (!first) return { iso2, upstreamUnavailable };
    const fetchedAt = first.fetched_at.toISOString();
    return {
      iso2,
      fetchedAt,
      upstreamUnavailable,
      products: rows.map(({ hs4, year, total_value, top_exporters }) => ({
        hs4,
        year,
        description: hsHeadings.get(hs4) ?? "",
        totalValue: total_value,
        topExporters: [...top_exporters],
      })),
    };
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return { iso2, upstreamUnavailable: true };
  }
}

/** Returns the requested minerals, stages, and countries. Filters do not affect the concentration of a stage. */
function chosen(
  all: GetMineralProductionResponse,
  request: GetMineralProductionRequest,
): MessageInitShape<typeof GetMineralProductionResponseSchema> {
  const { commodity, iso2 } = request;
  const { fetchedAt, upstreamUnavailable, dataYear } = all;
  const wanted = stagesOf(request.stage);
  const commodities = all.commodities
    .filter((one) => commodity === "" || one.commodityId === commodity || one.commodity.toLowerCase() === commodity)
    .flatMap((one) => withStages(one, wanted, iso2));
  const holdings = commodities.flatMap((one) => holdingsOf(one, iso2));
  const countries = holdings.length > 0 ? [{ iso2, holdings }] : [];
  return { commodities, countries, fetchedAt, upstreamUnavailable, dataYear };
}

function stagesOf(stage: string): readonly Stage[] {
  if (stage === "") return stages;
  return stage === "mine" ? ["mine"] : ["refinery"];
}

/** Returns a mineral with only the requested stages. Undefined if it has none of them. */
function withStages(commodity: MineralCommodity, wanted: readonly Stage[], iso2: string): MineralCommodity[] {
  const stored: Partial<Record<Stage, MineralStage>> = {};
  for (const stage of wanted) {
    const full = commodity[stage];
    const countries = full?.countries.filter((producer) => iso2 === "" || producer.iso2 === iso2) ?? [];
    if (full && (iso2 === "" || countries.length > 0)) stored[stage] = { ...full, countries };
  }
  const { mine, refinery, ...rest } = commodity;
  return Object.keys(stored).length > 0 ? [{ ...rest, ...stored }] : [];
}

function holdingsOf(one: MineralCommodity, iso2: string): MessageInitShape<typeof MineralHoldingSchema>[] {
  const { commodityId, commodity } = one;
  return stages.flatMap((stage) => {
    const producer = iso2 === "" ? undefined : one[stage]?.countries.find((known) => known.iso2 === iso2);
    if (!producer) return [];
    const { hasOutput, output, share, withheld } = producer;
    return [
      {
        commodityId,
        commodity,
        stage,
        hasOutput,
        withheld,
        unit: one[stage]?.unit ?? "",
        ...(output !== undefined && { output }),
        ...(share !== undefined && { share }),
      },
    ];
  });
}
