"""XML for other programs: elements with names in their namespaces, free of what XML cannot hold."""

import re
from xml.etree import ElementTree

from starlette.responses import Response

Element = ElementTree.Element
# Characters that no XML 1.0 document may have, however they are written.
_IMPOSSIBLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def name_prefixes(prefixes: dict[str, str]) -> None:
    """Let namespaces be written with the prefixes that readers of a protocol are used to."""
    for prefix, namespace in prefixes.items():
        ElementTree.register_namespace(prefix, namespace)


def clean(text: str) -> str:
    """Return a text without characters that XML cannot hold."""
    return _IMPOSSIBLE.sub("\ufffd", text)


def child(
    parent: Element, namespace: str, name: str, text: str = "", /, **attributes: str
) -> Element:
    """Add an element to another and return it."""
    return add(parent, namespace, name, text, attributes)


def add(
    parent: Element, namespace: str, name: str, text: str, attributes: dict[str, str]
) -> Element:
    """Add an element whose attributes may have any names."""
    cleaned = {key: clean(value) for key, value in attributes.items()}
    made = ElementTree.SubElement(parent, f"{{{namespace}}}{name}", cleaned)
    made.text = clean(text) or None
    return made


def root(namespace: str, name: str) -> Element:
    """Return the outermost element of an answer."""
    return ElementTree.Element(f"{{{namespace}}}{name}")


def answer(top: Element, *, media_type: str = "application/xml", status: int = 200) -> Response:
    """Return a document as a response."""
    body = ElementTree.tostring(top, encoding="utf-8", xml_declaration=True)
    return Response(body, status, media_type=media_type)
