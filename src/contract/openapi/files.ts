import { citationTypes } from "../citation.ts";
import { columnNames, mediaTypes, offeredFormats } from "../file-format.ts";
import type { JsonSchema } from "../rules/json-schema.ts";
import type { Table } from "../tables.ts";

/** Returns the parameters for a file instead of JSON; empty if the response is not a table. */
export function fileParameters(tables: readonly Table[], isPaged: boolean): JsonSchema[] {
  const formats = offeredFormats(tables);
  if (formats.length === 0) return [];
  const names = tables.map(({ name }) => name);
  return [
    query("format", { type: "string", enum: ["json", ...formats], default: "json" }, [
      "Format of the response; `Accept` with the format's media type does the same.",
      "Tables have the same columns in every format, named by their dotted JSON path; a cell that is not known is empty (`null` in NDJSON and GeoJSON), never 0.",
      "A time is a timestamp in Parquet and XLSX and ISO 8601 in the others, in a column `….iso` where JSON has milliseconds.",
      "`csvw` is the metadata of the CSV file: units, descriptions, terms. `atom`, `jsonfeed`, and `ics` are feeds with an entry per row, newest first, whose IDs never change.",
      "Not together with `jmespath`, except for `json`.",
    ]),
    ...(names.length > 1
      ? [
          query("rows", { type: "string", enum: names, default: names[0] }, [
            "Table of the file; if absent, the first that has the format. JSON has them all.",
          ]),
        ]
      : []),
    query("raw", { type: "boolean", default: false }, [
      "CSV only: any value with another format is a 400. If true, text is left as it is. By default an apostrophe precedes `=`, `+`, `-`, and `@` (in full width too) at the start of a text cell and after `;`, tab, CR, or LF, and a cell that begins with tab, CR, or LF: spreadsheets would run formulas there.",
    ]),
    ...(isPaged
      ? [
          query("all", { type: "boolean", default: false }, [
            "If true, all pages are written as one file: CSV, NDJSON, XLSX, GeoJSON or Parquet. A page size is ignored; a cursor sets the start.",
            "Requires a key. Rows count against the plan's exported rows per day, and every 100 of them as a call.",
            "The file is stored for an hour or until the data changes, so that ranges and repeated downloads are fast. Within an hour, all ranges of one version (`ETag`) count once.",
            "If the data is refreshed while the file is written, the status is 503: request it again.",
          ]),
        ]
      : []),
    query("columns", { type: "string", enum: columnNames, default: columnNames[0] }, [
      "Names of the columns of a file: `path` is the dotted JSON path (`location.latitude`), `snake` is snake_case (`location_latitude`, `occurred_at_iso`).",
      "`snake` is a 400 for JSON and feeds, which have no columns.",
    ]),
  ];
}

/** Returns the content of a success in each file format. The parameter `format` describes the formats. */
export function fileContents(tables: readonly Table[]): Record<string, JsonSchema> {
  return Object.fromEntries(offeredFormats(tables).map((format) => [mediaTypes[format], {}]));
}

/** The content of a success if the request has `cite`. */
export const citationContents: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  Object.values(citationTypes).map((type) => [type.split(";")[0], {}]),
);

function query(name: string, schema: JsonSchema, sentences: readonly string[]): JsonSchema {
  return { name, in: "query", description: sentences.join(" "), schema };
}
