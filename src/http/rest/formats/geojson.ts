import type { JsonValue } from "@bufbuild/protobuf";
import type { Place } from "../../../contract/columns.ts";
import type { Table } from "../../../contract/tables.ts";
import { provenanceOf } from "./file-metadata.ts";
import type { RowStreamer } from "./row-stream.ts";

/** Writes GeoJSON (RFC 7946). A row without coordinates has a null geometry. */
export const geojsonStream: RowStreamer = (table, metadata) => {
  const { columns, key, latitude, longitude } = table;
  const properties = columns.filter((column) => column !== latitude && column !== longitude);
  const [id] = key.length === 1 ? columns.filter(({ name }) => name === key[0]) : [];
  const about = { type: "FeatureCollection", name: metadata.name, ...provenanceOf(metadata) };
  let isFirst = true;
  const feature = (place: Place) => {
    const coordinates = coordinatesOf(table, place);
    const text = JSON.stringify({
      type: "Feature",
      ...(id && { id: id.read(place) }),
      geometry: coordinates && { type: "Point", coordinates },
      properties: Object.fromEntries(properties.map(({ name, read }) => [name, read(place)])),
    });
    const separated = isFirst ? text : `,${text}`;
    isFirst = false;
    return separated;
  };
  return {
    begin: () => `${JSON.stringify(about).slice(0, -1)},"features":[`,
    rows: (places) => places.map(feature).join(""),
    end: () => "]}",
  };
};

/** Returns longitude and latitude, or null if one of them is unknown. */
export function coordinatesOf({ latitude, longitude }: Table, place: Place): JsonValue[] | null {
  const x = longitude?.read(place) ?? null;
  const y = latitude?.read(place) ?? null;
  return x === null || y === null ? null : [x, y];
}
