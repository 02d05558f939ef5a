import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { DefenseFigureSchema } from "../../../../gen/es/ids/stored/v1/defense_pb.ts";
import { UpstreamError } from "../../../egress/upstream-error.ts";
import { readSeries, requestSeries } from "../../../ingest/series-responses.ts";
import type { Parsed, Source } from "../../../ingest/source.ts";
import { fetchIndicator, readIndicator } from "../../../providers/world-bank/world-bank-indicators.ts";

export type DefenseFigure = MessageInitShape<typeof DefenseFigureSchema>;

export const indicatorIds = {
  expenditurePctGdp: "MS.MIL.XPND.GD.ZS",
  expenditureUsd: "MS.MIL.XPND.CD",
  personnel: "MS.MIL.TOTL.P1",
  armsExportsTiv: "MS.MIL.XPRT.KD",
  armsImportsTiv: "MS.MIL.MPRT.KD",
} as const;

const yearsBack = 8;
const minCountries = 150;

/** Military spending and personnel. The source publishes the values of a year during the next one or later. */
export const defenseIndicators: Source<DefenseFigure> = {
  name: "world-bank-indicators",
  license: {
    kind: "attribution",
    publisher: "World Bank",
    terms: "CC BY 4.0, World Bank: World Development Indicators, from SIPRI (whose terms hold for its series) and IISS",
  },
  // Spending has about 150 countries with six or seven values each, so one of the two series reaches the minimum.
  rows: { atLeast: 300, mayBeEmpty: false },
  fetch(upstream) {
    const to = upstream.now.getUTCFullYear();
    return requestSeries("World Bank", Object.values(indicatorIds), (id) =>
      fetchIndicator(upstream, id, { from: to - yearsBack, to }),
    );
  },
  parse: parseIndicators,
  partOf: ({ indicator = "" }) => indicator,
  observedAt: ({ year = 0 }) => Date.UTC(year, 11, 31),
  reportsYears: true,
};

/** Parses the indicators. An indicator without values counts as missing. Throws if all have too few countries. */
function parseIndicators(response: unknown): Parsed<DefenseFigure> {
  const read = readSeries<DefenseFigure>("World Bank", response, ({ series, answer: pages }) => {
    const { values, rejected } = readIndicator(z.array(z.unknown()).parse(pages));
    const rows = values.map(({ indicator, country, year, value }) => ({
      countryCode: country,
      indicator,
      year,
      value,
    }));
    return { rows, rejected, missing: rows.length > 0 ? [] : [{ part: series, reason: "no values were returned" }] };
  });
  const countries = new Set(read.rows.map(({ countryCode }) => countryCode)).size;
  if (read.missing.length === 0 && countries < minCountries)
    throw new UpstreamError(`World Bank: ${countries} countries, and a complete response has at least ${minCountries}`);
  return read;
}
