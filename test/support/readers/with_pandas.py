"""pandas reads CSV by its metadata and by itself, Parquet and NDJSON."""

import pandas
from table_files import compare_csv, compare_guessed, compare_stored, compare_typed, is_missing, require, run, without_geometry

DTYPES = {"boolean": "boolean", "integer": "Int64", "bigint": "Int64", "number": "float64"}


def values_of(series):
    return [None if is_missing(value) or value is pandas.NA or value is pandas.NaT else value for value in series.tolist()]


def read_table(table):
    csv = table.file("csv")
    dtypes = {name: DTYPES.get(kind, "str") for name, kind in table.declared.items()}
    frame = pandas.read_csv(csv, dtype=dtypes, keep_default_na=False, na_values=[""])
    require(list(frame.columns) == list(table.declared), "the header of CSV is", list(frame.columns))
    for name, kind in table.declared.items():
        is_time = kind in ("moment", "day")
        series = pandas.to_datetime(frame[name], format="ISO8601", utc=True) if is_time else frame[name]
        compare_csv(table, name, values_of(series))
    guessed = pandas.read_csv(csv, keep_default_na=False, na_values=[""])
    compare_guessed(table, lambda name: values_of(guessed[name]))
    stored = pandas.read_parquet(table.file("parquet"), dtype_backend="numpy_nullable")
    require(without_geometry(stored.columns) == table.names, "the columns of Parquet differ")
    for column in table.columns:
        compare_stored(table, column, values_of(stored[column["name"]]))
    if table.rows:
        lines = pandas.read_json(
            table.file("ndjson"), lines=True, dtype=False, precise_float=True, encoding="utf-8"
        )
        for column in table.columns:
            compare_lines(table, column, values_of(lines[column["name"]]))


def compare_lines(table, column, values):
    # Whole numbers beside unknown ones are floats in pandas.
    is_whole = column["type"] in ("integer", "bigint")
    compare_typed(table, column, [int(value) if is_whole and value is not None else value for value in values])


run(read_table)
