import { reporters } from "../../../src/providers/comtrade/comtrade-codes.ts";
import { randomOf } from "../random.ts";
import { placeholder } from "./decimal.ts";
import { asNumber, linesOf } from "./json-lines.ts";

// UN Comtrade lists the rows of a reporter by partner, the world first. 899 is `Areas, nes`.

const numbers = new Map([...reporters].map(([number, alpha2]) => [alpha2, number]));
const [world, elsewhere] = [0, 899];

/** Returns Comtrade's number of a country. For an unknown country, it is the number of unspecified areas. */
export function comtradeNumber(alpha2: string): number | undefined {
  return alpha2 === "" ? elsewhere : numbers.get(alpha2);
}

export interface PartnerValue {
  readonly partner: string;
  /** Value in US dollars. */
  readonly value: number;
}

/** Returns the row of the world and the rows of the partners that have a number in Comtrade. */
export function rowsOf(
  about: { readonly reporter: number; readonly year: number; readonly flow: "M" | "RX"; readonly heading: string },
  partners: readonly PartnerValue[],
): object[] {
  const { reporter, year, flow, heading } = about;
  const values = partners.flatMap(({ partner, value }) => {
    const number = comtradeNumber(partner);
    return number === undefined ? [] : [[number, Math.round(value)] as const];
  });
  const total = values.reduce((sum, [, value]) => sum + value, 0);
  const row = ([partnerCode, primaryValue]: readonly [number, number]) => ({
    refYear: asNumber(placeholder("year", year)),
    period: placeholder("year", year),
    ...{ reporterCode: reporter, flowCode: flow, partnerCode, partner2Code: 0, cmdCode: heading },
    ...{ customsCode: "C00", motCode: 0, primaryValue },
  });
  return [[world, total] as const, ...values].map(row);
}

export function comtradeResponse(rows: readonly object[], subject: string): string {
  const seconds = randomOf("comtrade answer", subject).between(0.1, 1.9).toFixed(2);
  const head = `{"elapsedTime":"${seconds} secs","count":${rows.length},"data":[`;
  return rows.length === 0 ? `${head}],"error":""}\n` : linesOf(head, rows, '],"error":""}');
}
