import { around } from "geokdbush";
import KDBush from "kdbush";
import type { MilitaryBase } from "../../../gen/es/ids/military/v1/military_pb.ts";
import { hostOf } from "./host-country.ts";

/** The bases served: surveyed rows without doubles, enriched and completed by the curated ones. The earlier of equal ids wins. */
export function merge(surveyed: readonly MilitaryBase[], curated: readonly MilitaryBase[]): MilitaryBase[] {
  const bases = withoutTwinNodes(firstOfEachId(surveyed));
  const nearby = namesakes(bases);
  for (const base of curated) {
    const [place] = nearby(base);
    const match = place === undefined ? undefined : bases[place];
    if (place === undefined || match === undefined) bases.push(base);
    else bases[place] = enriched(match, base);
  }
  return firstOfEachId(bases).map(completed);
}

const twinKilometres = 0.2;

function firstOfEachId(bases: readonly MilitaryBase[]): MilitaryBase[] {
  const byId = new Map<string, MilitaryBase>();
  for (const base of bases) if (!byId.has(base.id)) byId.set(base.id, base);
  return [...byId.values()];
}

/** OpenStreetMap often has a site twice: as a node with its name, and as the area that was drawn later. */
function withoutTwinNodes(bases: readonly MilitaryBase[]): MilitaryBase[] {
  const nearby = namesakes(bases.filter(({ id }) => id.startsWith("way/") || id.startsWith("relation/")));
  return bases.filter((base) => !base.id.startsWith("node/") || nearby(base).length === 0);
}

/** Finds the places in `bases` of those with the same name, in any case, at the same spot; the nearest first. */
function namesakes(bases: readonly MilitaryBase[]): (base: MilitaryBase) => number[] {
  const tree = new KDBush(bases.length);
  for (const base of bases) tree.add(base.longitude, base.latitude);
  tree.finish();
  const names = bases.map(({ name }) => name.toLowerCase());
  return ({ name, longitude, latitude }) => {
    const wanted = name.toLowerCase();
    // Filtered afterwards: a search that lets nothing through walks the whole tree.
    const neighbours = around(tree, longitude, latitude, Infinity, twinKilometres);
    return neighbours.filter((place) => names[place] === wanted);
  };
}

function enriched(base: MilitaryBase, curated: MilitaryBase): MilitaryBase {
  const { type, tier, catAirforce, catNaval, catNuclear, catSpace, catTraining } = curated;
  const categories = { catAirforce, catNaval, catNuclear, catSpace, catTraining };
  const branch = curated.branch || base.branch;
  return { ...base, type, tier, branch, status: curated.status || base.status, ...categories };
}

function completed(base: MilitaryBase): MilitaryBase {
  const host = hostOf(base.latitude, base.longitude);
  return { ...base, countryIso2: host.country || base.countryIso2, type: base.type || host.type };
}
