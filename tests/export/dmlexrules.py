"""What DMLex 1.0 (OASIS, 2025) allows in its JSON, as far as quotations need it."""

# For each kind of object: what it must hold, and what each of its keys may hold. A list of one
# kind is that kind in square brackets; "text" is a string that is not empty.
KINDS = {
    "resource": (
        {"langCode"},
        {"title": "text", "uri": "text", "langCode": "text", "entries": ["entry"],
         "sourceIdentityTags": ["tag"], "partOfSpeechTags": ["tag"], "labelTags": ["tag"]},
    ),
    "entry": (
        {"headword"},
        {"id": "text", "headword": "text", "homographNumber": "text", "partsOfSpeech": ["text"],
         "labels": ["text"], "inflectedForms": ["form"], "senses": ["sense"]},
    ),
    "form": ({"text"}, {"text": "text", "tag": "text", "labels": ["text"]}),
    "sense": (
        set(),
        {"id": "text", "indicator": "text", "labels": ["text"], "definitions": ["definition"],
         "examples": ["example"]},
    ),
    "definition": ({"text"}, {"text": "text", "definitionType": "text"}),
    "example": (
        {"text"},
        {"text": "text", "sourceIdentity": "text", "sourceElaboration": "text", "labels": ["text"],
         "soundFile": "text", "headwordMarkers": ["marker"], "collocateMarkers": ["marker"]},
    ),
    "marker": ({"startIndex", "endIndex"}, {"startIndex": "place", "endIndex": "place"}),
    "tag": ({"tag"}, {"tag": "text", "description": "text", "sameAs": ["text"]}),
}  # fmt: skip


def faults(thing, kind="resource", where=""):
    """Yield what is not as the standard has it, with its place."""
    if kind == "text":
        if not isinstance(thing, str) or not thing:
            yield f"{where}: no text"
    elif kind == "place":
        if not isinstance(thing, int) or thing < 0:
            yield f"{where}: no place"
    elif isinstance(kind, list):
        for number, each in enumerate(thing):
            yield from faults(each, kind[0], f"{where}[{number}]")
    else:
        needed, allowed = KINDS[kind]
        yield from (f"{where}: {key} is missing" for key in sorted(needed - set(thing)))
        yield from (f"{where}: {key} is not known" for key in sorted(set(thing) - set(allowed)))
        for key in set(thing) & set(allowed):
            yield from faults(thing[key], allowed[key], f"{where}.{key}")
