import { z } from "zod";
import { libraries } from "../../reference/libraries.ts";
import { sourceDay } from "../../reference/source-time.ts";

/** Trims text. A missing text becomes empty. */
export const text = z
  .string()
  .nullish()
  .transform((value) => value?.trim() ?? "");

/** A day as YYYY-MM-DD. Text without a day becomes empty. */
export const optionalDay = text.transform((value) => sourceDay(value) ?? "");

export const number = z.union([z.number(), z.string().trim().min(1).transform(Number).pipe(z.number())]);

/** An http or https address without a user name. Any other text becomes empty. */
export const webAddress = text.transform((value) => {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  return url && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "" ? url.href : "";
});

export function plainText(html: string): string {
  const $ = libraries.cheerio().load(html, {}, false);
  $("script, style").remove();
  $("br, p, li, div, td").append(" ");
  return $.root().text().replace(/\s+/g, " ").trim();
}
