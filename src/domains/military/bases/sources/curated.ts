import { readFile } from "node:fs/promises";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { MilitaryBaseSchema } from "../../../../../gen/es/ids/military/v1/military_pb.ts";
import { UpstreamError } from "../../../../egress/upstream-error.ts";
import { type Parsed, type Rejection, readRow, type Source } from "../../../../ingest/source.ts";
import { statuses, types } from "./vocabulary.ts";

type Row = MessageInitShape<typeof MilitaryBaseSchema>;

/** The project's own list of bases abroad and other important bases, each with its operating power. */
export const curated: Source<Row> = {
  name: "curated",
  license: { kind: "open", terms: "Part of this project" },
  own: true,
  variables: [],
  rows: { atLeast: 82, mayBeEmpty: false },
  fetch: () => readFile(new URL("curated-bases.csv", import.meta.url), "utf8"),
  parse,
};

const columns = ["id", "name", "latitude", "longitude", "type", "status", "branch", "categories"] as const;

const Line = z.object({
  id: z.string().regex(/^[a-z\d-]+$/),
  name: z.string().min(1),
  latitude: z.coerce.number().min(-90).max(90),
  longitude: z.coerce.number().min(-180).max(180),
  type: z.string().refine((type) => types.has(type), "not an operating power"),
  status: z.enum(statuses),
  branch: z.string(),
  categories: z
    .string()
    .transform((words) => words.split(" ").filter((word) => word !== ""))
    .pipe(z.array(z.enum(["airforce", "naval", "nuclear", "space", "training"]))),
});

function parse(response: unknown): Parsed<Row> {
  const [header, ...lines] = z.string().catch("").parse(response).trim().split("\n");
  if (header !== columns.join()) throw new UpstreamError("curated bases: not the columns of the list");
  const rows: Row[] = [];
  const rejected: Rejection[] = [];
  for (const [place, line] of lines.entries()) {
    const cells = line.split(",");
    const read = readRow(
      Line,
      Object.fromEntries(columns.map((column, index) => [column, cells[index]])),
      `line ${place + 2}`,
      rejected,
    );
    if (read) rows.push(baseOf(read));
  }
  return { rows, rejected };
}

function baseOf({ categories, ...base }: z.infer<typeof Line>): Row {
  return {
    ...base,
    kind: "base",
    tier: 1,
    catAirforce: categories.includes("airforce"),
    catNaval: categories.includes("naval"),
    catNuclear: categories.includes("nuclear"),
    catSpace: categories.includes("space"),
    catTraining: categories.includes("training"),
  };
}
