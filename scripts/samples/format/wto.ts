import { readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
import { z } from "zod";
import { countryByNumeric } from "../../../src/reference/countries/countries.ts";
import type { SampleFolder } from "../folder.ts";
import { isProfiled } from "../world/country-profiles.ts";
import { placeholder } from "./decimal.ts";
import { asNumber, linesOf, text } from "./json-lines.ts";

// The WTO's Timeseries API returns its economies, and values of thirty economies per request.

/** An economy in the WTO's list, which includes economies that no longer exist. */
export interface WtoEconomy {
  readonly code: string;
  readonly name: string;
  /** Empty for groups, for economies that no longer exist, and for the European Union. */
  readonly alpha2: string;
}

const lineSchema = z.object({ code: z.string(), alpha3: z.string(), name: z.string() });
const lines = z
  .array(lineSchema)
  .parse(parse(readFileSync(new URL("../world/wto-economies.csv", import.meta.url)), { columns: true }));

export const union = "918";
/** The world and a group, for which no values are requested. */
const groups: ReadonlySet<string> = new Set(["000", "ACP"]);
const former: ReadonlySet<string> = new Set("058 200 530 720 810 886 890 891".split(" "));

const listed: readonly WtoEconomy[] = lines.map(({ code, name }) => ({
  ...{ code, name },
  alpha2: groups.has(code) || former.has(code) || code === union ? "" : (countryByNumeric(Number(code))?.alpha2 ?? ""),
}));
export const economies = listed.filter(({ code }) => !groups.has(code));
/** The existing economies without small islands. */
export const mainEconomies = economies.filter(({ alpha2, code }) => isProfiled(alpha2) || code === union);

const batchSize = 30;
const address = "https://api.wto.org/timeseries/v1";

export interface WtoIndicator {
  readonly code: string;
  /** Members of a row that describe it. */
  readonly about: Readonly<Record<string, string | null>>;
}

export interface WtoValue {
  readonly economy: Pick<WtoEconomy, "code" | "name">;
  readonly year: number;
  readonly value: number;
}

export function tariffIndicator(code: string, products: string): WtoIndicator {
  const none = { PartnerEconomyCode: null, PartnerEconomy: null, ...product(null, null, null, null) };
  return {
    code,
    about: {
      ...{ IndicatorCategoryCode: "TP_A", IndicatorCategory: "MFN applied tariffs", IndicatorCode: code },
      ...{ Indicator: `Simple average MFN applied tariff - ${products}`, ...none, UnitCode: "PCT", Unit: "Percent" },
    },
  };
}

export function merchandiseIndicator(code: string, side: string): WtoIndicator {
  return {
    code,
    about: {
      ...{ IndicatorCategoryCode: "ITS_MTV", IndicatorCategory: "Merchandise trade values", IndicatorCode: code },
      ...{
        Indicator: `Merchandise ${side} by product group – annual`,
        PartnerEconomyCode: "000",
        PartnerEconomy: "World",
      },
      ...product("SITC3", "Merchandise - SITC Revision 3 (aggregates)", "TO", "Total merchandise"),
      ...{ UnitCode: "USM", Unit: "Million US dollar" },
    },
  };
}

type Words = string | null;
function product(classificationCode: Words, classification: Words, code: Words, name: Words) {
  return {
    ...{ ProductOrSectorClassificationCode: classificationCode, ProductOrSectorClassification: classification },
    ...{ ProductOrSectorCode: code, ProductOrSector: name },
  };
}

function rowOf({ about }: WtoIndicator, { economy, year, value }: WtoValue): Readonly<Record<string, unknown>> {
  const { UnitCode, Unit, PartnerEconomyCode, PartnerEconomy, ...rest } = about;
  const { IndicatorCategoryCode, IndicatorCategory, IndicatorCode, Indicator, ...products } = rest;
  return {
    ...{ IndicatorCategoryCode, IndicatorCategory, IndicatorCode, Indicator },
    ...{ ReportingEconomyCode: economy.code, ReportingEconomy: economy.name, PartnerEconomyCode, PartnerEconomy },
    ...products,
    ...{ PeriodCode: "A", Period: "Annual", FrequencyCode: "A", Frequency: "Annual", UnitCode, Unit },
    ...{
      Year: asNumber(placeholder("year", year)),
      ValueFlagCode: null,
      ValueFlag: null,
      TextValue: null,
      Value: value,
    },
  };
}

export interface WtoTable {
  readonly indicator: WtoIndicator;
  /** Name of the files, before the number of the batch. */
  readonly file: string;
  readonly values: readonly WtoValue[];
}

/** Returns the responses to all batches of the listed economies. A response without rows is empty. */
export function wtoResponses(
  among: readonly WtoEconomy[],
  tables: readonly WtoTable[],
): Pick<SampleFolder, "files"> & {
  readonly responses: SampleFolder["index"]["responses"];
} {
  const reporters = listed.filter((economy) => groups.has(economy.code) || among.includes(economy));
  const batches = Array.from({ length: Math.ceil(among.length / batchSize) }, (_, place) =>
    among.slice(place * batchSize, (place + 1) * batchSize).map(({ code }) => code),
  );
  const parts = batches.flatMap((codes, place) =>
    tables.map(({ indicator, file, values }) => ({
      answer: {
        ...{ url: `${address}/data`, query: { i: indicator.code, r: codes.join() } },
        file: `${file}-${place + 1}.json`,
      },
      // The first response contains a value of an economy that was not requested and does not exist.
      body: bodyOf(
        indicator,
        values.filter(({ economy: { code } }) => codes.includes(code) || (place === 0 && code === unknownEconomy.code)),
      ),
    })),
  );
  return {
    responses: [
      { url: `${address}/reporters`, file: "reporters.json" },
      ...parts.map(({ answer: response }) => response),
    ],
    files: {
      "reporters.json": reportersFile(reporters),
      ...Object.fromEntries(parts.map(({ answer: response, body }) => [response.file, body])),
    },
  };
}

/** An economy that is not in the WTO's list. */
export const unknownEconomy = { code: "997", name: "Unknown economy" };

function bodyOf(indicator: WtoIndicator, values: readonly WtoValue[]): string {
  return values.length === 0
    ? ""
    : linesOf(
        '{"Dataset":[',
        values.map((value) => rowOf(indicator, value)),
        "]}",
      );
}

function reportersFile(reporters: readonly WtoEconomy[]): string {
  const alpha3s = new Map(lines.map(({ code, alpha3 }) => [code, alpha3]));
  const rows = reporters.map(({ code, name }, place) => ({
    ...{ code, iso3A: alpha3s.get(code) || null, name, displayOrder: place + 1 },
  }));
  return `[\n${rows.map(text).join(",\n")}\n]\n`;
}
