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
        pytest.param('<h1>Robots</h1><p>by sealion on March 2, 2020</p><p>by Jo Roy on March 3, 2020</p>', "sealion",
                     id="member-beside-a-date"),
        pytest.param('<h1>Robots</h1><p>Posted by sealion</p>', "sealion", id="member-who-posted"),
        pytest.param('<h1>Robots</h1>Posted <i>by</i> <a>sealion</a> on Tuesday July 24, @10:46AM<p>by</p><p>Jo Roy</p>',
                     "sealion", id="member-in-an-element"),
        pytest.param('<h1>Robots</h1><p>Sorted</p><p>by category</p>', "", id="no-member"),
        pytest.param('<h1>Robots</h1><p>Posted by Anna Nel at 12:32 PM</p>', "Anna Nel", id="hour-of-a-weblog"),
        pytest.param('<h1>Ampeln</h1><p>Eingestellt von Anna Nel um 12:32</p>', "Anna Nel", id="hour-in-german"),
        pytest.param('<h1>Semáforos</h1><p>Publicado por Anna Nel en 12:32</p>', "Anna Nel", id="hour-in-spanish"),
        pytest.param('<h1>Robots</h1><p>by Anna Nel , Filed under:</p>', "Anna Nel", id="what-it-is-filed-under"),
        pytest.param('<h1>Robots</h1><p>Post written by</p><p>Anna Nel</p>', "Anna Nel", id="post-written"),
        pytest.param('<b class="author">View Comments</b>', "", id="comments"),
        pytest.param('<i itemprop="author"><a rel="author">Anna Nel</a></i> and <i itemprop="author"><a rel="author">Jo Roy</a></i>',
                     "Anna Nel, Jo Roy", id="each-in-an-element"),
        pytest.param('<b class="author">Anna Nel</b><p>We asked <a href="/author/nel">Anna Nel</a> and <a href="/author/roy">Jo Roy</a>'
                     ' how many robots stand in the towns of the Karoo, and who mends them when they are out.</p>', "Anna Nel",
                     id="sentence-about-two"),
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
