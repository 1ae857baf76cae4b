"""TEI's own schema with `post`, for versions older than 4.8, which brought it.

The element is written here from its definition (P5, module cmc): where it may stand, what it may
hold and which attributes it has, all by the classes of the schema it is added to.
"""

from lxml import etree

RELAX = "http://relaxng.org/ns/structure/1.0"
TYPES = "http://www.w3.org/2001/XMLSchema-datatypes"
_HOLDS = (
    "model.headLike", "opener", "model.pLike", "model.gLike", "model.phrase", "model.inter",
    "model.global", "lg", "model.lLike", "model.divBottom",
)  # fmt: skip
_CLASSES = ("global", "ascribed", "datable", "typed", "canonical")
# What is enumerated there is open: any other word may stand.
_WORDS = ("modality", "generatedBy")
_WORD = '<data type="token"><param name="pattern">[^\\s]+</param></data>'
_POINTER = '<data type="anyURI"/>'


def with_posts(schema: etree._ElementTree) -> etree._ElementTree:
    """Return a schema that knows `post`; one that has it already as it is."""
    names = {each.get("name"): each for each in schema.iter(f"{{{RELAX}}}define")}
    if "post" in names:
        return schema
    content = "".join(f'<ref name="{name}"/>' for name in _HOLDS)
    classes = "".join(f'<ref name="att.{name}.attributes"/>' for name in _CLASSES)
    words = "".join(_attribute(name, _WORD) for name in _WORDS) + _attribute("replyTo", _POINTER)
    define = (
        f'<define xmlns="{RELAX}" datatypeLibrary="{TYPES}" name="post"><element name="post">'
        f"<zeroOrMore><choice><text/>{content}</choice></zeroOrMore>{classes}{words}"
        "</element></define>"
    )
    schema.getroot().append(etree.fromstring(define))
    etree.SubElement(names["model.common"][0], f"{{{RELAX}}}ref", name="post")
    return schema


def _attribute(name: str, kind: str) -> str:
    return f'<optional><attribute name="{name}">{kind}</attribute></optional>'
