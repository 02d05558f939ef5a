import type { Base } from "../../../../src/domains/military/bases/base-table.ts";
import type { BaseQuery, BaseView } from "../../../../src/domains/military/bases/base-view.ts";

/** The rules of the contract word for word, reading every base; `bases` in answer order. */
export function viewByBruteForce(bases: readonly Base[], query: BaseQuery): BaseView {
  const { zoom, swLat, neLat, swLon, neLon } = query;
  const tier = zoom <= 4 ? 1 : zoom <= 7 ? 2 : 3;
  const found = bases.filter(
    ({ latitude, longitude, ...base }) =>
      latitude >= Math.min(swLat, neLat) &&
      latitude <= Math.max(swLat, neLat) &&
      (swLon <= neLon ? longitude >= swLon && longitude <= neLon : longitude >= swLon || longitude <= neLon) &&
      base.tier <= tier &&
      (query.type === "" || base.type === query.type) &&
      (query.kind === "" || base.kind === query.kind) &&
      (query.country === "" || base.countryIso2 === query.country),
  );
  const cell = zoom <= 3 ? 5 : zoom <= 5 ? 2 : 0.5;
  const grouped = found.length > 200 && zoom < 8;
  const groupOf = ({ latitude, longitude, id }: Base) =>
    grouped ? `${Math.floor(latitude / cell)} ${Math.floor(longitude / cell)}` : id;
  const groups = Map.groupBy(found, groupOf);
  const singles = found.filter((base) => groups.get(groupOf(base))?.length === 1);
  const clusters = [...groups.values()]
    .filter(({ length }) => length > 1)
    .map((group) => ({
      latitude: mean(group.map(({ latitude }) => latitude)),
      longitude: mean(group.map(({ longitude }) => longitude)),
      count: group.length,
      dominantType: mostFrequent(group.map(({ type }) => type)),
      expansionZoom: zoom <= 5 ? 6 : 8,
    }))
    .sort((a, b) => b.count - a.count || a.latitude - b.latitude || a.longitude - b.longitude);
  return {
    bases: singles.slice(0, 2_000),
    clusters: clusters.slice(0, 2_000),
    totalInView: found.length,
    truncated: singles.length > 2_000 || clusters.length > 2_000,
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function mostFrequent(texts: readonly string[]): string {
  const counts = [...Map.groupBy(texts, (text) => text)].map(([text, { length }]) => ({ text, length }));
  return counts.sort((a, b) => b.length - a.length || (a.text < b.text ? -1 : 1))[0]!.text;
}
