"""DuckDB reads CSV by its metadata and by itself, Parquet and NDJSON."""

import duckdb
from parquet_by_duckdb import STORED, columns_of, read_parquet
from table_files import compare_csv, compare_guessed, compare_typed, require, run

TYPES = {
    "boolean": "BOOLEAN",
    "integer": "BIGINT",
    "bigint": "BIGINT",
    "number": "DOUBLE",
    "day": "DATE",
    "moment": "TIMESTAMPTZ",
    "json": "JSON",
}


def read_table(table):
    csv = table.file("csv")
    types = {name: TYPES.get(kind, "VARCHAR") for name, kind in table.declared.items()}
    frame = columns_of(duckdb.read_csv(csv, columns=types, header=True, sep=",", quotechar='"', escapechar='"'))
    for name in table.declared:
        compare_csv(table, name, frame[name])
    if table.rows:
        relation = duckdb.read_csv(csv, sample_size=-1)
        require(relation.columns == list(table.declared), "the header of CSV is", relation.columns)
        guessed = columns_of(relation)
        compare_guessed(table, lambda name: guessed[name])
    read_parquet(table)
    if table.rows:
        types = {column["name"]: STORED.get(column["type"], "JSON") for column in table.columns}
        lines = columns_of(duckdb.read_json(table.file("ndjson"), format="newline_delimited", columns=types))
        for column in table.columns:
            compare_typed(table, column, lines[column["name"]])


run(read_table)
