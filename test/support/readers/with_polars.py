"""Polars reads CSV by its metadata and by itself, Parquet and NDJSON."""

import polars
from table_files import compare_csv, compare_guessed, compare_stored, compare_typed, require, run, without_geometry

DTYPES = {
    "boolean": polars.Boolean,
    "integer": polars.Int64,
    "bigint": polars.Int64,
    "number": polars.Float64,
    "day": polars.Date,
}
SCALARS = ("text", "boolean", "integer", "bigint", "number")


def read_table(table):
    csv = table.file("csv")
    dtypes = {name: DTYPES.get(kind, polars.String) for name, kind in table.declared.items()}
    frame = polars.read_csv(csv, schema_overrides=dtypes)
    require(frame.columns == list(table.declared), "the header of CSV is", frame.columns)
    for name, kind in table.declared.items():
        series = frame[name]
        compare_csv(table, name, (series.str.to_datetime(time_zone="UTC") if kind == "moment" else series).to_list())
    guessed = polars.read_csv(csv, infer_schema_length=None, try_parse_dates=True)
    compare_guessed(table, lambda name: guessed[name].to_list())
    stored = polars.read_parquet(table.file("parquet"))
    require(without_geometry(stored.columns) == table.names, "the columns of Parquet differ")
    for column in table.columns:
        compare_stored(table, column, stored[column["name"]].to_list())
    lines = polars.read_ndjson(table.file("ndjson"), infer_schema_length=None) if table.rows else polars.DataFrame()
    for column in table.columns:
        # Objects of one column become one struct, with members that its rows do not have.
        if table.rows and column["type"] in SCALARS:
            compare_typed(table, column, lines[column["name"]].to_list())


run(read_table)
