"""Arrow reads CSV by its metadata and by itself, Parquet and NDJSON."""

import pyarrow
from pyarrow import csv, json, parquet
from table_files import compare_csv, compare_guessed, compare_stored, compare_typed, require, run, stored_kind, without_geometry

TYPES = {
    "boolean": pyarrow.bool_(),
    "integer": pyarrow.int64(),
    "bigint": pyarrow.int64(),
    "number": pyarrow.float64(),
    "day": pyarrow.date32(),
    "moment": pyarrow.timestamp("ms", "UTC"),
}
STORED = {
    "boolean": pyarrow.bool_(),
    "integer": pyarrow.int32(),
    "bigint": pyarrow.int64(),
    "number": pyarrow.float64(),
    "text": pyarrow.string(),
    "day": pyarrow.date32(),
    "moment": pyarrow.timestamp("ms", "UTC"),
}
SCALARS = ("boolean", "integer", "number")
PARSING = csv.ParseOptions(newlines_in_values=True)


def read_table(table):
    types = {name: TYPES.get(kind, pyarrow.string()) for name, kind in table.declared.items()}
    typed = csv.ConvertOptions(column_types=types, null_values=[""], strings_can_be_null=True)
    frame = csv.read_csv(table.file("csv"), parse_options=PARSING, convert_options=typed)
    require(frame.column_names == list(table.declared), "the header of CSV is", frame.column_names)
    for name in table.declared:
        compare_csv(table, name, frame[name].to_pylist())
    guessing = csv.ConvertOptions(null_values=[""], strings_can_be_null=True)
    guessed = csv.read_csv(table.file("csv"), parse_options=PARSING, convert_options=guessing)
    compare_guessed(table, lambda name: guessed[name].to_pylist())
    stored = parquet.read_table(table.file("parquet"))
    require(without_geometry(stored.column_names) == table.names, "the columns of Parquet differ")
    for column in table.columns:
        own = stored.schema.field(column["name"]).type
        expected = STORED.get(stored_kind(table, column), own)
        require(own == expected, column["name"], "is stored as", own, "and not", expected)
        compare_stored(table, column, stored[column["name"]].to_pylist())
    if table.rows:
        # Texts that look like moments would become moments.
        texts = pyarrow.schema([(column["name"], pyarrow.string()) for column in table.columns if is_text(column)])
        lines = json.read_json(table.file("ndjson"), parse_options=json.ParseOptions(explicit_schema=texts))
        for column in table.columns:
            if is_text(column) or column["type"] in SCALARS:
                compare_typed(table, column, lines[column["name"]].to_pylist())


def is_text(column):
    return column["type"] == "text"


run(read_table)
