"""A manual is in the language of its sentences, not in that of its commands."""

from datetime import UTC, datetime

import pytest

from izwi.model.document import Document, Paragraph
from izwi.text.language import Language, LanguageConfig
from izwi.text.language.parts import text_without_code

WHEN = datetime(2020, 1, 1, tzinfo=UTC)
PROSE = {
    "rus": (
        "Сначала нужно установить программу и создать новую папку для данных.",
        "После этого сервер можно запустить, но порт должен быть свободен.",
        "Если что-то пошло не так, посмотрите последние строки журнала.",
    ),
    "ell": (
        "Πρώτα πρέπει να εγκαταστήσετε το πρόγραμμα και να φτιάξετε έναν φάκελο.",
        "Μετά μπορείτε να ξεκινήσετε τον διακομιστή, αν η θύρα είναι ελεύθερη.",
        "Αν κάτι πάει στραβά, διαβάστε τις τελευταίες γραμμές του αρχείου.",
    ),
}
CODE = (
    '$ kista init --force /srv/data\n{"port": 8080, "retries": 3, "level": "debug"}',
    "def run(self):\n    client = kista.Client(port=8080)\n    return client.rows[0]",
    "server:\n  name: kista\n  port: 8080\n  cert: /etc/kista/tls.pem",
)
POEM = "When the rain came\nover the hills again\nmy mother took down\nthe washing from the line"


def _document(*paragraphs: Paragraph) -> Document:
    return Document("d", "https://a.example/", WHEN, "s", paragraphs=paragraphs)


def _manual(code: str) -> Document:
    return _document(*(
        paragraph
        for said, lines in zip(PROSE[code], CODE, strict=True)
        for paragraph in (Paragraph(said), Paragraph(lines, "pre"))
    ))  # fmt: skip


@pytest.mark.parametrize("code", PROSE)
def test_code_does_not_tell_the_language(code):
    (found,) = Language(LanguageConfig(method="izwi"))(iter([_manual(code)]))

    assert found.language.code == code


def test_what_stands_as_code_and_has_no_signs_is_a_poem():
    poem = _document(Paragraph(POEM, "pre"), Paragraph(" ".join(PROSE["rus"])))

    assert text_without_code(poem) == poem.text


def test_a_page_of_code_and_little_else_is_told_by_all_of_it():
    page = _document(Paragraph("Der Code:"), *(Paragraph(lines, "pre") for lines in CODE))

    assert text_without_code(page) == page.text
