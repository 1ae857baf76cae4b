"""A manual is in the language of its sentences, not in that of its commands."""

from datetime import UTC, datetime

import pytest

from izwi.model.document import Document, Paragraph
from izwi.text.language import Language, LanguageConfig
from izwi.text.language.ngrams import Izwi
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

    assert text_without_code(poem, Izwi()) == poem.text


def test_a_page_of_code_and_little_else_is_told_by_all_of_it():
    page = _document(Paragraph("Der Code:"), *(Paragraph(lines, "pre") for lines in CODE))

    assert text_without_code(page, Izwi()) == page.text


# Verses with their numbers, and talk with its strokes, have as many signs as some code.
SAID = {
    "psalm": (
        "afr",
        "23:1 Die Here is my herder; niks sal my ontbreek nie.\n"
        "23:2 Hy laat my neerlê in groen weivelde;\n"
        "23:3 na waters waar rus is, lei Hy my heen.\n"
        "23:4 Hy verkwik my siel; Hy lei my in die spore van geregtigheid,\n"
        "23:5 om sy Naam ontwil. Al gaan ek ook in 'n dal van doodskaduwee,\n"
        "23:6 ek sal geen onheil vrees nie; want U is met my.",
    ),
    "talk": (
        "zul",
        "- Sawubona, mama! - Yebo, sawubona: unjani wena?\n"
        "- Ngiyaphila; wena unjani - kanye nabantwana?\n"
        "- Nathi siyaphila (siyabonga) - usebenza kuphi manje?\n"
        "- Ngisebenza esibhedlela: ngingumhlengikazi.",
    ),
    "song": (
        "nld",
        "1) In de stad - daar woont een man;\n2) hij zingt (zo hard hij kan) -\n"
        "3) en als de avond valt: stil!\n4) dan gaat hij - als hij wil -\n"
        "5) naar huis (waar zijn vrouw hem wacht);\n6) zo gaat het elke nacht:\n"
        "7) hij slaapt, en in zijn droom - zo zacht -\n8) zingt hij wat hij 's middags dacht.",
    ),
}
ABOUT = (
    "This page of our library gives the words as they were printed first, and you may copy them"
    " for your school if you say where you found them."
)


@pytest.mark.parametrize(("code", "said"), SAID.values(), ids=SAID)
def test_verses_and_talk_with_numbers_and_strokes_are_no_code(code, said):
    page = _document(Paragraph(ABOUT), Paragraph(said, "pre"))

    (found,) = Language(LanguageConfig(method="izwi"))(iter([page]))

    assert text_without_code(page, Izwi()) == page.text
    assert found.language.code == code


def test_an_english_psalm_is_no_code_below_its_heading_in_afrikaans():
    psalm = (
        "23:1 The Lord is my shepherd; I shall not want.\n"
        "23:2 He maketh me to lie down in green pastures:\n"
        "23:3 he leadeth me beside the still waters; he restoreth my soul:\n"
        "23:4 he leadeth me in the paths of righteousness - for his name's sake."
    )
    about = (
        "Hierdie bladsy gee die woorde soos dit eerste gedruk is, en jy mag dit vir jou kerk of"
        " skool oorskryf as jy sê waar jy dit gekry het."
    )
    page = _document(Paragraph(about), Paragraph(psalm, "pre"))

    assert text_without_code(page, Izwi()) == page.text
