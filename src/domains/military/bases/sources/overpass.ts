import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { MilitaryBaseSchema } from "../../../../../gen/es/ids/military/v1/military_pb.ts";
import { UpstreamError } from "../../../../egress/upstream-error.ts";
import { type Parsed, type Rejection, readRows, type Source } from "../../../../ingest/source.ts";
import { categoriesOf, kindOf, plainName, tierOf } from "./vocabulary.ts";

type Row = MessageInitShape<typeof MilitaryBaseSchema>;

/** All named military elements of OpenStreetMap, from an Overpass server. */
export const overpass: Source<Row> = {
  name: "overpass",
  license: { kind: "attribution", publisher: "OpenStreetMap", terms: "ODbL 1.0, © OpenStreetMap contributors" },
  access: {
    rejection: "429: the address has used its share of the server, for some time.",
  },
  rows: { atLeast: 5_000, mayBeEmpty: false },
  fetch: (upstream) =>
    upstream.json({
      url: "https://overpass-api.de/api/interpreter",
      // The server's timeout is shorter than the client's, so that the client receives the error message.
      form: { data: '[out:json][timeout:270];nwr["military"]["name"];out center tags;' },
      timeoutMs: 300_000,
      maxBytes: 256 * 1024 * 1024,
    }),
  parse,
};

const responseSchema = z.object({ elements: z.array(z.unknown()), remark: z.string().optional() });

const position = { lat: z.number().min(-90).max(90), lon: z.number().min(-180).max(180) };
const named = { id: z.int().nonnegative(), tags: z.record(z.string(), z.string()).default({}) };
const Element = z.discriminatedUnion("type", [
  z.object({ type: z.literal("node"), ...named, ...position }),
  z.object({ type: z.enum(["way", "relation"]), ...named, center: z.object(position) }),
]);

function parse(response: unknown): Parsed<Row> {
  const envelope = responseSchema.safeParse(response);
  if (!envelope.success) throw new UpstreamError("Overpass: not a response with elements", { cause: envelope.error });
  const { elements, remark } = envelope.data;
  // A query that fails halfway returns status 200 and the elements that it has found until then.
  if (remark?.includes("error")) throw new UpstreamError(`Overpass: ${remark}`);
  const rows: Row[] = [];
  const rejected: Rejection[] = [];
  for (const read of readRows(Element, elements, rejected, (place) => `element ${place}`)) {
    const row = baseOf(read);
    if (typeof row === "string") rejected.push({ row: `${read.type}/${read.id}`, reason: row });
    else rows.push(row);
  }
  return { rows, rejected };
}

function baseOf(element: z.infer<typeof Element>): Row | string {
  const { type, id, tags } = element;
  const military = tags.military ?? "no";
  if (military === "no") return "not military";
  const name = plainName(tags["name:en"] ?? "") || plainName(tags.name ?? "");
  if (name === "") return "no name";
  const { lat, lon } = "center" in element ? element.center : element;
  const kind = kindOf(military);
  const branch = branchOf(tags.military_branch ?? "");
  return {
    id: `${type}/${id}`,
    name,
    latitude: lat,
    longitude: lon,
    kind,
    tier: tierOf(kind),
    branch,
    status: tags.disused === "yes" || tags.abandoned === "yes" ? "closed" : "",
    ...categoriesOf(kind, name, branch),
  };
}

/** Converts an OpenStreetMap tag such as `air_force;army` to `Air Force, Army`. Other text stays unchanged. */
function branchOf(tag: string): string {
  const words = (code: string) => code.replace(/(?:^|_)[a-z]/g, (start) => start.replace("_", " ").toUpperCase());
  const branches = plainName(tag)
    .split(";")
    .map((branch) => branch.trim());
  return branches.map((branch) => (/^[a-z_]+$/.test(branch) ? words(branch) : branch)).join(", ");
}
