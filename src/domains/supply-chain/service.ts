import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import type { Kysely } from "kysely";
import type { SupplyChainService } from "../../../gen/es/ids/supply_chain/v1/supply_chain_pb.ts";
import { InvalidRequest } from "../../errors.ts";
import { scheduled } from "../../ingest/schedule/scheduled.ts";
import { useOneOf } from "../../reference/allowed-values.ts";
import { countries } from "../../reference/countries/countries.ts";
import { chokepointById, chokepoints } from "../../reference/trade/chokepoints.ts";
import type { Served } from "../../store/served/served.ts";
import type { StoreTables } from "../../store/tables.ts";
import { chokepointStatusDataset, type StatusListener } from "./chokepoints/chokepoint-status.ts";
import { chokepointIndex } from "./imports/chokepoint-index.ts";
import { costShock } from "./imports/cost-shock.ts";
import { countryImports } from "./imports/country-imports.ts";
import { countryProducts } from "./imports/country-products.ts";
import { isOutdated, readAt, readProducts } from "./imports/import-table.ts";
import { chosen } from "./minerals/mineral-choice.ts";
import { mineralProduction, mineralProductionAt } from "./minerals/mineral-production.ts";
import { shippingStress, shippingStressAt } from "./shipping-stress/shipping-stress.ts";
import { supplyBuffers } from "./vulnerability/supply-buffers.ts";
import { supplyVulnerability } from "./vulnerability/supply-vulnerability.ts";
import {
  chokepointDependencies,
  countryVulnerabilities,
  vulnerabilityRankings,
} from "./vulnerability/vulnerability-answers.ts";
import { type ReadScores, readRows } from "./vulnerability/vulnerability-store.ts";

/** The datasets behind these operations. */
export function supplyChainDatasets(reported: StatusListener) {
  return [
    scheduled(countryImports),
    scheduled(chokepointStatusDataset(reported)),
    scheduled(shippingStress),
    scheduled(mineralProduction),
    scheduled(supplyBuffers),
    scheduled(supplyVulnerability),
  ];
}

const unavailableReason = "No seeded import data available for this country";
const defaultClosureDays = 30;

/** Supply-chain operations, answered from memory and the store. */
export function supplyChain(parts: {
  readonly database: Kysely<StoreTables>;
  readonly served: Served;
  readonly clock: () => Date;
}): ServiceImpl<typeof SupplyChainService> {
  const { database, served, clock } = parts;
  /** Reads the scores that may be served. */
  const published =
    (context: HandlerContext): ReadScores =>
    async (choice) =>
      served.datasetIfAny(supplyVulnerability, context) && readRows(database, choice);

  return {
    async getCountryChokepointIndex(request, context) {
      if (!countries.has(request.iso2))
        throw new InvalidRequest([
          {
            field: "iso2",
            description: `value must be an assigned ISO 3166-1 alpha-2 code, or XK; \`country\` accepts other forms`,
          },
        ]);
      const { storedAt } = served.dataset(countryImports, context, { flagged: "incomplete" });
      const index = await chokepointIndex(request, { database, computedAt: storedAt, now: clock() });
      if (index.upstreamUnavailable || index.exposures === undefined) setNoStore(context);
      return index;
    },

    async getCountryProducts({ iso2 }, context) {
      const isServed = served.datasetIfAny(countryImports, context, { flagged: "old" }) !== undefined;
      const answer = isServed ? await countryProducts(database, iso2, clock()) : { iso2, upstreamUnavailable: true };
      if (answer.upstreamUnavailable || answer.products === undefined) setNoStore(context);
      return answer;
    },

    async getMultiSectorCostShock({ iso2, chokepointId, closureDays = defaultClosureDays }, context) {
      const chokepoint = chokepointById(chokepointId);
      if (!chokepoint)
        throw new InvalidRequest([
          { field: "chokepoint_id", description: `Unknown chokepointId: ${chokepointId}${useOneOf(chokepoints)}` },
        ]);
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

    getChokepointDependencies(request, context) {
      return chokepointDependencies(published(context), request, clock());
    },

    listVulnerabilityRankings(request, context) {
      return vulnerabilityRankings(published(context), request, clock());
    },
  };
}

function setNoStore({ responseHeader }: HandlerContext): void {
  responseHeader.set("Cache-Control", "no-store");
}
