import { text } from "../../ingest/row-fields.ts";
import { libraries } from "../../reference/libraries.ts";
import { sourceDay } from "../../reference/source-time.ts";

/** A day as YYYY-MM-DD. Empty if the text contains no day. */
export const optionalDay = text.transform((value) => sourceDay(value) ?? "");

/** An http or https address without credentials. Other text becomes empty. */
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
