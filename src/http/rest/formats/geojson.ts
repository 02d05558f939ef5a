import type { JsonValue } from "@bufbuild/protobuf";
import type { Place } from "../../../contract/columns.ts";
import type { Table } from "../../../contract/tables.ts";
import { provenanceOf } from "./file-metadata.ts";
import type { RowStreamer } from "./row-stream.ts";

/** Writes GeoJSON (RFC 7946). A row without coordinates has a null geometry. */
export const geojsonStream: RowStreamer = (table, metadata) => {
  const featureOf = featureMaker(table);
  const about = { type: "FeatureCollection", name: metadata.name, ...provenanceOf(metadata) };
  let isFirst = true;
  const feature = (place: Place) => {
    const text = JSON.stringify(featureOf(place));
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

/** Returns a function that converts a row to a feature. The columns of the key are its id. */
export function featureMaker(table: Table) {
  const { columns, latitude, longitude } = table;
  const properties = columns.filter((column) => column !== latitude && column !== longitude);
  const idOf = featureId(table);
  return (place: Place) => {
    const coordinates = coordinatesOf(table, place);
    return {
      type: "Feature",
      ...(table.key.length > 0 && { id: idOf(place) }),
      geometry: coordinates && { type: "Point", coordinates },
      properties: Object.fromEntries(properties.map(({ name, read }) => [name, read(place)])),
    };
  };
}

/** Returns a function that reads the id of a row. Values of a key with several columns are separated by commas. */
export function featureId({ columns, key }: Table): (place: Place) => JsonValue {
  const parts = key.flatMap((name) => columns.filter((column) => column.name === name));
  const [only, ...others] = parts;
  if (only && others.length === 0) return only.read;
  return (place) => parts.map(({ read }) => encodeURIComponent(String(read(place)))).join(",");
}

/** Returns longitude and latitude, or null if one of them is unknown. */
export function coordinatesOf({ latitude, longitude }: Table, place: Place): JsonValue[] | null {
  const x = longitude?.read(place) ?? null;
  const y = latitude?.read(place) ?? null;
  return x === null || y === null ? null : [x, y];
}
