"""Python's csv reads CSV, and what a spreadsheet is to be given: no cell of text is a formula there."""

import csv
import json
import re

from table_files import is_empty, list_text, require, run

# The beginning of a formula, and of one in a cell that a spreadsheet splits, unless a number follows there.
FORMULA = re.compile(
    r"\A(?=[=+\-@\t\r\n＝＋－＠])|(?<=[;\t\r\n])(?=[=+\-@＝＋－＠])(?![+-]?[0-9][0-9.,]*(?:[;\t\r\n]|\Z))"
)


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


def read_table(table):
    raw, safe = rows_of(table.file("csv")), rows_of(table.file("sheet.csv"))
    require(len(raw) == len(safe) == len(table.rows), len(raw), "and", len(safe), "rows of", len(table.rows))
    for place, row in enumerate(table.rows):
        for column in table.columns:
            name = column["name"]
            expected = cell_text(column["type"], row[name])
            require(raw[place][name] == expected, name, "of row", place, "is", raw[place][name], "and not", expected)
            is_text = column["type"] in ("text", "list", "json")
            escaped = FORMULA.sub("'", expected) if is_text else expected
            require(safe[place][name] == escaped, name, "of row", place, "is", safe[place][name], "and not", escaped)


def cell_text(kind, value):
    if is_empty(kind, value):
        return ""
    if kind == "list":
        return list_text(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


run(read_table)
