import codecs
import encodings.aliases
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from izwi.text.decode import Decoded, decode, tidy

# Every name Python knows a codec by, whether pages are written in it or not.
CODECS = sorted({*encodings.aliases.aliases, *encodings.aliases.aliases.values()})
ODD = ("undefined", "idna", "punycode", "unicode_escape", "raw_unicode_escape", "utf_7", "rot13")


@pytest.mark.parametrize(
    ("body", "header", "text", "charset", "evidence"),
    [
        pytest.param(b"", "", "", "utf-8", "valid UTF-8", id="nothing"),
        pytest.param(b"", "text/html; charset=latin1", "", "utf-8", "valid UTF-8", id="no-body"),
        pytest.param(b"robot", "", "robot", "utf-8", "valid UTF-8", id="ascii"),
        pytest.param(
            codecs.BOM_UTF8 + "droëwors".encode(),
            "text/html; charset=windows-1252",
            "droëwors",
            "utf-8",
            "byte-order mark",
            id="utf-8-mark-beats-header",
        ),
        pytest.param(
            codecs.BOM_UTF16_LE + "droëwors".encode("utf-16-le"),
            "text/html; charset=utf-8",
            "droëwors",
            "utf-16-le",
            "byte-order mark",
            id="utf-16-le-mark",
        ),
        pytest.param(
            codecs.BOM_UTF16_BE + "droëwors".encode("utf-16-be"),
            "",
            "droëwors",
            "utf-16-be",
            "byte-order mark",
            id="utf-16-be-mark",
        ),
        pytest.param(
            codecs.BOM_UTF16_LE + b"a\x00b",
            "",
            "a�",
            "utf-16-le",
            "byte-order mark",
            id="utf-16-cut-in-half-a-character",
        ),
        pytest.param(
            "droëwors".encode(),
            "text/html; charset=iso-8859-1",
            "droëwors",
            "utf-8",
            "valid UTF-8",
            id="utf-8-declared-latin-1",
        ),
        pytest.param(
            "<meta charset=windows-1252>“Ja,” sê hy".encode(),
            "",
            "<meta charset=windows-1252>“Ja,” sê hy",
            "utf-8",
            "valid UTF-8",
            id="utf-8-with-another-meta",
        ),
        pytest.param(
            "“Ja,” sê hy".encode("cp1252"),
            "text/html; charset=iso-8859-1",
            "“Ja,” sê hy",
            "cp1252",
            "HTTP header",
            id="latin-1-is-read-as-windows-1252",
        ),
        pytest.param(
            "sê hy".encode("cp1252"),
            "text/html; charset=us-ascii",
            "sê hy",
            "cp1252",
            "HTTP header",
            id="ascii-is-read-as-windows-1252",
        ),
        pytest.param(
            "žluťoučký kůň".encode("iso-8859-2"),
            'text/html; charset="ISO-8859-2"',
            "žluťoučký kůň",
            "iso8859-2",
            "HTTP header",
            id="quoted-header",
        ),
        pytest.param(
            b'<meta charset="windows-1251">' + "Привет, мир".encode("cp1251"),
            "text/html",
            '<meta charset="windows-1251">Привет, мир',
            "cp1251",
            "meta element",
            id="meta-charset",
        ),
        pytest.param(
            b'<META http-equiv="Content-Type" content="text/html; charset=windows-1251">'
            + "Привет".encode("cp1251"),
            "",
            '<META http-equiv="Content-Type" content="text/html; charset=windows-1251">Привет',
            "cp1251",
            "meta element",
            id="meta-http-equiv",
        ),
        pytest.param(
            b"<meta charset=windows-1251>" + "š".encode("iso-8859-2"),
            "text/html; charset=iso-8859-2",
            "<meta charset=windows-1251>š",
            "iso8859-2",
            "HTTP header",
            id="header-before-meta",
        ),
        pytest.param(
            b"<meta charset=windows-1251>" + "мир".encode("cp1251"),
            "text/html; charset=x-no-such-thing",
            "<meta charset=windows-1251>мир",
            "cp1251",
            "meta element",
            id="unknown-header-then-meta",
        ),
        pytest.param(
            b"<meta charset=windows-1251>" + "мир, мир, мир".encode("cp1251"),
            "text/html; charset=utf-8",
            "<meta charset=windows-1251>мир, мир, мир",
            "cp1251",
            "meta element",
            id="header-wrongly-says-utf-8-then-meta",
        ),
        pytest.param(
            b"x" * 5000 + b"\xff \xc3\xa9",
            "text/html; charset=utf-8",
            "x" * 5000 + "� é",
            "utf-8",
            "HTTP header",
            id="one-broken-character-in-much-utf-8",
        ),
        pytest.param(
            "<meta charset=utf-16>Die hond sê môre reën dit".encode("cp1252"),
            "",
            "<meta charset=utf-16>Die hond sê môre reën dit",
            "cp1252",
            "content",
            id="meta-cannot-say-utf-16",
        ),
        pytest.param(
            b"z\x00\x08o\x1bo\x7f\xc2\x9f!", "", "zoo!", "utf-8", "valid UTF-8", id="controls"
        ),
        pytest.param(
            b"one\x0ctwo\x0bthree",
            "",
            "one two three",
            "utf-8",
            "valid UTF-8",
            id="page-breaks-part-words",
        ),
        pytest.param(
            b"a\tb\nc\rd", "", "a\tb\nc\rd", "utf-8", "valid UTF-8", id="tabs-and-line-ends-stay"
        ),
        pytest.param("sê".encode(), "", "s\u00ea", "utf-8", "valid UTF-8", id="nfd-becomes-nfc"),
    ],
)
def test_a_page_is_read_in_the_charset_its_evidence_names(body, header, text, charset, evidence):
    assert decode(body, header) == Decoded(text, charset, evidence)


def test_windows_1252_bytes_declared_utf_8_are_read_by_their_content():
    text = "“Die boer sê môre kom daar reën,” skryf hy aan sy broer. Êrens ’n ligbron, één ëier. "

    decoded = decode((text * 5).encode("cp1252"), "text/html; charset=utf-8")

    assert decoded == Decoded(text * 5, "cp1252", "content")


@pytest.mark.parametrize("name", ODD)
def test_a_codec_no_page_is_written_in_is_not_believed(name):
    decoded = decode(b"Caf\xe9 \\u0041 +AEE- \\q", f"text/html; charset={name}")

    assert (decoded.text, decoded.evidence) == ("Café \\u0041 +AEE- \\q", "content")


@given(
    body=st.binary(max_size=300)
    | st.text(max_size=60).map(lambda text: text.encode("utf-8", "surrogatepass"))
    | st.builds(
        lambda name, rest: f"<meta charset={name}>".encode() + rest,
        st.sampled_from(CODECS),
        st.binary(max_size=100),
    ),
    header=st.text(max_size=60)
    | st.sampled_from([*CODECS, *ODD]).map(lambda name: f"text/html; charset={name}"),
)
@example(body=b"xn--\xff", header="text/html; charset=idna")
@example(body=b"\xff\\ud800", header="text/html; charset=unicode_escape")
@example(body=b"\xff\xfe\x00\xd8", header="")
def test_any_bytes_under_any_header_become_storable_text(body, header):
    text = decode(body, header).text

    assert unicodedata.is_normalized("NFC", text)
    assert text.encode("utf-8").decode("utf-8") == text
    assert not any(unicodedata.category(c) == "Cc" and c not in "\t\n\r\x85" for c in text)


@given(st.text(alphabet=st.characters(exclude_categories=["Cc", "Cs"]), max_size=200))
def test_text_written_as_utf_8_comes_back(text):
    nfc = unicodedata.normalize("NFC", text).removeprefix("\ufeff")

    assert decode(nfc.encode("utf-8")).text == nfc


@given(st.text(alphabet=st.characters(), max_size=100))
def test_tidying_twice_changes_nothing_more(text):
    once = tidy(text)

    assert tidy(once) == once


def test_a_page_that_says_latin_1_but_is_not_is_guessed():
    words = "<p>" + "Мы поехали в город и увидели там новый рынок. " * 20
    body = b'<meta charset="iso-8859-1">' + words.encode("cp1251")

    found = decode(body, "text/html; charset=ISO-8859-1")

    assert "поехали в город" in found.text
    assert found.evidence == "content"


def test_text_that_was_read_twice_says_so():
    body = "<p>café, één, naïve".encode().decode("cp1252").encode()

    found = decode(body)

    assert found.text == "<p>café, één, naïve"
    assert found.evidence == "valid UTF-8, read twice"


@pytest.mark.parametrize(
    ("charset", "words"),
    [
        ("euc-kr", "우리는 어제 시내에 나가서 새로운 시장을 보았다. "),
        ("koi8-u", "Ми їздили до міста й бачили там новий ринок, її ґанок і дім. "),
        ("big5", "我們昨天到城裡去看了新的市場。 "),
        ("cp1252", "Gister het ons weer gou-gou oor die weë en reëls gesê wat ons dink. "),
    ],
)
def test_a_page_that_says_nothing_of_its_charset_is_read(charset, words):
    found = decode(("<p>" + words * 5).encode(charset))

    assert words * 5 in found.text
    assert found.evidence == "content"


def test_signs_without_letters_beyond_ascii_are_western():
    words = "<p>It costs £11.30 or £15, © Harbour Ferries®."

    assert decode(words.encode("cp1252")).text == words


@pytest.mark.parametrize(
    ("markup", "url"),
    [
        ("<html lang=af>", "http://nuus.example/a"),
        ('<html class="no-js" lang="en-ZA">', ""),
        ("<html>", "https://nuus.example.co.za:8080/a"),
    ],
    ids=["by its language", "by the country's English", "by its address"],
)
def test_a_charset_nobody_names_is_guessed_by_where_the_page_is_from(markup, url):
    page = f"{markup}<p>The bazaar was put off until April. Lesers sê: So proud of our dorp."

    assert "Lesers sê:" in decode(page.encode("cp1252"), "", url).text


def test_another_countrys_pages_are_read_in_its_own_charset():
    page = "<html lang=pl><p>Jarmark odbędzie się w kwietniu, mówi burmistrz miasta i okolicy."

    assert decode(page.encode("cp1250"), "", "https://example.com/").text == page


@pytest.mark.parametrize("url", ["", "/a", "http://[::1]/", "http://пример.рф/", "http://x.ZÄ/"])
def test_an_address_without_a_country_is_no_help(url):
    assert decode(b"<p>s\xea", "", url).text.startswith("<p>s")


def test_a_charset_is_guessed_only_where_none_that_is_declared_can_be_right(monkeypatch):
    def guessed(body, url):
        raise AssertionError("guessing takes long")

    monkeypatch.setattr("izwi.text.decode._guessed", guessed)

    assert decode(
        "Die veerboot was n\xeat weer laat".encode("latin-1"), "text/html; charset=latin1"
    )
