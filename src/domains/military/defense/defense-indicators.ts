import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { DefenseFigureSchema } from "../../../../gen/es/ids/stored/v1/defense_pb.ts";
import { UpstreamError } from "../../../errors.ts";
import type { Parsed, Source } from "../../../ingest/source.ts";
import { askIndicator, readIndicator } from "../../../providers/world-bank/world-bank-indicators.ts";

export type DefenseFigure = MessageInitShape<typeof DefenseFigureSchema>;

/** The World Bank's indicators by the members of an answer. */
export const indicatorIds = {
  expenditurePctGdp: "MS.MIL.XPND.GD.ZS",
  expenditureUsd: "MS.MIL.XPND.CD",
  personnel: "MS.MIL.TOTL.P1",
  armsExportsTiv: "MS.MIL.XPRT.KD",
  armsImportsTiv: "MS.MIL.MPRT.KD",
} as const;

const yearsBack = 8;
/** Countries that a whole answer has at least. */
const minCountries = 150;

/** Defence in the World Development Indicators: last year's values appear in the course of a year, personnel later. */
export const defenseIndicators: Source<DefenseFigure> = {
  name: "world-bank-indicators",
  licence: {
    kind: "attribution",
    terms: "CC BY 4.0, World Bank: World Development Indicators, from SIPRI (whose terms hold for its series) and IISS",
  },
  variables: [],
  // Spending alone has about 150 countries with six or seven values.
  rows: { atLeast: 2_000, mayBeEmpty: false },
  async fetch(upstream) {
    const to = upstream.now.getUTCFullYear();
    const answers: unknown[][] = [];
    for (const id of Object.values(indicatorIds))
      answers.push(await askIndicator(upstream, id, { from: to - yearsBack, to }));
    return answers;
  },
  parse: parseIndicators,
  observedAt: ({ year = 0 }) => Date.UTC(year, 11, 31),
};

function parseIndicators(answers: unknown): Parsed<DefenseFigure> {
  const { values, rejected } = readIndicator(z.array(z.array(z.unknown())).parse(answers).flat());
  const reported = new Set(values.map(({ indicator }) => indicator));
  const without = Object.values(indicatorIds).filter((id) => !reported.has(id));
  if (without.length > 0) throw new UpstreamError(`World Bank: no rows of ${without.join(", ")}`);
  const countries = new Set(values.map(({ country }) => country)).size;
  if (countries < minCountries)
    throw new UpstreamError(`World Bank: ${countries} countries, and a whole answer has at least ${minCountries}`);
  return {
    rows: values.map(({ indicator, country, year, value }) => ({ countryCode: country, indicator, year, value })),
    rejected,
  };
}
