import type { Column, Place } from "../../../contract/columns.ts";
import { provenanceOf, type TableWriter } from "./file-facts.ts";

/** RFC 7946. Rows whose place is unknown have no geometry. */
export const geojsonFile: TableWriter = ({ columns, key, latitude, longitude }, rows, facts) => {
  const properties = columns.filter((column) => column !== latitude && column !== longitude);
  const [id] = key.length === 1 ? columns.filter(({ name }) => name === key[0]) : [];
  return Buffer.from(
    JSON.stringify({
      type: "FeatureCollection",
      name: facts.name,
      ...provenanceOf(facts),
      features: rows.map((place) => ({
        type: "Feature",
        ...(id && { id: id.read(place) }),
        geometry: pointOf(latitude, longitude, place),
        properties: Object.fromEntries(properties.map(({ name, read }) => [name, read(place)])),
      })),
    }),
  );
};

function pointOf(latitude: Column | undefined, longitude: Column | undefined, place: Place) {
  const x = longitude?.read(place) ?? null;
  const y = latitude?.read(place) ?? null;
  return x === null || y === null ? null : { type: "Point", coordinates: [x, y] };
}
