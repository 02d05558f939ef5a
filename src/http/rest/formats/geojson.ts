import type { Column, Place } from "../../../contract/columns.ts";
import { provenanceOf } from "./file-metadata.ts";
import type { RowStreamer } from "./row-stream.ts";
import { textColumns } from "./text-columns.ts";

/** Writes GeoJSON (RFC 7946). A row without coordinates has a null geometry. */
export const geojsonStream: RowStreamer = ({ columns, key, latitude, longitude }, metadata) => {
  const properties = textColumns(columns).filter((column) => column !== latitude && column !== longitude);
  const [id] = key.length === 1 ? columns.filter(({ name }) => name === key[0]) : [];
  const about = { type: "FeatureCollection", name: metadata.name, ...provenanceOf(metadata) };
  let isFirst = true;
  const feature = (place: Place) => {
    const text = JSON.stringify({
      type: "Feature",
      ...(id && { id: id.read(place) }),
      geometry: pointOf(latitude, longitude, place),
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

function pointOf(latitude: Column | undefined, longitude: Column | undefined, place: Place) {
  const x = longitude?.read(place) ?? null;
  const y = latitude?.read(place) ?? null;
  return x === null || y === null ? null : { type: "Point", coordinates: [x, y] };
}
