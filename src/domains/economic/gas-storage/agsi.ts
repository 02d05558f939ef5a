import type { MessageInitShape } from "@bufbuild/protobuf";
import type { z } from "zod";
import type { EuGasStorageDaySchema } from "../../../../gen/es/ids/economic/v1/economic_pb.ts";
import { type Parsed, type Rejection, rejection, type Source } from "../../../ingest/source.ts";
import { agsiTerms, fetchGasDays, gasDaySchema, gasDays } from "../../../providers/agsi/agsi.ts";

type Day = MessageInitShape<typeof EuGasStorageDaySchema>;

/** The number exceeds the served days, so that enough remain if there are gaps. */
const days = 40;

/** The EU aggregate of the storage inventory of Gas Infrastructure Europe, newest gas day first. */
export const agsi: Source<Day> = {
  ...agsiTerms,
  name: "agsi",
  rows: { atLeast: 5, mayBeEmpty: false },
  fetch: (upstream) => fetchGasDays(upstream, { type: "eu", size: String(days) }),
  parse,
  observedAt: ({ date = "" }) => Date.parse(date),
};

function parse(response: unknown): Parsed<Day> {
  const rows = new Map<string, Day>();
  const rejected: Rejection[] = [];
  for (const [place, value] of gasDays(response)) {
    const one = gasDaySchema.safeParse(value);
    if (one.success) rows.set(one.data.gasDayStart, dayOf(one.data));
    else rejected.push(rejection(`#${place}`, one.error));
  }
  return { rows: [...rows.values()], rejected };
}

/** The source already reports gas in terawatt-hours. */
function dayOf({ gasDayStart, full, gasInStorage }: z.output<typeof gasDaySchema>): Day {
  return { date: gasDayStart, fillPct: full, gasTwh: gasInStorage };
}
