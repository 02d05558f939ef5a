"""The package csvw, which knows the rules of CSV on the Web, reads CSV through its metadata."""

import json
import re
import warnings
from pathlib import Path

from csvw import CSVW
from table_files import compare_csv, require, run

DATATYPES = ("boolean", "integer", "long", "double", "json", "date", "dateTime", "string")
# Properties of the recommendation, and of vocabularies whose prefixes it knows.
PROPERTY = re.compile(r"@context|url|notes|dialect|tableSchema|(dc|schema):[a-zA-Z]+")
COLUMN_PROPERTY = re.compile(r"name|titles|datatype|separator|(dc|schema):[a-zA-Z]+")
# A variable of a URI template that begins with no underscore.
NAME = re.compile(r"(?!_)([A-Za-z0-9_]|%[0-9A-Fa-f]{2})(\.?([A-Za-z0-9_]|%[0-9A-Fa-f]{2}))*")


def read_table(table):
    about = json.loads(table.text("csvw"))
    compare_metadata(table, about)
    about["url"] = Path(table.file("csv")).name
    beside = Path(table.file("metadata.json"))
    beside.write_text(json.dumps(about), encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        whole = CSVW(str(beside), validate=True)
        require(whole.is_valid, [str(warning.message) for warning in whole.warnings][:3])
        rows = list(whole.tables[0])
    for column in about["tableSchema"]["columns"]:
        values = [row[column["titles"]] if column["titles"] in row else row[column["name"]] for row in rows]
        if "separator" in column:
            values = [None if value in (None, []) else "|".join("" if item is None else str(item) for item in value) for value in values]
        compare_csv(table, column["titles"], [encoded(value) for value in values])


def encoded(value):
    return json.dumps(value) if isinstance(value, (dict, list)) else value


def compare_metadata(table, about):
    require(about["@context"] == ["http://www.w3.org/ns/csvw", {"@language": "en"}], "context", about["@context"])
    for name in about:
        require(PROPERTY.fullmatch(name), name, "is no property of a table")
    columns = about["tableSchema"]["columns"]
    names = [column["name"] for column in columns]
    require(len(set(names)) == len(names), "two columns have one name")
    for column in columns:
        require(NAME.fullmatch(column["name"]), column["name"], "is no name of a column")
        require(column["datatype"] in DATATYPES, column["datatype"], "is no datatype")
        for name in column:
            require(COLUMN_PROPERTY.fullmatch(name), name, "is no property of a column")
    for name in about["tableSchema"].get("primaryKey", []):
        require(name in names, "the key has", name, "which is no column")


run(read_table)
