import { TimeEncoding } from "../../../gen/es/ids/options/v1/options_pb.ts";

/** Returns the start of a time value in Unix epoch milliseconds, or null if the value is not a time. */
export function epochMs(value: string | number | bigint, encoding: TimeEncoding): number | null {
  const text = String(value);
  const [, year = "", quarter, month] = /^(\d{4})(?:-Q([1-4])|-(\d\d))?$/.exec(text) ?? [];
  const isPeriod = year !== "" && encoding !== TimeEncoding.EPOCH_MS;
  if (isPeriod) return Date.UTC(Number(year), quarter ? 3 * (Number(quarter) - 1) : Number(month ?? 1) - 1);
  const instant = encoding === TimeEncoding.EPOCH_MS ? Number(text) : Date.parse(text);
  return text === "" || Number.isNaN(instant) ? null : instant;
}
