import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { BufferReadingSchema } from "../../../gen/es/ids/stored/v1/buffers_pb.ts";
import { UpstreamError } from "../../errors.ts";
import { rejection } from "../../ingest/rejection.ts";
import type { Parsed, Rejection, Source } from "../../ingest/source.ts";
import { agsiTerms, askGasDays, gasDaySchema, gasDays } from "../../upstream/agsi.ts";
import type { Upstream } from "../../upstream/upstream.ts";

type Reading = MessageInitShape<typeof BufferReadingSchema>;

/** Countries with gas stores in the inventory. */
const countries = "AT BE BG CZ DE DK ES FR GB HR HU IE IT LV NL PL PT RO RS SE SK UA".split(" ");
/** Days that are asked for, so that a gap leaves one. */
const days = 7;
/** The inventory takes 60 requests a minute. */
const betweenCountriesMs = 1_100;

/** Gas Infrastructure Europe: how full each country's stores are. */
export const agsiCountries: Source<Reading> = {
  ...agsiTerms,
  name: "agsi-countries",
  rows: { atLeast: 12, mayBeEmpty: false },
  fetch: fetchCountries,
  parse,
  observedAt: ({ asOf = "" }) => Date.parse(asOf),
};

async function fetchCountries(upstream: Upstream): Promise<z.input<typeof answersSchema>> {
  const answers: z.input<typeof answersSchema> = [];
  for (const country of countries) {
    if (answers.length > 0) await upstream.pause?.(betweenCountriesMs);
    answers.push({ country, answer: await askGasDays(upstream, { country, size: String(days) }) });
  }
  return answers;
}

const answersSchema = z.array(z.object({ country: z.string(), answer: z.unknown() }));
/** A country without stores has no day; so has every country where the key is wrong. */
const emptySchema = z.object({ data: z.array(z.unknown()).length(0) });

function parse(answer: unknown): Parsed<Reading> {
  const answers = answersSchema.parse(answer).filter(({ answer }) => !emptySchema.safeParse(answer).success);
  if (answers.length === 0) throw new UpstreamError("AGSI told of no day of any country: the key may be wrong");
  const rows: Reading[] = [];
  const rejected: Rejection[] = [];
  for (const { country, answer } of answers) {
    const read = gasDays(answer).map(([, day]) => gasDaySchema.safeParse(day));
    for (const { error } of read) if (error) rejected.push(rejection(country, error));
    const newest = read.flatMap(({ data }) => data ?? []).sort((a, b) => (a.gasDayStart < b.gasDayStart ? 1 : -1))[0];
    if (newest) rows.push(readingOf(country, newest));
  }
  return { rows, rejected };
}

function readingOf(iso2: string, { gasDayStart, full }: z.output<typeof gasDaySchema>): Reading {
  const detail = `Gas storage fill, gas day ${gasDayStart}`;
  return { iso2, commodityId: "lng", kind: "gas_storage_fill", measure: full, asOf: gasDayStart, detail };
}
