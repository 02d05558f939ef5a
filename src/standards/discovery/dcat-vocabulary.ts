import type { FileFormat } from "../../contract/file-format.ts";

const authority = "http://publications.europa.eu/resource/authority";

export function node(id: string, type: string): object {
  return { "@id": id, "@type": type };
}

/** Returns a term of a vocabulary of the European Union, because DCAT-AP requires its vocabularies. */
export function term(table: string, code: string, type: string): object {
  return node(`${authority}/${table}/${code}`, type);
}

/** The theme of each subject of operations. A subject that is not listed has the theme of the whole service. */
const themes: ReadonlyMap<string, keyof typeof themeNames> = new Map([
  ["economic", "ECON"],
  ["infrastructure", "TECH"],
  ["supply_chain", "TRAN"],
  ["trade", "ECON"],
]);

const themeNames = {
  ECON: "Economy and finance",
  INTR: "International issues",
  TECH: "Science and technology",
  TRAN: "Transport",
} as const;

export const themeScheme = { ...node(`${authority}/data-theme`, "skos:ConceptScheme"), title: "Data themes" };

export function themesOf(areas: readonly string[]): readonly object[] {
  const codes = areas.map((area) => themes.get(area) ?? "INTR");
  return [...new Set(codes.length > 0 ? codes : (["INTR"] as const))].map((code) => ({
    ...term("data-theme", code, "skos:Concept"),
    "skos:prefLabel": themeNames[code],
  }));
}

const fileTypes: Readonly<Partial<Record<FileFormat, string>>> = {
  csv: "CSV",
  geojson: "GEOJSON",
  parquet: "PARQUET",
  xlsx: "XLSX",
};

/** Returns the format of a file. NDJSON has neither a term in the vocabulary nor a registered media type. */
export function formatOf(format: FileFormat, mediaType: string): object {
  const code = fileTypes[format];
  if (code === undefined) return { format: { "@type": "dct:MediaTypeOrExtent", "rdfs:label": mediaType } };
  return {
    format: term("file-type", code, "dct:MediaTypeOrExtent"),
    mediaType: node(`http://www.iana.org/assignments/media-types/${mediaType}`, "dct:MediaType"),
  };
}

/** Codes for the frequency of refreshes, by the number of refreshes in a day. */
const dailyCodes: ReadonlyMap<number, string> = new Map([
  ...([
    [288, "5MIN"],
    [144, "10MIN"],
    [96, "15MIN"],
    [48, "30MIN"],
    [24, "HOURLY"],
  ] as const),
  ...([
    [12, "BIHOURLY"],
    [8, "TRIHOURLY"],
    [2, "DAILY_2"],
    [1, "DAILY"],
  ] as const),
]);

/** Returns the frequency of a cron expression that selects all days, or one time on one day of a week or month. */
export function frequencyOf(schedule: string): object {
  const [minute = "*", hour = "*", day = "*", , weekday = "*"] = schedule.split(" ");
  const perDay = timesOf(minute, 60) * timesOf(hour, 24);
  const days = timesOf(day, 31) * timesOf(weekday, 7);
  const isOnce = perDay === 1 && [timesOf(day, 31), timesOf(weekday, 7)].includes(1);
  const code = days === 31 * 7 ? dailyCodes.get(perDay) : isOnce ? (days === 7 ? "MONTHLY" : "WEEKLY") : undefined;
  return term("frequency", code ?? "OTHER", "dct:Frequency");
}

/** Returns how many values a field of a cron expression selects. The range is the number of all values. */
function timesOf(field: string, range: number): number {
  const [values = "", step] = field.split("/");
  const selected = values === "*" ? range : values.split(",").length;
  return step === undefined ? selected : Math.ceil(selected / Number(step));
}
