import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import {
  type GetPhysicalDivergenceIndexRequest,
  type GetPhysicalDivergenceIndexResponseSchema,
  PhysicalDivergenceState as State,
} from "../../../../gen/es/ids/market/v1/physical_divergence_pb.ts";
import { dayMs } from "../../../reference/duration.ts";
import { metals } from "../metals.ts";
import type { Finding } from "../premiums/input-state.ts";
import { type LoadedPremiums, loadPremiums, type PremiumParts } from "../premiums/loaded-premiums.ts";
import { clocksOf, type StoredPremium } from "../premiums/premium-table.ts";
import { compositeOf } from "./divergence-composite.ts";
import { methodologyVersion } from "./divergence-method.ts";
import { type Evidence, readMetal } from "./divergence-reading.ts";

type Response = MessageInitShape<typeof GetPhysicalDivergenceIndexResponseSchema>;

/** Grades the stored premiums at the moment of the call. */
export function physicalDivergence(parts: PremiumParts) {
  return async ({ metals: asked }: GetPhysicalDivergenceIndexRequest, context: HandlerContext): Promise<Response> => {
    const loaded = await loadPremiums(parts, context);
    const now = parts.clock().getTime();
    const nothing = nothingToEvaluate(loaded, now);
    const readings = metals.map((metal) => {
      const row = loaded?.rows.find((stored) => stored.metal === metal.metal);
      return readMetal(metal, nothing ?? (row && evidenceOf(row)), now);
    });
    return {
      readings: readings.filter(({ metal }) => asked.length === 0 || asked.includes(metal)),
      composite: compositeOf(readings, nothing),
      evaluatedAt: nothing ? 0n : BigInt(now),
      methodologyVersion,
      available: !nothing && readings.some(({ premiumPct }) => premiumPct !== undefined),
    };
  };
}

const retentionDays = 16;

/** Why there is nothing that these rules could be applied to. */
function nothingToEvaluate(loaded: LoadedPremiums | undefined, now: number): Finding | undefined {
  const state = State.MISSING_INPUT;
  if (!loaded || now - loaded.provenance.storedAt.getTime() > retentionDays * dayMs)
    return { state, reason: "divergence_snapshot_unavailable" };
  if (loaded.rows.some(({ methodology }) => methodology !== methodologyVersion))
    return { state, reason: "divergence_methodology_unsupported" };
  return undefined;
}

function evidenceOf(row: StoredPremium): Evidence {
  return {
    premiumPct: Number(row.premium_pct),
    premiumUsdPerOz: Number(row.premium_usd_per_oz),
    clocks: clocksOf(row),
    sources: { physical: row.physical_source, paper: row.paper_source, fx: row.fx_source },
    window: row.days.map((day, place) => ({ day, pct: Number(row.pcts[place]) })),
  };
}
