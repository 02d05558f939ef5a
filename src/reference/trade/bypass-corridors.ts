/** An alternative route around a chokepoint. Its values are estimates of this project. */
export interface BypassCorridor {
  readonly id: string;
  readonly chokepointId: string;
  readonly type: "alternative_sea_route" | "land_bridge" | "modal_shift" | "pipeline";
  readonly addedDays: number;
  /** Cost of transport relative to the usual route. It is below 1 if the alternative is cheaper. */
  readonly costMultiplier: number;
  /** The types of cargo that can use the route. Empty if the entry states that the chokepoint has no alternative. */
  readonly cargo: readonly Cargo[];
  readonly activation: "partial_closure" | "full_closure";
  /** True if the route does not lead around this chokepoint, although the entry names it as an alternative. */
  readonly missesChokepoint: boolean;
}

export type Cargo = "container" | "tanker" | "bulk" | "roro";

const all: readonly Cargo[] = ["container", "tanker", "bulk", "roro"];
const sea = "alternative_sea_route";
const partial = "partial_closure";
const full = "full_closure";

/** Routes that start outside the Gulf. They do not help cargo inside it, whose only exit is the Strait of Hormuz. */
const outsideGulf: readonly string[] = ["btc_pipeline", "hormuz_cape_of_good_hope"];

export const bypassCorridors: readonly BypassCorridor[] = [
  corridor("suez_cape_of_good_hope", "suez", sea, 12, 1.18, all, partial),
  corridor("sumed_pipeline", "suez", "pipeline", 2, 1.05, ["tanker"], partial),
  corridor("hormuz_cape_of_good_hope", "hormuz_strait", sea, 16, 1.25, all, partial),
  corridor("aqaba_land_bridge", "hormuz_strait", "land_bridge", 5, 1.35, ["container", "roro"], partial),
  corridor("btc_pipeline", "hormuz_strait", "pipeline", 3, 1.1, ["tanker"], partial),
  corridor("lombok_strait_bypass", "malacca_strait", sea, 2, 1.05, ["tanker", "bulk"], partial),
  corridor("sunda_strait", "malacca_strait", sea, 1, 1.03, all, partial),
  // The canal is proposed but not built.
  corridor("kra_canal_future", "malacca_strait", sea, 0, 0.95, all, full),
  corridor("bab_el_mandeb_cape_of_good_hope", "bab_el_mandeb", sea, 10, 1.15, all, partial),
  corridor("djibouti_rail", "bab_el_mandeb", "land_bridge", 7, 1.45, ["container"], full),
  corridor("btc_pipeline_black_sea", "bosphorus", "pipeline", 2, 1.08, ["tanker"], partial),
  corridor("baku_tbilisi_batumi_rail", "bosphorus", "land_bridge", 4, 1.3, ["container", "bulk"], partial),
  corridor("panama_cape_horn", "panama", sea, 22, 1.4, all, full),
  corridor("us_rail_landbridge", "panama", "land_bridge", 6, 1.55, ["container"], partial),
  corridor("bashi_channel", "taiwan_strait", sea, 1, 1.04, all, partial),
  corridor("miyako_strait", "taiwan_strait", sea, 1, 1.04, all, partial),
  corridor("north_sea_scotland", "dover_strait", sea, 1, 1.02, all, partial),
  corridor("channel_tunnel", "dover_strait", "modal_shift", 1, 1.35, ["container"], full),
  corridor("gibraltar_no_bypass", "gibraltar", sea, 0, 1, [], full),
  corridor("cape_of_good_hope_is_bypass", "cape_of_good_hope", sea, 0, 1, [], full),
  corridor("la_perouse_strait", "korea_strait", sea, 2, 1.06, ["container", "tanker", "bulk"], partial),
  corridor("tsugaru_strait", "korea_strait", sea, 1, 1.04, all, partial),
  corridor("black_sea_western_ports", "kerch_strait", sea, 3, 1.2, ["tanker", "bulk"], partial),
  corridor("ukraine_rail_reroute", "kerch_strait", "land_bridge", 5, 1.4, ["container"], full),
  corridor("sunda_strait_for_lombok", "lombok_strait", sea, 1, 1.03, ["container", "tanker", "bulk"], partial),
  corridor("ombai_strait", "lombok_strait", sea, 1, 1.02, ["tanker", "bulk"], partial),
];

/**
 * Returns the fastest alternative that is already available during a partial closure. If several are equally fast, it
 * returns the cheapest. With a type of cargo, it considers only routes around the chokepoint that this cargo can use.
 */
export function bestBypass(chokepointId: string, of?: Cargo): BypassCorridor | undefined {
  const [best] = bypassCorridors
    .filter((one) => one.chokepointId === chokepointId && one.activation === partial)
    .filter(({ cargo, costMultiplier }) => cargo.length > 0 && costMultiplier >= 1)
    .filter(({ cargo, missesChokepoint }) => !of || (cargo.includes(of) && !missesChokepoint))
    .sort((a, b) => a.addedDays - b.addedDays || a.costMultiplier - b.costMultiplier);
  return best;
}

function corridor(
  id: string,
  chokepointId: string,
  type: BypassCorridor["type"],
  addedDays: number,
  costMultiplier: number,
  cargo: readonly Cargo[],
  activation: BypassCorridor["activation"],
): BypassCorridor {
  const missesChokepoint = outsideGulf.includes(id);
  return { id, chokepointId, type, addedDays, costMultiplier, cargo, activation, missesChokepoint };
}
