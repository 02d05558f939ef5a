import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { ObservationSchema } from "../../../../gen/es/ids/stored/v1/observation_pb.ts";
import { UpstreamError } from "../../../egress/upstream-error.ts";
import { day, decimal } from "../../../ingest/row-fields.ts";
import { type Parsed, readRow, type Source } from "../../../ingest/source.ts";
import { readCsv } from "../../../upstream/csv.ts";

type Observation = MessageInitShape<typeof ObservationSchema>;

const url = "https://www.newyorkfed.org/medialibrary/research/interactives/data/gscpi/gscpi_interactive_data.csv";

/** The monthly Global Supply Chain Pressure Index since 1997. Each column is a complete edition of the series. */
export const gscpi: Source<Observation> = {
  name: "gscpi",
  license: {
    kind: "attribution",
    publisher: "Federal Reserve Bank of New York",
    terms: "Federal Reserve Bank of New York, terms of use",
  },
  access: {
    rejection: "The site rejects some addresses, and programs whose user agent does not begin like that of a browser.",
  },
  rows: { atLeast: 100, mayBeEmpty: false },
  fetch: (upstream) => upstream.text({ url, likeBrowser: true }),
  parse,
  minutesApart: 23 * 60,
  observedAt: ({ date = "" }) => Date.parse(date),
};

function parse(response: unknown): Parsed<Observation> {
  const { head, rows: read, rejected } = readCsv("GSCPI", z.string().parse(response));
  if (head[0] !== "Date" || head.length < 2) throw new UpstreamError("GSCPI: no table of editions by month");
  const rows: Observation[] = [];
  for (const [month = "", ...editions] of read.slice(1).map(({ cells }) => cells)) {
    const value = editions.findLast((cell) => cell !== "" && cell !== "#N/A");
    if (value === undefined) continue;
    const one = readRow(rowSchema, { date: month, value }, month, rejected);
    if (one) rows.push({ seriesId: "GSCPI", ...one });
  }
  return { rows, rejected };
}

const rowSchema = z.object({ date: day, value: decimal });
