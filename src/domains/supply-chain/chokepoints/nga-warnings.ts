import { distance } from "geokdbush";
import { z } from "zod";
import { type Parsed, type Rejection, readAs, readRows, type Source } from "../../../ingest/source.ts";
import { chokepoints } from "../../../reference/trade/chokepoints.ts";
import type { Reading } from "./reading.ts";

/** A warning is assigned to a chokepoint if it contains one of the strong words, or two of the area's words. */
interface Words {
  readonly strong: readonly string[];
  readonly area: readonly string[];
}

const words: Readonly<Record<string, Words>> = {
  suez: { strong: ["SUEZ"], area: ["EGYPT", "PORT SAID", "RED SEA", "GULF OF SUEZ", "BITTER LAKE"] },
  malacca_strait: {
    strong: ["MALACCA"],
    area: ["SINGAPORE STRAIT", "MALAYSIA", "SUMATRA", "ANDAMAN SEA", "PORT KLANG"],
  },
  hormuz_strait: { strong: ["HORMUZ"], area: ["PERSIAN GULF", "GULF OF OMAN", "IRAN", "MUSANDAM", "ARABIAN GULF"] },
  bab_el_mandeb: {
    strong: ["BAB EL MANDEB", "BAB-EL-MANDEB", "BAB AL MANDAB", "BAB EL-MANDEB"],
    area: ["GULF OF ADEN", "RED SEA", "YEMEN", "DJIBOUTI", "ERITREA"],
  },
  panama: { strong: ["PANAMA CANAL"], area: ["PANAMA", "BALBOA", "COLON", "CRISTOBAL"] },
  taiwan_strait: {
    strong: ["TAIWAN STRAIT", "FORMOSA STRAIT"],
    area: ["TAIWAN", "SOUTH CHINA SEA", "EAST CHINA SEA", "XIAMEN"],
  },
  cape_of_good_hope: {
    strong: ["CAPE OF GOOD HOPE", "CAPE AGULHAS"],
    area: ["SOUTH AFRICA", "CAPE TOWN", "TABLE BAY"],
  },
  gibraltar: { strong: ["GIBRALTAR"], area: ["ALBORAN SEA", "TARIFA", "CEUTA", "ALGECIRAS", "TANGER"] },
  bosphorus: { strong: ["BOSPORUS", "BOSPHORUS", "ISTANBUL"], area: ["MARMARA", "BLACK SEA", "DARDANELLES", "TURKEY"] },
  korea_strait: { strong: ["KOREA STRAIT", "TSUSHIMA"], area: ["SOUTH KOREA", "BUSAN", "SEA OF JAPAN"] },
  dover_strait: { strong: ["DOVER STRAIT", "STRAIT OF DOVER"], area: ["DOVER", "CALAIS", "ENGLISH CHANNEL"] },
  kerch_strait: { strong: ["KERCH"], area: ["SEA OF AZOV", "BLACK SEA", "CRIMEA", "NOVOROSSIYSK"] },
  lombok_strait: { strong: ["LOMBOK"], area: ["BALI", "INDONESIA", "FLORES SEA", "JAVA SEA"] },
};

const nearbyKm = 300;
const areaWordsNeeded = 2;

/** A position in degrees, minutes, and optional seconds, such as `12-34.5N 043-21.0E`. */
const position =
  /(?<![\d.-])(\d{1,2})-(\d{1,2}(?:\.\d+)?)(?:-(\d{1,2}(?:\.\d+)?))?\s?([NS])[\s,]+(\d{1,3})-(\d{1,2}(?:\.\d+)?)(?:-(\d{1,2}(?:\.\d+)?))?\s?([EW])/g;

export function chokepointsOf(text: string): string[] {
  const upper = text.toUpperCase().replace(/\s+/g, " ");
  const has = (word: string) => new RegExp(`(?<![A-Z])${word}(?![A-Z])`).test(upper);
  const places = positionsIn(upper);
  return chokepoints
    .filter(({ id, latitude, longitude }) => {
      const { strong, area } = words[id] ?? { strong: [], area: [] };
      return (
        strong.some(has) ||
        area.filter(has).length >= areaWordsNeeded ||
        places.some((place) => distance(place.longitude, place.latitude, longitude, latitude) <= nearbyKm)
      );
    })
    .map(({ id }) => id);
}

export function positionsIn(text: string): { readonly latitude: number; readonly longitude: number }[] {
  return [...text.matchAll(position)]
    .map(([, latDegrees, latMinutes, latSeconds = 0, south, lonDegrees, lonMinutes, lonSeconds = 0, west]) => ({
      latitude: (south === "S" ? -1 : 1) * degrees(latDegrees, latMinutes, latSeconds),
      longitude: (west === "W" ? -1 : 1) * degrees(lonDegrees, lonMinutes, lonSeconds),
    }))
    .filter(({ latitude, longitude }) => Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180);
}

function degrees(...[whole, minutes, seconds]: readonly (string | number | undefined)[]): number {
  return Number(whole) + Number(minutes) / 60 + Number(seconds) / 3600;
}

/** Navigational warnings in force worldwide. The places are only in their text, as words and as positions. */
export const ngaWarnings: Source<Reading> = {
  name: "nga-warnings",
  license: {
    kind: "open",
    publisher: "US National Geospatial-Intelligence Agency",
    terms: "US public domain, National Geospatial-Intelligence Agency",
  },
  rows: { atLeast: 15, mayBeEmpty: false },
  minutesApart: 55,
  fetch: (upstream) =>
    upstream.json({ url: "https://msi.nga.mil/api/publications/broadcast-warn?output=json&status=A" }),
  parse,
};

const responseSchema = z.object({ "broadcast-warn": z.array(z.unknown()) });
const number = z.coerce.number().int().positive();
const warningSchema = z.object({
  msgYear: number,
  msgNumber: number,
  navArea: z.string().min(1),
  text: z.string().min(1),
});

function parse(response: unknown): Parsed<Reading> {
  const read = readAs("NGA warnings", responseSchema, response);
  const rows: Reading[] = [];
  const rejected: Rejection[] = [];
  for (const { navArea, msgNumber, msgYear, text } of readRows(warningSchema, read["broadcast-warn"], rejected)) {
    const value = { id: `${navArea} ${msgNumber}/${msgYear}`, chokepointIds: chokepointsOf(text) };
    rows.push({ reported: { case: "warning", value } });
  }
  return { rows, rejected };
}
