"""Validates a catalog against the shapes of DCAT-AP: python3 catalog_with_pyshacl.py CATALOG FOLDER. Prints JSON."""

import json
import pathlib
import sys

import pyshacl
import rdflib
from rdflib.namespace import OWL, RDF, SH

catalog = rdflib.Graph().parse(sys.argv[1], format="json-ld")
files = sorted(pathlib.Path(sys.argv[2]).glob("*.ttl"))
# The two files of the release 3.0.1 refer to each other. Each older file is complete.
groups = [[file] for file in files if file.name.startswith("html-")]
groups.append([file for file in files if not file.name.startswith("html-")])
violations = []
for group in groups:
    shapes = rdflib.Graph()
    for file in group:
        shapes.parse(file)
    # An import is not loaded, and a reference to a shape that is in no file is not a rule.
    shapes.remove((None, OWL.imports, None))
    for shape in set(shapes.objects(None, SH.property)):
        if shapes.value(shape, SH.path) is None:
            shapes.remove((None, SH.property, shape))
    _, report, _ = pyshacl.validate(catalog, shacl_graph=shapes, allow_warnings=True)
    for result in report.subjects(RDF.type, SH.ValidationResult):
        if report.value(result, SH.resultSeverity) == SH.Violation:
            place = [str(report.value(result, part)) for part in (SH.focusNode, SH.resultPath, SH.resultMessage)]
            violations.append([group[0].name, *place])
print(json.dumps({"files": len(files), "triples": len(catalog), "violations": violations}))
