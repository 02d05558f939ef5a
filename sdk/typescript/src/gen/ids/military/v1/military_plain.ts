// Written by `make generate`.
/** Bases and clusters in the box. */
export interface ListMilitaryBasesResponse {
  /** Individual bases, at most 2,000, sorted by tier, name and id. */
  bases: MilitaryBase[];
  /** Groups of two or more bases, at most 2,000, sorted by size (largest first), latitude and longitude. */
  clusters: MilitaryBaseCluster[];
  /** Total number of matching bases: individual bases plus the sizes of all groups, before truncation. */
  totalInView: number;
  /** True if bases or clusters were left out because of the limits. */
  truncated: boolean;
}

/** A military base. */
export interface MilitaryBase {
  /** `mirta:…`, an OpenStreetMap id such as `way/4711`, or the slug of a curated base. */
  id: string;
  /** Name, without markup. */
  name: string;
  /** Latitude in decimal degrees. North is positive. */
  latitude: number;
  /** Longitude in decimal degrees. East is positive. */
  longitude: number;
  /** Kind of installation. Values as in the `kind` filter. */
  kind: string;
  /** ISO 3166-1 alpha-2 code of the host country. Empty on the open sea and in Antarctica. */
  countryIso2: string;
  /** Operating power. Values as in the `type` filter. */
  type: string;
  /** Tier: 1 is shown at every zoom, 2 from zoom 5, 3 from zoom 8. */
  tier: number;
  /** True if the base has an air force component. */
  catAirforce: boolean;
  /** True if the base has a naval component. */
  catNaval: boolean;
  /** True if the base has a nuclear component. */
  catNuclear: boolean;
  /** True if the base has a space component. */
  catSpace: boolean;
  /** True if the base is used for training. */
  catTraining: boolean;
  /** Branch of service, such as `Army`. Empty if unknown. */
  branch: string;
  /** `active`, `planned`, `controversial`, `closed`, `caretaker`, `excess` or `semi-active`. Empty if unknown. */
  status: string;
}

/** The bases of one grid cell. */
export interface MilitaryBaseCluster {
  /** Mean latitude of the bases, decimal degrees. */
  latitude: number;
  /** Mean longitude of the bases, decimal degrees. */
  longitude: number;
  /** Number of bases, 2 or more. */
  count: number;
  /** Most frequent `type` of the bases. Ties are resolved alphabetically. */
  dominantType: string;
  /** Zoom at which the cluster splits. */
  expansionZoom: number;
}

export interface GetPaths {
  /** Lists military bases in a map box, clustered at low zoom.
   *
   * The result includes exactly the bases in the box that match the zoom's tier, `type`, `kind` and `country`. Up to 200 bases, or any number from zoom 8, are returned individually. Otherwise they are grouped on a grid (zoom 0-3: 5 degrees; 4-5: 2; 6-7: 0.5). If `sw_lon` > `ne_lon`, the box crosses the antimeridian. Inverted latitudes are swapped. A box without area is a point. Without any corner, the response is empty and has the header `X-Bbox: missing`. With one to three corner values, the operation returns 400. Sources: MIRTA (US public domain), OpenStreetMap (ODbL), a curated list. */
  "/api/military/v1/list-military-bases": {
    query: {
      /** Latitude of the north-east corner, decimal degrees. Clamped to -90–90. */
      ne_lat?: number | undefined;
      /** Longitude of the north-east corner, decimal degrees. Clamped to -180–180. */
      ne_lon?: number | undefined;
      /** Latitude of the south-west corner, decimal degrees. Clamped to -90–90. */
      sw_lat?: number | undefined;
      /** Longitude of the south-west corner, decimal degrees. Clamped to -180–180. */
      sw_lon?: number | undefined;
      /** Map zoom. Clamped to 0–22; fractions are truncated. Default 3. */
      zoom?: number | undefined;
      /** Operating power. Default: all. */
      type?: "us-nato" | "china" | "russia" | "uk" | "france" | "india" | "italy" | "uae" | "turkey" | "japan" | "other" | undefined;
      /** Kind of installation. Default: all. */
      kind?: "base" | "airfield" | "naval_base" | "military" | "barracks" | "bunker" | "trench" | "training_area" | "checkpoint" | "shelter" | "ammunition" | "office" | "obstacle_course" | "nuclear_explosion_site" | "range" | undefined;
      /** Host country in any form: code or English name. Default: all countries. */
      country?: string | undefined;
    };
    answer: ListMilitaryBasesResponse;
    file: { format: "ndjson" | "csv" | "geojson" | "parquet" | "csvw"; rows?: "bases" | "clusters" | undefined; raw?: boolean | undefined };
  };
}

