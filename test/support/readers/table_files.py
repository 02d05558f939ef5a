"""The files of each table, and whether what a reader made of one of them is what the JSON says."""

import json
import math
import sys
from datetime import date, datetime, timezone
from pathlib import Path

folder = Path(sys.argv[1])

NUMERIC = ("integer", "bigint", "number")
# Datatypes of CSV on the Web that the service declares, and its types.
DATATYPES = {
    "boolean": "boolean",
    "integer": "integer",
    "long": "bigint",
    "double": "number",
    "json": "json",
    "string": "text",
    "date": "day",
    "dateTime": "moment",
}


class Difference(Exception):
    pass


class TableFiles:
    def __init__(self, entry):
        self.name = entry["name"]
        self.stem = entry["file"]
        self.columns = entry["columns"]
        self.names = [column["name"] for column in self.columns]
        # Names of the columns of longitude and latitude, where a row has a place.
        self.place = entry["place"]
        self.rows = [json.loads(line) for line in self.text("ndjson").split("\n") if line]
        described = json.loads(self.text("csvw"))["tableSchema"]["columns"]
        self.declared = {
            column["titles"]: "list" if "separator" in column else DATATYPES[column["datatype"]] for column in described
        }

    def file(self, ending):
        return str(folder / f"{self.stem}.{ending}")

    def text(self, ending):
        return Path(self.file(ending)).read_bytes().decode("utf-8")

    @property
    def has_places(self):
        return bool(self.place)


def without_geometry(names):
    """Names of the columns of Parquet but for the points, which GeoParquet has in addition to their coordinates."""
    return [name for name in names if name != "geometry"]


def all_tables():
    return [TableFiles(entry) for entry in json.loads((folder / "tables.json").read_text())]


def require(is_so, *what):
    if not is_so:
        raise Difference(" ".join(str(part) for part in what))


def is_empty(kind, value):
    """Whether a cell of CSV is empty: what is not known, an empty text and a list without items look alike."""
    return value is None or value == "" or (kind == "list" and value == [])


def list_text(items):
    return "|".join(item if isinstance(item, str) else json.dumps(item) for item in items)


def milliseconds(value):
    if value is None:
        return None
    if isinstance(value, str):
        value = datetime.fromisoformat(value)
    if value.tzinfo is None:
        value = value.replace(tzinfo=timezone.utc)
    return round((value - datetime(1970, 1, 1, tzinfo=timezone.utc)).total_seconds() * 1000)


def is_missing(value):
    return value is None or (isinstance(value, float) and math.isnan(value))


def compare_typed(table, column, values):
    """Values of one column in types of Python, as the metadata or the schema of the file declare them."""
    name = column["name"]
    require(len(values) == len(table.rows), name, "has", len(values), "of", len(table.rows), "rows")
    for place, (row, value) in enumerate(zip(table.rows, values)):
        expected = row[name]
        if expected is None:
            require(is_missing(value), name, "of row", place, "is", repr(value), "and not measured")
        else:
            require(is_same(column, expected, value), name, "of row", place, "is", repr(value), "and not", repr(expected))


def stored_kind(table, column):
    """What a column is in a format that has times; the metadata of CSV tell which texts are some."""
    declared = "moment" if column["isTime"] else table.declared[column["name"]]
    return declared if declared in ("moment", "day") else column["type"]


def compare_stored(table, column, values):
    """Values of one column of Parquet."""
    name, kind = column["name"], stored_kind(table, column)
    if kind == column["type"]:
        return compare_typed(table, column, values)
    require(len(values) == len(table.rows), name, "has", len(values), "of", len(table.rows), "rows")
    for place, (row, value) in enumerate(zip(table.rows, values)):
        expected = row[name]
        where = (name, "of row", place, "is", repr(value), "and not", repr(expected))
        if expected is None:
            require(is_missing(value), *where)
        elif kind == "day":
            require(day_text(value) == expected, *where)
        else:
            require(milliseconds(value) == (int(expected) if column["isTime"] else milliseconds(expected)), *where)


def day_text(value):
    return (value.date() if isinstance(value, datetime) else value).isoformat() if isinstance(value, date) else value


def is_same(column, expected, value):
    kind = column["type"]
    if kind == "list" and not isinstance(value, str):
        return list(value) == expected
    if kind in ("list", "json"):
        # Polars has bytes for what Parquet declares as JSON.
        return (json.loads(value) if isinstance(value, (str, bytes)) else value) == expected
    if kind in ("integer", "bigint"):
        return not isinstance(value, (bool, float)) and int(value) == int(expected)
    if kind == "number":
        # A decimal number is a text in JSON and NDJSON.
        is_number = not isinstance(value, bool) and isinstance(value, str) <= isinstance(expected, str)
        return is_number and float(value) == float(expected)
    return type(value) is type(expected) and value == expected


def compare_csv(table, name, values):
    """Values of one column of CSV, read in the type that its metadata declare."""
    require(len(values) == len(table.rows), name, "has", len(values), "of", len(table.rows), "rows")
    own = name if name in table.names else name.removesuffix(".iso")
    kind = table.declared[name]
    for place, (row, value) in enumerate(zip(table.rows, values)):
        expected = row[own]
        where = (name, "of row", place, "is", repr(value), "and not", repr(expected))
        if is_empty(kind, expected):
            require(is_missing(value), *where)
        elif own != name:
            require(milliseconds(value) == int(expected), *where)
        elif kind == "moment":
            require(milliseconds(value) == milliseconds(expected), *where)
        elif kind == "day":
            require(isinstance(value, date) and day_text(value) == expected, *where)
        elif kind in ("text", "list"):
            require(value == (list_text(expected) if kind == "list" else expected), *where)
        elif kind == "json":
            require(json.loads(value) == expected, *where)
        elif kind == "boolean":
            require(value is expected or (bool(value) == expected and not isinstance(value, str)), *where)
        else:
            require(not isinstance(value, (bool, str)), *where)
            require(float(value) == float(expected) if kind == "number" else int(value) == int(expected), *where)


# What a reader takes for something else when nobody tells it the types: cells by a name for them all.
guessed_otherwise = {}


def compare_guessed(table, read):
    """What a reader makes of CSV by itself: each figure must be one; texts that it takes for something else are noted."""
    for column in table.columns:
        name = column["name"]
        values = read(name)
        require(len(values) == len(table.rows), name, "has", len(values), "of", len(table.rows), "rows")
        for place, (row, value) in enumerate(zip(table.rows, values)):
            expected = row[name]
            where = (name, "of row", place, "is guessed to be", repr(value), "and not", repr(expected))
            if is_empty(table.declared[name], expected):
                require(is_missing(value) or value == "", *where)
            elif table.declared[name] in NUMERIC:
                require(not isinstance(value, str) and math.isclose(float(value), float(expected), rel_tol=1e-12), *where)
            elif table.declared[name] == "text" and value != expected:
                cells = guessed_otherwise.setdefault(f"text as {type(value).__name__}", [])
                cells.append(f"{name} of {table.name}: {expected!r} as {value!r}")


def run(read_table):
    """Has each table read, and prints what came of it; what differs is listed. `False` is of a table that it cannot read."""
    tables = []
    differences = []
    for table in all_tables():
        try:
            if read_table(table) is not False:
                tables.append(table)
        except Exception as difference:
            kind = "" if isinstance(difference, Difference) else f"{type(difference).__name__}: "
            differences.append(f"{table.name}: {kind}{str(difference)[:600]}")
    rows = sum(len(table.rows) for table in tables)
    guesses = {what: f"{cells[0]}, and {len(cells)} in all" for what, cells in guessed_otherwise.items()}
    report = {"tables": len(tables), "rows": rows, "differences": differences, "guessedOtherwise": guesses}
    print(json.dumps(report))
