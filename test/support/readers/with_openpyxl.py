"""openpyxl reads the cells of XLSX in their types, and never a formula."""

from datetime import timezone

import openpyxl
from openpyxl.utils.escape import unescape
from table_files import is_empty, list_text, milliseconds, require, run, stored_kind

MAX_CHARACTERS = 32767
MAX_DIGITS = 15


def read_table(table):
    book = openpyxl.load_workbook(table.file("xlsx"))
    require(book.sheetnames == ["Data", "About"], "the sheets are", book.sheetnames)
    header, *rows = book["Data"].iter_rows()
    require([cell.value for cell in header] == table.names, "the header differs")
    require(len(rows) == len(table.rows), "there are", len(rows), "of", len(table.rows), "rows")
    for column, cells in zip(table.columns, zip(*rows)):
        kind = stored_kind(table, column)
        for place, (row, cell) in enumerate(zip(table.rows, cells)):
            expected = row[column["name"]]
            where = (column["name"], "of row", place, "is", repr(cell.value)[:200], "and not", repr(expected)[:200])
            require(cell.data_type != "f", column["name"], "of row", place, "is a formula")
            require(is_right(kind, column, expected, cell.value), *where)


def is_right(kind, column, expected, value):
    if is_empty(column["type"], expected):
        return value is None
    if kind == "moment":
        at = int(expected) if column["isTime"] else milliseconds(expected)
        return milliseconds(value.replace(tzinfo=timezone.utc)) == at
    if kind == "day":
        return value.date().isoformat() == expected
    if kind == "boolean":
        return value is expected
    if kind in ("integer", "bigint") and len(str(expected).removeprefix("-")) > MAX_DIGITS:
        return value == str(expected)
    if kind in ("integer", "bigint", "number"):
        return not isinstance(value, (bool, str)) and float(value) == float(expected)
    return is_text(text_of(column["type"], expected), unescape(value))


def text_of(kind, expected):
    return list_text(expected) if kind == "list" else expected


def is_text(expected, value):
    if not isinstance(expected, str):
        # The spaces of nested JSON are those of the service.
        return isinstance(value, str)
    if len(expected.encode("utf-16-le")) // 2 <= MAX_CHARACTERS:
        return value == expected
    return expected.startswith(value.split("… [shortened from ")[0]) and len(value) <= MAX_CHARACTERS


run(read_table)
