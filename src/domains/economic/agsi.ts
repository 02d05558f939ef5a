import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { EuGasStorageDaySchema } from "../../../gen/es/ids/economic/v1/economic_pb.ts";
import { UpstreamError } from "../../errors.ts";
import { rejection } from "../../ingest/rejection.ts";
import type { Parsed, Rejection, Source } from "../../ingest/source.ts";
import { day, decimal } from "./fields.ts";

type Day = MessageInitShape<typeof EuGasStorageDaySchema>;

const address = "https://agsi.gie.eu/api";
/** More than are served, so that gaps leave enough. */
const days = 40;

/** The EU aggregate of Gas Infrastructure Europe's storage inventory, newest gas day first. */
export const agsi: Source<Day> = {
  name: "agsi",
  licence: { kind: "attribution", terms: "Gas Infrastructure Europe, AGSI" },
  variables: ["AGSI_API_KEY"],
  rows: { atLeast: 5, mayBeEmpty: false },
  fetch: (upstream) =>
    upstream.json({
      url: `${address}?${new URLSearchParams({ type: "eu", size: String(days) })}`,
      headers: { "x-key": upstream.variable("AGSI_API_KEY") },
    }),
  parse,
  observedAt: ({ date = "" }) => Date.parse(date),
};

const answerSchema = z.union([
  z.array(z.unknown()),
  z.object({ data: z.array(z.unknown()) }).transform(({ data }) => data),
  z.looseObject({ gasDayStart: z.unknown() }).transform((single) => [single]),
]);

/** A day whose level is not known. */
const withoutLevel = z.object({ full: z.union([z.literal(["-", ""]), z.null()]).optional() });

const amount = z.union([z.number(), decimal.transform(Number)]);
const daySchema = z.object({ gasDayStart: day, full: amount, gasInStorage: amount });

function parse(answer: unknown): Parsed<Day> {
  const read = answerSchema.safeParse(answer);
  if (!read.success) throw new UpstreamError("AGSI answered in another format");
  // A wrong key is answered so, with status 200.
  if (read.data.length === 0) throw new UpstreamError("AGSI told of no day: the key may be wrong");
  const rows = new Map<string, Day>();
  const rejected: Rejection[] = [];
  for (const [place, value] of read.data.entries()) {
    if (withoutLevel.safeParse(value).success) continue;
    const one = daySchema.safeParse(value);
    if (one.success) rows.set(one.data.gasDayStart, dayOf(one.data));
    else rejected.push(rejection(`#${place}`, one.error));
  }
  return { rows: [...rows.values()], rejected };
}

/** The upstream counts gas in terawatt-hours already. */
function dayOf({ gasDayStart, full, gasInStorage }: z.output<typeof daySchema>): Day {
  return { date: gasDayStart, fillPct: full, gasTwh: gasInStorage };
}
