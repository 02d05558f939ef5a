import { type DescMessage, type MessageInitShape, type MessageShape, toJson } from "@bufbuild/protobuf";
import {
  ChangesTriggerSchema,
  SeriesTriggerSchema,
  StalenessTriggerSchema,
  TendersTriggerSchema,
  type Trigger,
  type TriggerSchema,
} from "../../../../gen/es/ids/alerts/v1/trigger_pb.ts";
import { queryDecoder } from "../../../contract/request/query.ts";
import { InvalidRequest } from "../../../errors.ts";
import { codesOfNames } from "../../country-names.ts";

export const watchKinds = {
  changes: { title: "Changes of data", message: ChangesTriggerSchema },
  series: { title: "A figure that crosses a threshold", message: SeriesTriggerSchema },
  tenders: { title: "Procurement notices", message: TendersTriggerSchema },
  staleness: { title: "Datasets that grow old", message: StalenessTriggerSchema },
} as const;

export type WatchKind = keyof typeof watchKinds;

export function isWatchKind(name: string | null): name is WatchKind {
  return name !== null && Object.hasOwn(watchKinds, name);
}

const decode = {
  changes: queryDecoder(ChangesTriggerSchema),
  series: queryDecoder(SeriesTriggerSchema),
  tenders: queryDecoder(TendersTriggerSchema),
  staleness: queryDecoder(StalenessTriggerSchema),
} as const;

/** Returns the trigger in the fields of a form. Throws `InvalidRequest`. */
export function triggerIn(form: URLSearchParams): MessageInitShape<typeof TriggerSchema> {
  const values = listed(form);
  switch (form.get("watch")) {
    case "changes":
      return { changes: decode.changes(values) };
    case "series":
      return { series: decode.series(values) };
    case "tenders":
      return { tenders: decode.tenders(values) };
    case "staleness":
      return { staleness: decode.staleness(values) };
    default:
      throw new InvalidRequest([
        { field: "watch", description: `value must be one of ${Object.keys(watchKinds).join(", ")}` },
      ]);
  }
}

/** Users separate the values of a field by commas, and write countries by name or in either case. */
function listed(form: URLSearchParams): URLSearchParams {
  const pairs = [...form].flatMap(([name, value]): [string, string][] => {
    if (name === "countries") return codesOfNames([value.trim()]).map((code) => [name, code.toUpperCase()]);
    if (name === "keys") return value.split(",").map((item) => [name, item.trim()]);
    return [[name, value.trim()]];
  });
  return new URLSearchParams(pairs);
}

export function fieldsOf({ changes, series, tenders, staleness }: Trigger): readonly [WatchKind, URLSearchParams] {
  if (series) return ["series", valuesOf(SeriesTriggerSchema, series)];
  if (tenders) return ["tenders", valuesOf(TendersTriggerSchema, tenders)];
  if (staleness) return ["staleness", valuesOf(StalenessTriggerSchema, staleness)];
  return ["changes", changes ? valuesOf(ChangesTriggerSchema, changes) : new URLSearchParams()];
}

function valuesOf<D extends DescMessage>(desc: D, message: MessageShape<D>): URLSearchParams {
  const body = toJson(desc, message, { useProtoFieldName: true });
  const pairs = Object.entries(body ?? {}).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, String(each)]),
  );
  return new URLSearchParams(pairs);
}
