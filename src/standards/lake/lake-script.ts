import type { LakeView } from "./lake-views.ts";

/** Returns the DuckDB script that creates all views. DuckDB needs the network only when a view is read. */
export function lakeScript(views: readonly LakeView[], origin: string): string {
  const statements = views.map((view) => statementsOf(view, origin));
  return [...statements, archiveMacro].join("\n\n");
}

/** Instructions for people, before the statements of the script. */
export function scriptHead(origin: string): string {
  return `-- Views over the current data of ${origin}, for DuckDB 1.4 or newer:
--   curl -s ${origin}/lake.sql -o lake.sql && duckdb -init lake.sql
-- Most views need a key. Remove the dashes of the next line, and write your key into it.
-- CREATE SECRET ids (TYPE http, SCOPE '${origin}/', EXTRA_HTTP_HEADERS MAP {'X-Service-Key': '<your key>'});
-- Rows count against the exported rows of your plan, once per version of the data and hour.
INSTALL httpfs;
LOAD httpfs;

`;
}

/** Name of a macro's parameter. If a column had the same name, the macro would read the parameter instead of it. */
const address = "ids_file_url";

/**
 * Returns statements that create a view without reading its file. DuckDB checks the columns of a view when it creates
 * it, so the view is first created over rows of the same types.
 */
function statementsOf({ name, description, file, columns }: LakeView, origin: string): string {
  const rows = `${name}_rows`;
  const typed = columns.map((column) => `NULL::${column.type} AS ${quoted(column.name)}`);
  const named = columns.map((column) => quoted(column.name));
  const units = columns.flatMap((column) =>
    column.unit === undefined ? [] : [`COMMENT ON COLUMN ${name}.${quoted(column.name)} IS ${literal(column.unit)};`],
  );
  return [
    `CREATE OR REPLACE MACRO ${rows}() AS TABLE SELECT ${typed.join(", ")};`,
    `CREATE OR REPLACE VIEW ${name} AS SELECT * FROM ${rows}();`,
    `CREATE OR REPLACE MACRO ${rows}(${address} := ${literal(origin + file)}) AS TABLE`,
    `  SELECT ${named.join(", ")} FROM read_parquet(${address});`,
    `COMMENT ON VIEW ${name} IS ${literal(description)};`,
    ...units,
  ].join("\n");
}

/** A macro that reads the rows of all archived days from the folder or bucket of the archive. */
const archiveMacro = `CREATE OR REPLACE MACRO archive(place, dataset, rows) AS TABLE
  SELECT * FROM read_parquet(
    place || '/dataset=' || dataset || '/day=*/table=' || rows || '/*.parquet',
    hive_partitioning = true, union_by_name = true
  );
`;

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
