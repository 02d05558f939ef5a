"""R reads CSV by its metadata and by itself."""

import csv
import subprocess
from datetime import date
from pathlib import Path

from table_files import all_tables, compare_csv, compare_guessed, folder, require, run

CLASSES = {"boolean": "logical", "integer": "numeric", "bigint": "numeric", "number": "numeric"}
VALUES = {"numeric": float, "integer": int, "logical": lambda text: text == "TRUE"}


def ended(value):
    """As R ends lines within a cell."""
    if isinstance(value, dict):
        return {name: ended(each) for name, each in value.items()}
    if isinstance(value, list):
        return [ended(each) for each in value]
    return value.replace("\r\n", "\n").replace("\r", "\n") if isinstance(value, str) else value


def text_of(cell):
    return None if cell == "-" else bytes.fromhex(cell).decode("utf-8")


def ask():
    with open(folder / "asked-of-r.csv", "w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file)
        lines.writerow(["file", "class"])
        for table in all_tables():
            lines.writerows([table.stem, CLASSES.get(kind, "character")] for kind in table.declared.values())
    script = Path(__file__).with_name("with_r.R")
    done = subprocess.run(["Rscript", "--vanilla", script, folder], check=True, stdout=subprocess.PIPE, text=True)
    columns = {}
    for line in done.stdout.splitlines():
        file, how, name, kind, *cells = line.split("\t")
        value = VALUES.get(kind, str)
        texts = [text_of(cell) for cell in cells if cell]
        values = [None if text is None else value(text) for text in texts]
        columns.setdefault((file, how), {})[text_of(name)] = values
    return columns


read = ask()


def read_table(table):
    told = read[(table.stem, "told")]
    require(list(told) == list(table.declared), "the header of CSV is", list(told))
    table.rows = ended(table.rows)
    for name, kind in table.declared.items():
        values = told[name]
        days = [value and date.fromisoformat(value) for value in values] if kind == "day" else values
        compare_csv(table, name, days)
    compare_guessed(table, lambda name: read[(table.stem, "guessed")][name])


run(read_table)
