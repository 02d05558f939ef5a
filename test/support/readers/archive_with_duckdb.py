"""DuckDB reads the Parquet files of an archive."""

from parquet_by_duckdb import read_parquet
from table_files import run

run(read_parquet)
