"""Validates datasets in JSON-LD: python3 dataset_with_mlcroissant.py FILE... Prints the problems of each as JSON."""

import json
import sys

import mlcroissant
import rdflib

problems = {}
for file in sys.argv[1:]:
    with open(file, encoding="utf-8") as opened:
        data = json.load(opened)
    rdflib.Graph().parse(data=json.dumps(data), format="json-ld", publicID=data["url"])
    try:
        issues = mlcroissant.Dataset(data).metadata.ctx.issues
        problems[file] = [*issues.errors, *issues.warnings]
    except mlcroissant.ValidationError as error:
        problems[file] = [str(error)]
print(json.dumps({file: [str(problem) for problem in found] for file, found in problems.items() if found}))
