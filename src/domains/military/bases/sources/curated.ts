import { readFile } from "node:fs/promises";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { MilitaryBaseSchema } from "../../../../../gen/es/ids/military/v1/military_pb.ts";
import { type Parsed, readRow, type Source } from "../../../../ingest/source.ts";
import { readCsvTable } from "../../../../upstream/csv.ts";
import { statuses, types } from "./vocabulary.ts";

type Row = MessageInitShape<typeof MilitaryBaseSchema>;

/** The project's own list of bases abroad and other important bases, each with its operating power. */
export const curated: Source<Row> = {
  name: "curated",
  license: { kind: "open", publisher: "this project", terms: "Part of this project" },
  own: true,
  rows: { atLeast: 82, mayBeEmpty: false },
  fetch: () => readFile(new URL("curated-bases.csv", import.meta.url), "utf8"),
  parse,
};

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
  const rows: Row[] = [];
  const { records, rejected } = readCsvTable("The list of bases", z.string().parse(response), Object.keys(Line.shape));
  for (const { line, record } of records) {
    const read = readRow(Line, record, `line ${line}`, rejected);
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
