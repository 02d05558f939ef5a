import { z } from "zod";
import { UpstreamError } from "../../errors.ts";
import { rejection } from "../../ingest/rejection.ts";
import { libraries } from "../../reference/libraries.ts";
import { sourceDay } from "../../reference/source-time.ts";

/** A text that may be missing. */
export const text = z
  .string()
  .nullish()
  .transform((value) => value?.trim() ?? "");

/** A day as YYYY-MM-DD; empty if the text has none. */
export const optionalDay = text.transform((value) => sourceDay(value) ?? "");

/** A number, or text that is one. */
export const number = z.union([z.number(), z.string().trim().min(1).transform(Number).pipe(z.number())]);

/** An http(s) address that names no user; empty for any other. */
export const webAddress = text.transform((value) => {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  return url && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "" ? url.href : "";
});

/** The value, if it has the expected format; a changed one throws. */
export function checked<T extends z.ZodType>(who: string, schema: T, value: unknown): z.output<T> {
  const read = schema.safeParse(value);
  if (!read.success) throw new UpstreamError(`${who}: ${rejection("", read.error).reason}`);
  return read.data;
}

/** What a reader sees of HTML, on one line. */
export function plainText(html: string): string {
  const $ = libraries.cheerio().load(html, {}, false);
  $("script, style").remove();
  $("br, p, li, div, td").append(" ");
  return $.root().text().replace(/\s+/g, " ").trim();
}
