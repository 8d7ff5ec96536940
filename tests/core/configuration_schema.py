"""Checks documents against a JSON Schema: configuration_schema.py SCHEMA DOCUMENTS.

DOCUMENTS is a JSON list of {"name", "valid", "document"}. Exits 1 and names each document that is judged otherwise.
"""

import json
import sys

import jsonschema

with open(sys.argv[1]) as file:
    schema = json.load(file)
with open(sys.argv[2]) as file:
    cases = json.load(file)

jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)
wrong = 0
for case in cases:
    errors = [error.message for error in validator.iter_errors(case["document"])]
    if case["valid"] == bool(errors):
        wrong += 1
        print(f"{case['name']}: expected {'valid' if case['valid'] else 'invalid'}, found {errors or 'no error'}")
print(f"{len(cases)} documents, {wrong} judged otherwise than expected")
sys.exit(1 if wrong or not cases else 0)
