"""Frictionless validates CSV by the columns of its metadata."""

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
    key = json.loads(table.text("csvw"))["tableSchema"].get("primaryKey", [])
    schema = Schema(fields=[FIELDS.get(kind, fields.StringField)(name=name) for name, kind in table.declared.items()])
    dialect = Dialect(controls=[formats.CsvControl(line_terminator="\r\n")])
    name = table.file("csv").rpartition("/")[2]
    report = Resource(path=name, basepath=str(folder), schema=schema, dialect=dialect, encoding="utf-8").validate()
    require(report.valid, report.flatten(["rowNumber", "fieldName", "type", "note"])[:3])
    rows = report.task.stats.get("rows", 0)
    require(rows == len(table.rows), rows, "rows of", len(table.rows))


run(read_table)
