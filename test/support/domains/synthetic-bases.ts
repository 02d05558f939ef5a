import type { Base } from "../../../src/domains/military/bases/base-table.ts";
import { kinds, types } from "../../../src/domains/military/bases/sources/vocabulary.ts";

/** Invented bases in a fixed order for a seed: in clusters as in the real world, with poles, antimeridian and cell edges among them. */
export function syntheticBases(count: number, seed = 1): Base[] {
  const random = randomOf(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const centers = Array.from({ length: 300 }, () => ({
    latitude: random() * 130 - 55,
    longitude: random() * 360 - 180,
    spread: 0.05 + 4 * random() ** 3,
    country: pick(countries),
    type: random() < 0.5 ? "other" : pick([...types]),
  }));
  return Array.from({ length: count }, (_, number) => {
    // Squaring favors the first centers, as some regions hold far more bases than others.
    const center = centers[Math.floor(random() ** 2 * centers.length)]!;
    const kind = random() < 0.3 ? "military" : pick([...kinds]);
    const place = random() < 0.01 ? pick(edges) : [around(center.latitude), around(center.longitude)];
    function around(middle: number) {
      return middle + center.spread * (random() + random() + random() - 1.5) * 2;
    }
    return {
      id: `${pick(["node", "way", "relation"])}/${number}`,
      name: `${pick(words)} ${pick(words)} ${Math.floor(random() * 400)}`,
      latitude: Math.min(90, Math.max(-90, place[0]!)),
      longitude: place[1]! > 180 ? place[1]! - 360 : place[1]! < -180 ? place[1]! + 360 : place[1]!,
      kind,
      countryIso2: random() < 0.02 ? "" : center.country,
      type: random() < 0.1 ? pick([...types]) : center.type,
      tier: pick([1, 1, 1, 1, 2, 2, 2, 3]),
      catAirforce: kind === "airfield",
      catNaval: kind === "naval_base",
      catNuclear: random() < 0.02,
      catSpace: random() < 0.02,
      catTraining: kind === "training_area" || kind === "range",
      branch: pick(["", "", "Army", "Navy", "Air Force"]),
      status: pick(["", "", "active", "closed"]),
    };
  });
}

/** Numbers from 0 to below 1, the same ones for a seed. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
  };
}

const countries = "US CN RU GB FR IN IT AE TR JP DE PL UA BR ZA AU EG KR XK PH".split(" ");
const words = ["North", "south", "Ángel", "Fort", "Камп", "基地", "Camp", "Depot", "\u{1f6e1} Shield", "\uff21 Base"];
const edges = [
  [0, 180],
  [0, -180],
  [90, 0],
  [-90, 0],
  [90, 180],
  [-90, -180],
  [5, 10],
  [-5, -10],
  [0, 0],
  [47.5, 8.5],
  [46, 8],
];
