import type { SampleFolder } from "../folder.ts";
import { jsonRows } from "../format/json.ts";
import { type Random, randomOf } from "../random.ts";
import { profiles } from "../world/country-profiles.ts";
import { distanceKm } from "../world/distance.ts";
import { one } from "../world/draw.ts";
import { table } from "../world/table.ts";
import { sunday } from "../world/weeks.ts";

type Place = Readonly<Record<"code" | "name" | "scope", string>>;

const outages = 62;
const firstId = 6_939;
/** Days between two outages. */
const apart = 1.25;
/** Causes without a culprit: no outage is the result of an order or of an attack. */
const causes = ["POWER_OUTAGE", "CABLE_CUT", "WEATHER", "TECHNICAL_PROBLEM", "FIRE", "UNKNOWN"] as const;
const words: Readonly<Record<(typeof causes)[number], string>> = {
  POWER_OUTAGE: "power outage",
  CABLE_CUT: "cable cut",
  WEATHER: "storm damage",
  TECHNICAL_PROBLEM: "technical problem",
  FIRE: "fire",
  UNKNOWN: "outage of unknown cause",
};
const types = ["NETWORK", "REGIONAL", "NETWORK", "REGIONAL", "NATIONWIDE"] as const;
/** Maximum length of a cable that countries share. */
const cableKm = 1500;
/** First of the network numbers that RFC 5398 reserves for documentation. */
const firstNetwork = 64_496;

const places = table<"code" | "name" | "scope">("outages");

/** Returns the outages of the last twelve weeks, newest first. Some are ongoing, and some affect several countries. */
export function sample(): SampleFolder {
  const annotations = Array.from({ length: outages }, (_, place) => annotation(place));
  const rows = annotations.reduce((sum, { countries }) => sum + countries, 0);
  return {
    index: {
      note: "Illustrative outages with invented values in the form of the Cloudflare Radar annotations API. None of them took place.",
      rows,
      responses: [
        {
          url: "https://api.cloudflare.com/client/v4/radar/annotations/outages",
          query: { offset: "0" },
          file: "outages.json",
        },
      ],
    },
    files: {
      "outages.json": jsonRows(
        '{"success":true,"errors":[],"messages":[],"result":{"annotations":',
        [...annotations.map(({ row }) => row), nowhere],
        "}}",
      ),
    },
  };
}

const nowhere = {
  id: "6900",
  asns: [firstNetwork],
  asnsDetails: [{ asn: String(firstNetwork), name: "EXAMPLE-TRANSIT", locations: null }],
  dataSource: "ALL",
  description: "Illustrative: a network without a country.",
  endDate: `${sunday(40)}T10:00:00Z`,
  eventType: "OUTAGE",
  linkedUrl: null,
  locations: [],
  locationsDetails: [],
  origins: [],
  originsDetails: [],
  outage: { outageCause: "UNKNOWN", outageType: "NETWORK" },
  scope: null,
  startDate: `${sunday(40)}T08:00:00Z`,
};

/** Number of the newest outages that have not ended. */
const lasting = 5;

function annotation(place: number) {
  const random = randomOf("outage", place);
  const { integer, unit, pick } = random;
  // Every country has one outage before any has a second.
  const first = places[place % places.length] ?? one(random, places);
  const ago = 1 + Math.floor(place * apart);
  const cause = pick(causes);
  // A cable connects neighbors, so that its cut affects several countries.
  const isShared = cause === "CABLE_CUT" && unit() < 0.6;
  const others = isShared ? neighborsOf(first).slice(0, integer(1, 2)) : [];
  // The newest outage, in Syria, affects the whole country.
  const type = place === 0 ? "NATIONWIDE" : pick(types);
  const networks = type === "NETWORK" ? networksOf(first, random) : [];
  // Some outages name only networks and no countries.
  const locations = networks.length > 0 && cause === "TECHNICAL_PROBLEM" ? [] : [first, ...others];
  const id = String(firstId + outages - place);
  const time = () => `${String(integer(0, 23)).padStart(2, "0")}:${pick(["00", "15", "30", "45"])}:00Z`;
  return {
    countries: Math.max(locations.length, 1),
    row: {
      id,
      asns: networks.map(({ asn }) => Number(asn)),
      asnsDetails: networks,
      dataSource: "ALL",
      description: `Illustrative: ${words[cause]} in ${namesOf([first, ...others])}.`,
      endDate: place < lasting ? null : `${sunday(ago - 1)}T${time()}`,
      eventType: "OUTAGE",
      linkedUrl: unit() < 0.7 ? `https://example.org/outages/${id}` : null,
      locations: locations.map(({ code }) => code),
      locationsDetails: locations.map(({ code, name }) => ({ code, name })),
      origins: [],
      originsDetails: [],
      outage: { outageCause: cause, outageType: type },
      scope: type === "REGIONAL" && others.length === 0 ? first.scope || first.name : null,
      startDate: `${sunday(ago)}T${time()}`,
    },
  };
}

/** Returns the countries that a cable from the place can connect, nearest first. */
function neighborsOf({ code }: Place): Place[] {
  return profiles
    .map(({ alpha2, name }) => ({ code: alpha2, name, scope: "", far: alpha2 === code ? 0 : distanceKm(code, alpha2) }))
    .filter(({ far }) => far > 0 && far <= cableKm)
    .toSorted((a, b) => a.far - b.far);
}

function namesOf(countries: readonly Place[]): string {
  return new Intl.ListFormat("en-US").format(
    countries.map(({ name }) => (/^(United|Democratic|Republic|Philippines)/.test(name) ? `the ${name}` : name)),
  );
}

function networksOf({ code, name }: Place, { integer }: Random) {
  return Array.from({ length: integer(1, 3) }, (_, place) => {
    const number = integer(place * 5, place * 5 + 4);
    return { asn: String(firstNetwork + number), name: `EXAMPLE-${code}-${number}`, locations: { code, name } };
  });
}
