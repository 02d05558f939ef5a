"""Frictionless validates CSV by the columns and the key of its metadata."""

import json

from frictionless import Dialect, Resource, Schema, fields, formats
from table_files import folder, require, run

FIELDS = {
    "boolean": fields.BooleanField,
    "integer": fields.IntegerField,
    "bigint": fields.IntegerField,
    "number": fields.NumberField,
    "day": fields.DateField,
    "moment": fields.DatetimeField,
}


def read_table(table):
    described = json.loads(table.text("csvw"))["tableSchema"]
    # What counts everything is one row, which no key has to tell apart.
    key = described.get("primaryKey", []) if len(table.rows) > 1 else []
    titles = {column["name"]: column["titles"] for column in described["columns"]}
    schema = Schema(
        fields=[FIELDS.get(kind, fields.StringField)(name=name) for name, kind in table.declared.items()],
        primary_key=[titles[name] for name in key],
    )
    dialect = Dialect(controls=[formats.CsvControl(line_terminator="\r\n")])
    name = table.file("csv").rpartition("/")[2]
    report = Resource(path=name, basepath=str(folder), schema=schema, dialect=dialect, encoding="utf-8").validate()
    require(report.valid, report.flatten(["rowNumber", "fieldName", "type", "note"])[:3])
    rows = report.task.stats.get("rows", 0)
    require(rows == len(table.rows), rows, "rows of", len(table.rows))


run(read_table)
