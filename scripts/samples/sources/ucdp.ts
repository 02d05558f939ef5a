import type { SampleFolder } from "../folder.ts";
import { jsonRows, numeric } from "../format/json.ts";
import { randomOf } from "../random.ts";
import { partiesOf } from "../world/armed-groups.ts";
import { type Incident, incidentDays, incidentIn, incidents } from "../world/incidents.ts";
import { countriesOf } from "../world/places.ts";
import { sunday } from "../world/weeks.ts";
import { acledIncidents } from "./acled.ts";

/**
 * Events of the monthly release that ACLED has too, with small differences, and that it lacks, and those of the annual
 * release.
 */
const counts = { shared: 70, own: 495, annual: 45 };
/** Number of days in the annual release. They are before the first day of the monthly releases. */
const annualDays = 2;
const violence = { state: 1, groups: 2, civilians: 3 } as const;
const reporters = ["", "local residents", "hospital staff", "witnesses"] as const;

/** Returns events between invented groups in real towns, in the format of Uppsala's two kinds of releases. */
export function sample(): SampleFolder {
  const shared = incidents("acled", acledIncidents)
    .filter(({ country }) => country.uppsala.number > 0)
    .slice(0, counts.shared)
    .map(shifted);
  const candidate = [...shared, ...incidents("ucdp", counts.own)];
  const places = countriesOf("conflict");
  const annual = Array.from({ length: counts.annual }, (_, place) => {
    const [country] = places[place % places.length] ?? places[0] ?? [];
    if (!country) throw new Error("The sample's world has no conflict");
    return incidentIn(country, incidentDays + (place % annualDays), randomOf("annual", place));
  });
  return {
    index: {
      note: "Illustrative events with invented values in the form of the UCDP API: real towns, invented groups, days and deaths. No such event took place. Of the monthly releases only those of January and July exist, so that one is among the names asked for on any day.",
      rows: candidate.length + annual.length,
      responses: [
        { match: "/api/gedevents/\\d\\d\\.0\\.[17]\\?", query: { page: "0" }, file: "candidate.json" },
        { match: "/api/gedevents/\\d\\d\\.1\\?", query: { page: "0" }, file: "annual.json" },
      ],
    },
    files: {
      "candidate.json": release(candidate, 990_001),
      "annual.json": release(annual, 980_001),
    },
  };
}

/** Returns an incident of ACLED with Uppsala's date and place: some days later, and some kilometers away. */
function shifted(incident: Incident, place: number): Incident {
  const { between, integer } = randomOf("retold", place);
  const { town, ago } = incident;
  return {
    ...incident,
    ago: Math.min(Math.max(ago + integer(-2, 2), 0), incidentDays - 1),
    town: { ...town, latitude: town.latitude + between(-0.1, 0.1), longitude: town.longitude + between(-0.1, 0.1) },
  };
}

function release(list: readonly Incident[], firstId: number): string {
  const head = { TotalCount: list.length, TotalPages: 1, PreviousPageUrl: "", NextPageUrl: "" };
  const rows = list.map((incident, place) => rowOf(incident, firstId + place));
  return jsonRows(`${JSON.stringify(head).slice(0, -1)},"Result":`, rows, "}");
}

function sidesOf({ kind, guarded, first, second }: Incident) {
  if (kind === "civilians") return { type: violence.civilians, a: first, b: "Civilians" };
  return { type: guarded ? violence.state : violence.groups, a: first, b: second };
}

function rowOf(incident: Incident, id: number) {
  const { country, town, ago, deaths } = incident;
  const { pick, integer, unit } = randomOf("ucdp", id);
  const { type, a, b } = sidesOf(incident);
  const conflict = 90_000 + Number(country.numeric);
  const sideA = 10 * conflict + Object.values(partiesOf(country)).flat().indexOf(a);
  const day = sunday(ago);
  const office = "Example Agency";
  const headline = "Invented report";
  const [latitude, longitude] = [town.latitude, town.longitude].map((degrees) => Number(degrees.toFixed(5)));
  const byFirst = type === violence.civilians ? 0 : Math.round(deaths * unit());
  return {
    id,
    relid: `${country.code}-${sunday(ago, " YYYY")}-${type}-${conflict}-${id}`,
    year: numeric(sunday(ago, " YYYY")),
    active_year: true,
    code_status: "Clear",
    type_of_violence: type,
    conflict_dset_id: String(conflict),
    conflict_new_id: conflict,
    conflict_name: `${a} - ${b}`,
    dyad_dset_id: String(conflict),
    dyad_new_id: conflict,
    dyad_name: `${a} - ${b}`,
    side_a_dset_id: String(sideA),
    side_a_new_id: sideA,
    side_a: a,
    side_b_dset_id: String(sideA + 5),
    side_b_new_id: sideA + 5,
    side_b: b,
    number_of_sources: 1,
    source_article: `"${office},${day},${headline}"`,
    source_office: office,
    source_date: day,
    source_headline: headline,
    source_original: pick(reporters),
    where_prec: integer(1, 3),
    where_coordinates: `${town.name} town`,
    where_description: town.name,
    adm_1: town.area,
    adm_2: "",
    latitude,
    longitude,
    geom_wkt: `POINT (${longitude} ${latitude})`,
    priogrid_gid: Math.floor((town.latitude + 90) * 2) * 720 + Math.floor((town.longitude + 180) * 2) + 1,
    country: country.uppsala.name,
    country_id: country.uppsala.number,
    region: country.uppsala.region,
    event_clarity: pick([1, 1, 1, 2]),
    date_prec: pick([1, 1, 1, 2]),
    date_start: `${day}T00:00:00`,
    date_end: `${day}T00:00:00`,
    deaths_a: byFirst,
    deaths_b: type === violence.civilians ? 0 : deaths - byFirst,
    deaths_civilians: type === violence.civilians ? deaths : 0,
    deaths_unknown: 0,
    best: deaths,
    high: deaths + integer(0, 4),
    low: Math.max(deaths - integer(0, 3), 0),
    gwnoa: null,
    gwnob: null,
  };
}
