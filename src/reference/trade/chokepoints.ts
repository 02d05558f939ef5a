export interface Chokepoint {
  readonly id: string;
  readonly name: string;
  /** The place of the chokepoint in degrees north and degrees east. */
  readonly latitude: number;
  readonly longitude: number;
  readonly shockSupported: boolean;
  /** Usual oil flow in millions of barrels per day, from the US EIA. Undefined if the EIA publishes none. */
  readonly oilBaseline?: { readonly id: string; readonly millionBarrelsPerDay: number };
  /** The threat level, which is set by hand. The date of the last review is `threatLevelsReviewedAt`. */
  readonly threat: ThreatLevel;
  /** The name of the chokepoint in the data of IMF PortWatch. */
  readonly portWatchName: string;
}

export type ThreatLevel = "war_zone" | "critical" | "high" | "elevated" | "normal";

export const threatLevelsReviewedAt = "2026-03-04";

/** All chokepoints. Responses list equal results in this order. */
export const chokepoints: readonly Chokepoint[] = [
  {
    id: "suez",
    name: "Suez Canal",
    latitude: 30.5,
    longitude: 32.3,
    shockSupported: true,
    threat: "high",
    oilBaseline: { id: "suez", millionBarrelsPerDay: 7.6 },
    portWatchName: "Suez Canal",
  },
  {
    id: "malacca_strait",
    name: "Strait of Malacca",
    latitude: 2.5,
    longitude: 101.5,
    shockSupported: true,
    threat: "normal",
    portWatchName: "Malacca Strait",
    oilBaseline: { id: "malacca", millionBarrelsPerDay: 17.2 },
  },
  {
    id: "hormuz_strait",
    name: "Strait of Hormuz",
    latitude: 26.5,
    longitude: 56.5,
    shockSupported: true,
    threat: "war_zone",
    portWatchName: "Strait of Hormuz",
    oilBaseline: { id: "hormuz", millionBarrelsPerDay: 21 },
  },
  {
    id: "bab_el_mandeb",
    name: "Bab el-Mandeb",
    latitude: 12.5,
    longitude: 43.3,
    shockSupported: true,
    threat: "critical",
    portWatchName: "Bab el-Mandeb Strait",
    oilBaseline: { id: "babelm", millionBarrelsPerDay: 6.2 },
  },
  {
    id: "panama",
    name: "Panama Canal",
    latitude: 9.1,
    longitude: -79.7,
    shockSupported: false,
    threat: "normal",
    portWatchName: "Panama Canal",
    oilBaseline: { id: "panama", millionBarrelsPerDay: 0.9 },
  },
  {
    id: "taiwan_strait",
    name: "Taiwan Strait",
    latitude: 24,
    longitude: 119.5,
    shockSupported: false,
    threat: "elevated",
    portWatchName: "Taiwan Strait",
  },
  {
    id: "cape_of_good_hope",
    name: "Cape of Good Hope",
    latitude: -34.36,
    longitude: 18.49,
    shockSupported: false,
    threat: "normal",
    portWatchName: "Cape of Good Hope",
  },
  {
    id: "gibraltar",
    name: "Strait of Gibraltar",
    latitude: 35.9,
    longitude: -5.6,
    shockSupported: false,
    threat: "normal",
    portWatchName: "Gibraltar Strait",
  },
  {
    id: "bosphorus",
    name: "Bosporus Strait",
    latitude: 41.1,
    longitude: 29,
    shockSupported: false,
    threat: "elevated",
    portWatchName: "Bosporus Strait",
    oilBaseline: { id: "turkish", millionBarrelsPerDay: 2.9 },
  },
  {
    id: "korea_strait",
    name: "Korea Strait",
    latitude: 34,
    longitude: 129,
    shockSupported: false,
    threat: "normal",
    portWatchName: "Korea Strait",
  },
  {
    id: "dover_strait",
    name: "Dover Strait",
    latitude: 51,
    longitude: 1.5,
    shockSupported: false,
    threat: "normal",
    portWatchName: "Dover Strait",
    // The EIA has no value for Dover. Most oil from the Danish straits also passes it, so their value is used.
    oilBaseline: { id: "danish", millionBarrelsPerDay: 3 },
  },
  {
    id: "kerch_strait",
    name: "Kerch Strait",
    latitude: 45.3,
    longitude: 36.6,
    shockSupported: false,
    threat: "war_zone",
    portWatchName: "Kerch Strait",
  },
  {
    id: "lombok_strait",
    name: "Lombok Strait",
    latitude: -8.5,
    longitude: 115.7,
    shockSupported: false,
    threat: "normal",
    portWatchName: "Lombok Strait",
  },
];

const byId = new Map(chokepoints.map((chokepoint) => [chokepoint.id, chokepoint]));

export function chokepointById(id: string): Chokepoint | undefined {
  return byId.get(id);
}
