# ruff: noqa: E501 -- tables of markup
from datetime import date

import pytest

from izwi.model.capture import Hints
from izwi.text.metadata.bylines import is_byline
from izwi.text.metadata.chosen import read_metadata


def author_of(html):
    found = read_metadata(
        html, "https://courant.example/robots", Hints(), captured=date(2020, 6, 15)
    )
    return found.author


@pytest.mark.parametrize(
    ("html", "author"),
    [
        pytest.param('<div class="author">&amp; <a href="/u/anna-nel">Anna Nel</a> <b>Writer, Traffic</b></div>',
                     "Anna Nel", id="page-of-a-person"),
        pytest.param('<div class="author"><b><a href="/user-126.html">SeaLion</a></b> Big Board Owner</div>', "SeaLion",
                     id="member-of-a-forum"),
        pytest.param('<div class="author"><i>AN</i><a href="/members/nel?tab=1">Anna Nel</a><i>Last updated 2 March 2020</i></div>',
                     "Anna Nel", id="behind-initials"),
        pytest.param('<p class="byline">By <a href="/people/nel">Anna Nel</a> and Jo Roy</p>', "Anna Nel, Jo Roy",
                     id="one-with-a-page-and-one-without"),
        pytest.param('<p class="byline">Anna Nel, reviewed by <a href="/people/roy">Jo Roy</a></p>', "Anna Nel",
                     id="page-of-another"),
        pytest.param('<meta name="author" content="Anna Nel"><a href="/author/nel">Anna Nel</a><i>, </i>'
                     '<a href="/author/roy">Jo Roy</a> &amp; <a href="/author/ito">Mary Ito</a>', "Anna Nel, Jo Roy, Mary Ito",
                     id="machines-are-told-the-first"),
        pytest.param('<meta name="author" content="Anna Nel"><p><a href="/author/nel">Anna Nel</a></p>'
                     '<p><a href="/author/roy">Jo Roy</a></p>', "Anna Nel", id="another-of-another-text"),
        pytest.param('<meta name="author" content="Anna Nel"><b class="author">Anna Nel, Traffic Reporter</b>', "Anna Nel",
                     id="role-seen-by-readers"),
        pytest.param('<meta name="author" content="Anna"><h1>Robots</h1><p>By Anna Nel</p>', "Anna Nel", id="first-name-alone"),
        pytest.param('<meta name="author" content="Sea"><b class="author">Sea Captain</b>', "Sea", id="rank-of-a-member"),
        pytest.param('<b class="author">Anna (J.M.) Nel</b>', "Anna (J.M.) Nel", id="initials-in-brackets"),
        pytest.param('<b class="author">Anna Nel (Editor)</b>', "Anna Nel", id="role-in-brackets"),
        pytest.param('<b class="author">Anna Nel, Head of Traffic and Robots</b>', "Anna Nel", id="role-of-two-things"),
        pytest.param('<b class="author">Anna Nel Last update: July 16, 2019</b>', "Anna Nel", id="last-update"),
        pytest.param('<b class="author">Anna Maria Nel im Gespräch mit Jo Roy</b>', "Anna Maria Nel, Jo Roy", id="interview"),
        pytest.param('<a rel="author">View my complete profile</a>', "", id="invitation"),
        pytest.param('<meta name="twitter:label1" content="Interview by"><meta name="twitter:data1" content="Anna Nel">',
                     "Anna Nel", id="label-of-an-interview"),
        pytest.param('<h1>Robots</h1><b>Autor: </b>Anna Nel/SP-X', "Anna Nel", id="agency-behind-a-stroke"),
        pytest.param('<h1>Robots</h1><h6>Author(s)</h6><ul><li>Anna Nel<li>Jo M. Roy<li>Download all</ul>',
                     "Anna Nel, Jo M. Roy", id="list"),
    ],
)  # fmt: skip
def test_the_author_is_whom_readers_see(html, author):
    assert author_of(html) == author


@pytest.mark.parametrize(
    ("language", "line", "author"),
    [
        ("hu", "Szerző: Kovács Anna", "Kovács Anna"),
        ("ru", "Автор: Анна Петрова", "Анна Петрова"),
        ("tr", "Yazan: Ayşe Demir", "Ayşe Demir"),
        ("sw", "Mwandishi: Asha Juma", "Asha Juma"),
        ("zh", "作者：王小明", "王小明"),
        ("ja", "文／山田太郎", "山田太郎"),
        ("ko", "홍길동 기자", "홍길동"),
        ("ar", "كتب: محمد علي", "محمد علي"),
        ("it", "di Mario Rossi", "Mario Rossi"),
        ("nb", "Av Kari Nordmann og Ola Berg", "Kari Nordmann, Ola Berg"),
        ("sw", "Na Asha Juma", "Asha Juma"),
        ("id", "Oleh Budi Santoso, 2 Maret 2020", "Budi Santoso"),
    ],
)
def test_a_line_names_the_author_in_the_language_of_the_page(language, line, author):
    assert (
        author_of(f'<html lang="{language}-XX"><h1>Robots</h1><p>{line}</p><p>Text.</p>') == author
    )


def test_a_short_word_names_nobody_in_another_language():
    assert author_of('<html lang="cs"><h1>Robots</h1><p>Na Novém Zélandu</p>') == ""


def test_a_short_word_names_nobody_far_from_headline_and_date():
    lines = "".join(f"<p>Riga {number} del testo.</p>" for number in range(5))

    assert (
        author_of(f'<html lang="it"><h1>Robots</h1>{lines}<p>Di Mario Rossi</p><p>E poi</p>') == ""
    )


def test_a_line_with_a_label_of_another_language_signs_a_text():
    assert is_byline("Szerző: Kovács Anna", "Kovács Anna")
    assert not is_byline("Szerző: Kovács Anna", "Nagy Béla")
