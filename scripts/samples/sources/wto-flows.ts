import type { SampleFolder } from "../folder.ts";
import { significant } from "../format/decimal.ts";
import {
  economies,
  mainEconomies,
  merchandiseIndicator,
  union,
  unknownEconomy,
  type WtoEconomy,
  type WtoValue,
  wtoResponses,
} from "../format/wto.ts";
import { randomOf } from "../random.ts";
import { merchandiseOf } from "../world/merchandise.ts";
import { unionMembers } from "../world/tariffs.ts";

const sides = { exports: "ITS_MTV_AX", imports: "ITS_MTV_AM" } as const;
type Side = keyof typeof sides;
/** The largest economies have values of all thirty years. */
const oldest = -30;
const wholeOf: ReadonlySet<string> = new Set("076 124 156 276 356 392 410 484 826 840 918".split(" "));
/** Economies without trade of their own: others include their trade, or they no longer exist. */
const silent: ReadonlySet<string> = new Set(
  "016 020 058 162 166 175 200 254 312 316 438 474 492 530 574 580 630 638 666 674 720 772 810 850 886 890 891".split(
    " ",
  ),
);
/** Economies that report only exports. */
const exportersOnly: ReadonlySet<string> = new Set(["296", "798"]);
/** An economy without exports in some years. */
const idle = { code: "570", years: [-5, -2] };
/** Share of the economies that have not reported last year's imports. */
const lateShare = 0.11;
/** Share of the members' trade with other countries. Trade between members is not trade of the Union. */
const outsideShare = 0.45;

/** Returns trade in goods with the world. */
export function sample(): SampleFolder {
  const tables = (Object.keys(sides) as Side[]).map((side) => ({
    ...{ indicator: merchandiseIndicator(sides[side], side), file: side },
    values: economies.flatMap((economy) => valuesOf(economy, side)),
  }));
  const [exports] = tables;
  const odd = { economy: unknownEconomy, year: -2, value: 12.5 };
  const withOdd = tables.map((table) => (table === exports ? { ...table, values: [...table.values, odd] } : table));
  const { responses, files } = wtoResponses(economies, withOdd);
  const reported = new Set(tables.flatMap(({ values }) => values.map(({ economy }) => economy.code)));
  return {
    index: {
      note: "Illustrative trade values with invented values in the form of the WTO Timeseries API. The economies are real, their trade is not.",
      // The economies without a year with both values are one row.
      rows: [...reported].filter((code) => !exportersOnly.has(code)).length + 1,
      responses,
    },
    files,
  };
}

function valuesOf(economy: WtoEconomy, side: Side): WtoValue[] {
  const { code } = economy;
  if (silent.has(code) || (side === "imports" && exportersOnly.has(code))) return [];
  const { integer, unit } = randomOf("wto flows", code);
  const first = wholeOf.has(code) ? oldest : -integer(5, 8);
  const isLate = unit() < lateShare && !wholeOf.has(code) && mainEconomies.includes(economy);
  const last = isLate && side === "imports" ? -2 : -1;
  return Array.from({ length: last - first + 1 }, (_, place) => first + place).map((year) => {
    const isIdle = side === "exports" && code === idle.code && idle.years.includes(year);
    return { economy, year, value: isIdle ? 0 : significant(millionsOf(economy, side, year), 7) };
  });
}

function millionsOf({ alpha2, code }: WtoEconomy, side: Side, year: number): number {
  if (code !== union) return merchandiseOf(alpha2, year)[side] * 1000;
  const all = [...unionMembers].reduce((sum, member) => sum + merchandiseOf(member, year)[side], 0);
  return all * outsideShare * 1000;
}
