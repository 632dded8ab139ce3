"""Validators by the schemas of the JSON formats, which refer to each other by the names of their files."""
import json
import subprocess

import gridlock_test

try:
    import jsonschema
except ImportError:
    jsonschema = None
try:
    import referencing  # of newer versions of jsonschema
except ImportError:
    referencing = None

# The program has that of stored facts.
FACTS = "facts.schema.json"
FOLDER = gridlock_test.ROOT / "src" / "format" / "schemas"


def validator(name):
    path = FOLDER / f"{name}.schema.json"
    schema = json.loads(path.read_text())
    facts = json.loads(subprocess.run([gridlock_test.PROGRAM, "describe", "json"], check=True, capture_output=True,
                                      timeout=60).stdout)
    for one in (schema, facts):
        jsonschema.Draft202012Validator.check_schema(one)
    if referencing is None:
        others = {(FOLDER / FACTS).as_uri(): facts}
        return jsonschema.Draft202012Validator(schema,
                                               resolver=jsonschema.RefResolver(path.as_uri(), schema, others))
    files = [(file.name, json.loads(file.read_text())) for file in FOLDER.iterdir()] + [(FACTS, facts)]
    return jsonschema.Draft202012Validator(schema, registry=referencing.Registry().with_resources(
        [(file, referencing.Resource.from_contents(one)) for file, one in files]))
