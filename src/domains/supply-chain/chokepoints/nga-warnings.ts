import { z } from "zod";
import { UpstreamError } from "../../../egress/upstream-error.ts";
import { type Parsed, type Rejection, rejection, type Source } from "../../../ingest/source.ts";
import type { Reading } from "./reading.ts";
import { chokepointsOf } from "./warning-place.ts";

/** Navigational warnings in force worldwide. Their text contains the places as words and as positions. */
export const ngaWarnings: Source<Reading> = {
  name: "nga-warnings",
  license: { kind: "open", terms: "US public domain, National Geospatial-Intelligence Agency" },
  variables: [],
  rows: { atLeast: 15, mayBeEmpty: false },
  minutesApart: 55,
  fetch: (upstream) =>
    upstream.json({ url: "https://msi.nga.mil/api/publications/broadcast-warn?output=json&status=A" }),
  parse,
};

const responseSchema = z.object({ "broadcast-warn": z.array(z.unknown()) });
const number = z.coerce.number().int().positive();
const warningSchema = z.object({
  msgYear: number,
  msgNumber: number,
  navArea: z.string().min(1),
  text: z.string().min(1),
});

function parse(response: unknown): Parsed<Reading> {
  const read = responseSchema.safeParse(response);
  if (!read.success) throw new UpstreamError(`NGA warnings: ${rejection("", read.error).reason}`);
  const rows: Reading[] = [];
  const rejected: Rejection[] = [];
  for (const [place, warning] of read.data["broadcast-warn"].entries()) {
    const one = warningSchema.safeParse(warning);
    if (!one.success) {
      rejected.push(rejection(`#${place}`, one.error));
      continue;
    }
    const { navArea, msgNumber, msgYear, text } = one.data;
    const value = { id: `${navArea} ${msgNumber}/${msgYear}`, chokepointIds: chokepointsOf(text) };
    rows.push({ reported: { case: "warning", value } });
  }
  return { rows, rejected };
}
