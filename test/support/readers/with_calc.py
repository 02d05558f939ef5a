"""LibreOffice Calc opens the CSV that is made for spreadsheets, without being told anything."""

import csv
import math
import re
import subprocess
import tempfile
from pathlib import Path
from xml.etree import ElementTree

from table_files import NUMERIC, folder, guessed_otherwise, require, run

OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
# Comma, quotation mark, UTF-8, from the first line on, no column told, English, special numbers such as dates seen as such.
READING = "CSV:44,34,76,1,,1033,false,true"
BREAKS = {f"{TEXT}tab": "\t", f"{TEXT}line-break": "\n"}
# More columns than any table has stand for the empty rest of a sheet.
REST = 500

home = Path(tempfile.mkdtemp(dir=folder))
subprocess.run(
    [
        *("soffice", f"-env:UserInstallation=file://{home}/profile", "--headless", f"--infilter={READING}"),
        *("--convert-to", "fods", "--outdir", str(home), *map(str, sorted(folder.glob("*.sheet.csv")))),
    ],
    check=True,
    capture_output=True,
)


def repeated(element, name):
    times = int(element.get(f"{TABLE}number-{name}-repeated", "1"))
    return 1 if times > REST else times


def sheet_of(table):
    tree = ElementTree.parse(home / f"{table.stem}.sheet.fods")
    rows = []
    for row in tree.iter(f"{TABLE}table-row"):
        cells = [cell for cell in row.findall(f"{TABLE}table-cell") for _ in range(repeated(cell, "columns"))]
        rows += [cells] * repeated(row, "rows")
    return rows


# XML has neither other control characters nor these two. Calc ends every line alike, and has no tabs in a cell of several.
UNSEEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def seen(text):
    text = UNSEEN.sub("", re.sub("\r\n|\n\r|\r", "\n", text))
    return text.replace("\t", "") if "\n" in text else text


def text_of(cell):
    return "\n".join("".join(spelled(paragraph)) for paragraph in cell.findall(f"{TEXT}p"))


def spelled(element):
    yield element.text or ""
    for child in element:
        if child.tag == f"{TEXT}s":
            yield " " * int(child.get(f"{TEXT}c", "1"))
        else:
            yield BREAKS.get(child.tag) or "".join(spelled(child))
        yield child.tail or ""


def read_table(table):
    with open(table.file("sheet.csv"), encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file, strict=True)
    sheet = sheet_of(table)
    require([text_of(cell) for cell in sheet[0][: len(header)]] == header, "the header of the sheet differs")
    for place, row in enumerate(rows):
        cells = sheet[place + 1] if place + 1 < len(sheet) else []
        for index, (name, expected) in enumerate(zip(header, row)):
            cell = cells[index] if index < len(cells) else ElementTree.Element("none")
            compare_cell(table, f"{name} of row {place}", table.declared[name], expected, cell)


def compare_cell(table, where, kind, expected, cell):
    own, text = cell.get(f"{OFFICE}value-type"), text_of(cell)
    require(cell.get(f"{TABLE}formula") is None, where, "is a formula:", cell.get(f"{TABLE}formula"))
    if expected == "":
        require(own is None and text == "", where, "is", text, "and not empty")
    elif kind in NUMERIC:
        value = float(cell.get(f"{OFFICE}value", "nan"))
        # Calc keeps 15 digits.
        require(own == "float" and math.isclose(value, float(expected), rel_tol=1e-14), where, "is", own, value, expected)
    elif own != "string":
        value = cell.get(f"{OFFICE}value") or cell.get(f"{OFFICE}date-value") or cell.get(f"{OFFICE}boolean-value")
        kept = guessed_otherwise.setdefault(f"{kind} as {own}", [])
        kept.append(f"{where} of {table.name}: {expected!r} as {value!r}")
    else:
        require(seen(text) == seen(expected), where, "is", repr(text), "and not", repr(expected))


run(read_table)
