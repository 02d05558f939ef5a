"""GDAL reads GeoJSON: ogrinfo the fields, ogr2ogr the features."""

import json
import re
import subprocess

from table_files import is_same, require, run

TYPES = {
    "boolean": r"Integer\(Boolean\)",
    "integer": r"Integer",
    "bigint": r"String|Integer(64)?|Real",
    "number": r"Real|Integer(64)?",
    "text": r"String",
}
AS_STRINGS = ["-oo", "DATE_AS_STRING=YES"]
EXACT = ["-lco", "COORDINATE_PRECISION=15", "-lco", "SIGNIFICANT_FIGURES=17"]


def told(*command):
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    require(done.returncode == 0 and done.stderr == "", done.stderr or done.stdout)
    return done.stdout


def read_table(table):
    if not table.has_places:
        return False
    file = table.file("geojson")
    summary = told("ogrinfo", "-so", "-al", *AS_STRINGS, file)
    require(f"Feature Count: {len(table.rows)}\n" in summary, "features differ in number:", summary)
    types = dict(re.findall(r"^(\S+): (.+?) \(\d+\.\d+\)", summary, re.MULTILINE))
    layer = told("ogr2ogr", "-f", "GeoJSONSeq", "/vsistdout/", file, *AS_STRINGS, *EXACT) if table.rows else ""
    features = [json.loads(line) for line in layer.split("\n") if line]
    require(len(features) == len(table.rows), len(features), "features of", len(table.rows), "rows")
    for column in table.columns:
        if column["name"] not in table.place:
            compare_property(table, column, types.get(column["name"]), features)
    for place, (row, feature) in enumerate(zip(table.rows, features)):
        point = (feature["geometry"] or {}).get("coordinates", [None, None])
        expected = [row[name] for name in table.place]
        require(point == expected, "row", place, "is at", point, "and not at", expected)
    return True


def compare_property(table, column, own, features):
    name = column["name"]
    known = [place for place, row in enumerate(table.rows) if row[name] is not None]
    if known and column["type"] in TYPES:
        require(re.fullmatch(TYPES[column["type"]], own or ""), name, "is taken for", own)
    for place in range(len(table.rows)):
        expected = table.rows[place][name]
        feature = features[place]
        # What names the feature is no property any more when GDAL writes it.
        value = feature["properties"][name] if name in feature["properties"] else feature.get(name)
        if column["type"] == "text" and isinstance(value, (dict, list)):
            # GDAL writes a text that is JSON as what it says.
            value = json.dumps(value, separators=(",", ":"))
        where = (name, "of row", place, "is", repr(value), "and not", repr(expected))
        if expected is None or value is None:
            require(value == expected, *where)
        else:
            require(is_same(column, expected, value), *where)


run(read_table)
