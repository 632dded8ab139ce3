"""Validators by the schemas of the JSON formats, which refer to each other by the names of their files."""
import json

import gridlock_test

try:
    import jsonschema
except ImportError:
    jsonschema = None
try:
    import referencing  # of newer versions of jsonschema
except ImportError:
    referencing = None

FOLDER = gridlock_test.ROOT / "src" / "format" / "schemas"


def validator(name):
    path = FOLDER / f"{name}.schema.json"
    schema = json.loads(path.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    if referencing is None:
        return jsonschema.Draft202012Validator(schema, resolver=jsonschema.RefResolver(path.as_uri(), schema))
    files = [(file.name, referencing.Resource.from_contents(json.loads(file.read_text()))) for file in FOLDER.iterdir()]
    return jsonschema.Draft202012Validator(schema, registry=referencing.Registry().with_resources(files))
