import type { DescField } from "@bufbuild/protobuf";
import { field as fieldOption, TimeEncoding } from "../../../gen/es/ids/options/v1/options_pb.ts";
import { getOption } from "../../contract/option.ts";
import { dayMs } from "../../reference/duration.ts";

const aDay = /^\d{4}-\d\d-\d\d$/;

function timeOf(field: DescField): TimeEncoding {
  return getOption(field, fieldOption).time;
}

/** Both bounds of a span are included: its last day counts to its end. */
function offsetOf({ name }: DescField): number {
  return name === "end" ? dayMs - 1 : 0;
}

/** A bound as people choose it; undefined where it is no whole day, so that nothing of it is lost. */
export function dayIn(field: DescField, value: string): string | undefined {
  const time = timeOf(field);
  if (time !== TimeEncoding.EPOCH_MS && time !== TimeEncoding.DAY) return undefined;
  if (value === "" || aDay.test(value)) return value;
  const start = Number(value) - offsetOf(field);
  if (time === TimeEncoding.DAY || !Number.isSafeInteger(start) || start % dayMs !== 0) return undefined;
  const day = new Date(start);
  return Number.isNaN(day.getTime()) ? undefined : day.toISOString().slice(0, 10);
}
