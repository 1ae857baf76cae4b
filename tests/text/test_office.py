"""Files that are no web pages: their text, what they say of themselves, what is wrong with them."""

import base64
import io
import zipfile
import zlib
from datetime import UTC, date, datetime

import pytest

from izwi.model.capture import DOCX, EPUB, ODT, PDF, TEXT, CaptureEntry, Page
from izwi.text import other_documents, pdf_streams
from izwi.text.extract.base import Extract, ExtractConfig
from izwi.text.other_documents import file_type

WHEN = datetime(2020, 1, 1, tzinfo=UTC)
FIRST = "The bakkie stood in the rain, and nobody came to fetch it before the dam was full."
SECOND = "In the morning the council met in the old hall and spoke of the road to the coast."


def packed(**parts):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as file:
        for name, text in parts.items():
            file.writestr(name.replace("__", "/").replace("_xml", ".xml"), text)
    return held.getvalue()


CORE = (
    '<c xmlns:d="d"><d:title>Rain</d:title><d:creator>T. Nkosi</d:creator>'
    "<d:created>2019-05-04T10:00:00Z</d:created></c>"
)
WORD = packed(
    word__document_xml=f'<w:d xmlns:w="w"><w:p><w:r><w:t>{FIRST[:20]}</w:t><w:t>{FIRST[20:]}</w:t>'
    f"</w:r></w:p><w:p/><w:p><w:r><w:t>{SECOND}</w:t></w:r></w:p></w:d>",
    docProps__core_xml=CORE,
)
OPEN = packed(
    content_xml=f'<o xmlns:t="t"><t:p>{FIRST[:20]}<t:span>{FIRST[20:]}</t:span></t:p>'
    f"<t:p>{SECOND}</t:p></o>",
    meta_xml=CORE,
)
BOOK = packed(
    **{
        "META-INF__container_xml": '<c><rootfile full-path="OEBPS/b.opf"/></c>',
        "OEBPS__b.opf": '<p xmlns:d="d"><d:title>Rain</d:title><d:creator>T. Nkosi</d:creator>'
        '<d:date>2019-05-04</d:date><item id="one" href="1.xhtml"/><itemref idref="one"/></p>',
        "OEBPS__1.xhtml": f"<html><body><div><p>{FIRST}</p></div><p>{SECOND}</p></body></html>",
    }
)


def wrapped(text, width=60):
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def pdf(pages):
    """Return a PDF that shows lines of text on its pages."""
    kids = b" ".join(b"%d 0 R" % (4 + 2 * n) for n in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, len(pages)),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, lines in enumerate(pages):
        shown = b" T* ".join(b"(%s) Tj" % line.encode() for line in lines)
        stream = b"BT /F1 12 Tf 14 TL 50 700 Td %s ET" % shown
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R "
            b"/Resources << /Font << /F1 3 0 R >> >> >>" % (5 + 2 * number)
        )
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
    objects.append(b"<< /Title (Rain) /Author (T. Nkosi) /CreationDate (D:20190504100000Z) >>")
    body, places = b"%PDF-1.4\n", []
    for number, each in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    rows = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    return body + (
        b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R /Info %d 0 R >>\n"
        b"startxref\n%d\n%%%%EOF\n" % (size, rows, size, size - 1, len(body))
    )


def document(body, media_type, url="http://a.example/file"):
    entry = CaptureEntry(
        url=url, time=WHEN, source="s", status=200, media_type=media_type, digest="", offset=0,
        length=0, kind="page",
    )  # fmt: skip
    (found,) = Extract(ExtractConfig())(iter([Page(entry, body, media_type)]))
    return found


@pytest.mark.parametrize(
    ("body", "media_type"),
    [
        pytest.param(WORD, DOCX, id="docx"),
        pytest.param(OPEN, ODT, id="odt"),
        pytest.param(BOOK, EPUB, id="epub"),
        pytest.param(f"{FIRST}\r\n\r\n{SECOND}\r\n".encode(), TEXT, id="text"),
        pytest.param(
            "\n".join([*wrapped(FIRST, 50), "", *wrapped(SECOND, 50)]).encode(), TEXT, id="wrapped"
        ),
    ],
)
def test_the_paragraphs_of_a_file_are_a_document(body, media_type):
    found = document(body, media_type)

    assert [each.text for each in found.paragraphs] == [FIRST, SECOND]
    assert found.verdict.is_kept
    if media_type != TEXT:
        metadata = found.metadata
        assert (metadata.title, metadata.author) == ("Rain", "T. Nkosi")
        assert metadata.date.value == date(2019, 5, 4)


HEADED = (
    '<w:p><w:pPr><w:pStyle w:val="Title"/></w:pPr><w:r><w:t>Rain at last.</w:t></w:r></w:p>'
    f"<w:p><w:r><w:t>{FIRST}</w:t></w:r></w:p>"
)
UNTITLED = packed(
    **{"word/document.xml": f'<w:document xmlns:w="w"><w:body>{HEADED}</w:body></w:document>'}
)
MISNAMED = packed(
    **{
        "content.xml": f'<d xmlns:t="t"><t:p>Rain at last</t:p><t:p>{FIRST}</t:p></d>',
        "meta.xml": '<m xmlns:d="d"><d:title>Microsoft Word - minutes3.doc</d:title></m>',
    }
)


@pytest.mark.parametrize(
    ("body", "media_type", "title"),
    [
        pytest.param(UNTITLED, DOCX, "Rain at last.", id="docx"),
        pytest.param(MISNAMED, ODT, "Rain at last", id="named-by-a-program"),
        pytest.param(f"Rain at last\n\n{FIRST}".encode(), TEXT, "Rain at last", id="text"),
        pytest.param(f"{FIRST}\n\n{SECOND}".encode(), TEXT, "", id="begins-with-its-text"),
    ],
)
def test_a_file_that_tells_no_title_is_called_as_it_begins(body, media_type, title):
    assert document(body, media_type).metadata.title == title


def test_a_pdf_is_mended_and_its_heads_are_left_out():
    first = ["{} bakkies stood in the rain for a whole day, and no-", "body came to fetch them."]
    second = [
        "{} councils met in the old hall and spoke of the dam",
        "and of the road to the coast.",
    ]
    pages = [
        [
            "Herald of Umgeni",
            *(each.format(word) for each in (*first, "", *second)),
            f"Page {number}",
        ]
        for number, word in enumerate(("Two", "Three", "Four", "Five"))
    ]

    found = document(pdf(pages), PDF)

    text = found.text
    assert "Four bakkies stood in the rain for a whole day, and nobody came to fetch them." in text
    assert "Herald" not in text
    assert "Page" not in text
    assert (found.metadata.title, found.metadata.date.value) == ("Rain", date(2019, 5, 4))


@pytest.mark.parametrize(
    ("body", "media_type", "reason"),
    [
        (pdf([[], []]), PDF, "scanned"),
        (b"%PDF-1.4 not really", PDF, "unreadable-file"),
        (b"PK not really", DOCX, "unreadable-file"),
        (packed(content_xml="<o/>"), ODT, "no-main-text"),
        (b"GIF89a", "image/gif", "media-type"),
    ],
)
def test_a_file_without_text_says_why(body, media_type, reason):
    assert document(body, media_type).verdict.reason == reason


@pytest.mark.parametrize(
    ("media_type", "url", "expected"),
    [
        ("application/pdf; charset=binary", "http://a.example/x", PDF),
        ("application/octet-stream", "http://a.example/x.docx?v=2", DOCX),
        ("text/html", "http://a.example/x.pdf", ""),
        ("application/zip", "http://a.example/x", ""),
    ],
)
def test_the_type_is_what_the_server_says_or_the_ending(media_type, url, expected):
    assert file_type(media_type, url) == expected


@pytest.mark.parametrize(("body", "expected"), [(WORD, DOCX), (OPEN, ""), (b"PK", "")])
def test_a_packed_file_nobody_names_is_known_by_its_parts(body, expected):
    assert file_type("application/octet-stream", "http://a.example/get?id=7", body) == expected


@pytest.mark.parametrize("kind", [ODT, EPUB])
def test_a_packed_file_that_begins_with_its_type_is_known_by_it(kind):
    body = packed(mimetype=kind, content_xml="<o/>")

    assert file_type("application/octet-stream", "http://a.example/get?id=7", body) == kind


@pytest.mark.parametrize("media_type", ["text/html", "text/plain", "application/octet-stream"])
def test_a_pdf_is_read_whatever_the_server_calls_it(media_type):
    found = document(
        pdf([["The robots are out again at the corner, and nobody knows why."]]), media_type
    )

    assert found.verdict.is_kept
    assert [each.text for each in found.paragraphs] == [
        "The robots are out again at the corner, and nobody knows why."
    ]


def test_a_text_box_is_told_once():
    box = f"<w:p><w:r><w:t>{SECOND}</w:t></w:r></w:p>"
    written = (
        f'<w:d xmlns:w="w" xmlns:m="m"><w:p><w:r><w:t>{FIRST}</w:t><m:Choice>{box}</m:Choice>'
        f"<m:Fallback>{box}</m:Fallback></w:r></w:p></w:d>"
    )

    found = document(packed(word__document_xml=written), DOCX)

    assert found.text.split("\n") == [FIRST, SECOND]


def test_what_an_author_deleted_stays_deleted():
    written = (
        f'<o xmlns:t="t"><t:tracked-changes><t:p>{SECOND}</t:p></t:tracked-changes>'
        f"<t:p>{FIRST}</t:p></o>"
    )

    assert document(packed(content_xml=written), ODT).text == FIRST


def test_a_book_without_one_chapter_is_still_a_book():
    parts = {
        "META-INF__container_xml": '<c><rootfile full-path="OEBPS/b.opf"/></c>',
        "OEBPS__b.opf": '<p><item id="one" href="../text/1.xhtml"/><item id="two" href="no.xhtml"/>'
        '<item id="three" href="./../text/1.xhtml"/><itemref idref="one"/><itemref idref="two"/>'
        '<itemref idref="one"/><itemref idref="three"/></p>',
        "text__1.xhtml": f"<html><body><p>{FIRST}</p></body></html>",
    }

    assert document(packed(**parts), EPUB).text == FIRST


def test_a_part_that_unpacks_without_end_is_refused():
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_BZIP2) as file:
        file.writestr("word/document.xml", f"<d><p><t>{'x' * 100_000}</t></p></d>")

    found = document(held.getvalue(), DOCX)

    assert found.verdict.outcome != "kept"


@pytest.mark.parametrize(
    ("media_type", "part"), [(DOCX, "word__document_xml"), (ODT, "content_xml")]
)
def test_paragraphs_in_paragraphs_are_each_told_once(media_type, part):
    # Read for each that lies around it, a text of one megabyte would become two hundred.
    said = (lambda text: f"<t>{text}</t>") if media_type == DOCX else str
    inside = f"<d>{'<p>' * 200}{said(FIRST)}{'</p>' * 200}<p>{said(SECOND)}</p></d>"

    assert document(packed(**{part: inside}), media_type).text.split("\n") == [FIRST, SECOND]


@pytest.mark.parametrize("media_type", [DOCX, ODT])
def test_a_small_file_of_very_many_elements_is_refused(monkeypatch, media_type):
    monkeypatch.setattr(other_documents, "_MOST_ELEMENTS", 1000)
    part = "word__document_xml" if media_type == DOCX else "content_xml"

    found = document(packed(**{part: f"<d>{'<p/>' * 1000}</d>"}), media_type)

    assert found.verdict.outcome != "kept"
    assert "more than 1,000 elements" in found.verdict.detail


def test_a_pdf_that_unpacks_without_end_is_refused(monkeypatch):
    monkeypatch.setattr(pdf_streams, "LARGEST_STREAM", 100_000)
    shown = f"BT ({'x' * 90_000}) Tj ET"

    assert "unpacks to more than" not in document(packed_pdf(shown), PDF).verdict.detail
    for times in (1, 2):
        body = packed_pdf(shown + " " * 20_000, times)
        assert "unpacks to more than" in document(body, PDF).verdict.detail


@pytest.mark.parametrize(
    ("filters", "written"),
    [
        ("[/Fl/Fl]", lambda held: zlib.compress(held)),
        ("[/Flate#44ecode /FlateDecode]", lambda held: zlib.compress(held)),
        (" 5 0 R", lambda held: zlib.compress(held)),
        ("[/ASCIIHexDecode/FlateDecode]", lambda held: held.hex().encode() + b">"),
        ("[/A85/Fl]", lambda held: base64.a85encode(held) + b"~>"),
        ("[/AHx/A85/Fl]", lambda held: (base64.a85encode(held) + b"~>").hex().encode() + b">"),
    ],
)
def test_a_pdf_that_unpacks_without_end_is_refused_however_it_names_that(
    monkeypatch, filters, written
):
    monkeypatch.setattr(pdf_streams, "LARGEST_STREAM", 100_000)
    held = written(zlib.compress(b"BT (" + b"x" * 110_000 + b") Tj ET"))

    assert "unpacks to more than" in document(one_page_pdf(held, filters), PDF).verdict.detail


def test_a_pdf_is_not_unpacked_without_end_by_many_small_parts(monkeypatch):
    monkeypatch.setattr(pdf_streams, "LARGEST_FILE", 100_000)
    held = zlib.compress(b"BT (" + b"x" * 60_000 + b") Tj ET")
    twice = one_page_pdf(held, "/FlateDecode") + one_page_pdf(held, "/FlateDecode")
    again = one_page_pdf(held, "/FlateDecode").replace(b"4 0 R", b"[" + b"4 0 R " * 100 + b"]")

    places = b" ".join(b"%04d%s0 R" % (4, b" " * n) for n in range(1, 101))
    spelt = one_page_pdf(held, "/FlateDecode").replace(b"4 0 R", b"[" + places + b"]")

    for body in (twice, again, spelt):
        assert "unpacks to more than" in document(body, PDF).verdict.detail
    assert (
        "unpacks to more than"
        not in document(one_page_pdf(held, "/FlateDecode"), PDF).verdict.detail
    )


def packed_pdf(shown, times=1):
    """Return a PDF of one page whose contents are packed."""
    held = shown.encode()
    for _ in range(times):
        held = zlib.compress(held)
    return one_page_pdf(held, f"[{'/FlateDecode' * times}]")


def one_page_pdf(held, filters):
    """Return a PDF of one page with these contents."""
    return b"".join([
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n",
        b"2 0 obj<</Type/Pages/Count 1/Kids[3 0 R]>>endobj\n",
        b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>endobj\n",
        f"4 0 obj<</Filter{filters}/Length {len(held)}>>stream\n".encode(), held,
        b"\nendstream endobj\ntrailer<</Root 1 0 R>>\n%%EOF",
    ])  # fmt: skip
