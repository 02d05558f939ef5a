"""What DuckDB makes of a Parquet file: its columns, their types and every cell."""

import duckdb
from table_files import compare_stored, require, stored_kind, without_geometry

duckdb.sql("set TimeZone = 'UTC'")

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


def read_parquet(table):
    relation = duckdb.read_parquet(table.file("parquet"), hive_partitioning=False)
    require(without_geometry(relation.columns) == table.names, "the columns of Parquet differ")
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
