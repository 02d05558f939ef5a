"""DuckDB reads CSV by its metadata and by itself, Parquet and NDJSON."""

import duckdb
from table_files import compare_csv, compare_guessed, compare_stored, compare_typed, require, run, stored_kind

duckdb.sql("set TimeZone = 'UTC'")

TYPES = {
    "boolean": "BOOLEAN",
    "integer": "BIGINT",
    "bigint": "BIGINT",
    "number": "DOUBLE",
    "day": "DATE",
    "moment": "TIMESTAMPTZ",
    "json": "JSON",
}
STORED = {
    "boolean": "BOOLEAN",
    "integer": "INTEGER",
    "bigint": "BIGINT",
    "number": "DOUBLE",
    "text": "VARCHAR",
    "day": "DATE",
    "moment": "TIMESTAMP WITH TIME ZONE",
}


def columns_of(relation):
    cells = list(zip(*relation.fetchall())) or [()] * len(relation.columns)
    return dict(zip(relation.columns, cells))


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
    relation = duckdb.read_parquet(table.file("parquet"))
    require(relation.columns == table.names, "the columns of Parquet differ")
    kinds = dict(zip(relation.columns, map(str, relation.types)))
    stored = columns_of(relation)
    for column in table.columns:
        own = kinds[column["name"]]
        expected = STORED.get(stored_kind(table, column), "JSON")
        if column["type"] == "list":
            require(own.endswith("[]"), column["name"], "is stored as", own, "and no list")
            expected = own
        require(own == expected, column["name"], "is stored as", own, "and not", expected)
        compare_stored(table, column, stored[column["name"]])
    if table.rows:
        types = {column["name"]: STORED.get(column["type"], "JSON") for column in table.columns}
        lines = columns_of(duckdb.read_json(table.file("ndjson"), format="newline_delimited", columns=types))
        for column in table.columns:
            compare_typed(table, column, lines[column["name"]])


run(read_table)
