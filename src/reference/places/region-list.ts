/** This separate program reads the lists of regions, because reading them takes half a second, and writes them by code. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { serialize } from "node:v8";
import { iso31662 } from "iso-3166";
import { countryByName } from "../countries/countries.ts";
import { nameForms } from "./region-names.ts";
import type { Region, RegionTable } from "./regions.ts";

interface EnglishNames {
  readonly subdivisions: {
    readonly localeDisplayNames: { readonly subdivisions: Readonly<Record<string, string>> };
  };
}

const file = createRequire(import.meta.url).resolve("cldr-subdivisions-full/subdivisions/en/en.json");
const names: EnglishNames = JSON.parse(readFileSync(file, "utf8"));
const english = names.subdivisions.localeDisplayNames.subdivisions;
/** ISO gave region codes of these countries new meanings. CLDR's names belong to the old ones, so they are not used. */
const renumbered = new Set(["IR", "MA"]);
/** English names that CLDR lacks, and earlier spellings that are still common. */
const moreNames: Readonly<Record<string, string>> = {
  "CN-NM": "Inner Mongolia",
  ...{ "UA-30": "Kiev", "UA-46": "Lvov", "UA-51": "Odessa", "UA-63": "Kharkov" },
};
const listed = new Map(iso31662.map((entry) => [entry.code, entry]));

const byCode = new Map<string, Region>();
for (const { code, name: own, parent } of listed.values()) {
  if (listed.has(parent) || isCountry(code, own)) continue;
  const country = code.slice(0, 2);
  const translated = renumbered.has(country) ? undefined : english[code.replace("-", "").toLowerCase()];
  // If several areas have the same name, the ISO list adds a small digit, and CLDR adds a mark such as a dagger.
  const more = moreNames[code];
  const name = (translated ?? more ?? own).replace(/[ ¹²³†*]+$/, "");
  byCode.set(code, { code, country, name, forms: formsOf([name, own, more ?? own]) });
}
const regions = [...byCode.values()];

// Areas in the ISO list are nested in at most three levels, so two passes find the region of each area.
for (let level = 0; level < 2; level++)
  for (const { code, parent } of listed.values()) {
    const region = byCode.get(parent);
    if (region && !byCode.has(code)) byCode.set(code, region);
  }

function formsOf(names: readonly string[]): string[][] {
  return nameForms.map((form) => [...new Set(names.map(form))].filter((text) => text !== ""));
}

/** Returns whether the area is a country of its own in ISO 3166-1, such as `US-PR`. */
function isCountry(code: string, name: string): boolean {
  return countryByName(name)?.alpha2 === code.slice(3);
}

process.stdout.write(serialize({ regions, byCode } satisfies RegionTable));
