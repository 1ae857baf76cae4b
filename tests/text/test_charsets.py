"""Charsets as browsers read them: every label of the standard, and who is believed."""

import pytest
from webencodings import LABELS

from izwi.text.charsets import codec_of, read_bytes
from izwi.text.decode import decode

# A text for each charset of the standard, with characters that narrower ones of the same name
# do not have, and the codec of Python that writes it.
WRITTEN = {
    "big5": ("啲嘢喺邊度呀", "big5hkscs"),
    "euc-jp": ("日本語の文章です～。髙い①", "euc-jp-of-windows"),
    "euc-kr": ("똠방각하와 펲시콜라", "cp949"),
    "gb18030": ("朱镕基和𠀀", "gb18030"),
    "gbk": ("朱镕基說繁體字", "gbk"),
    "ibm866": ("Привет, мир", "cp866"),
    "iso-2022-jp": ("日本語の文章です。①", "iso-2022-jp-of-windows"),
    "iso-8859-10": ("Þórður og ķegums", "iso8859-10"),
    "iso-8859-13": ("žemė ir “kalba”", "iso8859-13"),
    "iso-8859-14": ("Ŵyth ŷd ḃeag", "iso8859-14"),
    "iso-8859-15": ("l’œuvre à 5 €".replace("’", "'"), "iso8859-15"),
    "iso-8859-16": ("știință și „țară”", "iso8859-16"),
    "iso-8859-2": ("žluťoučký kůň", "iso8859-2"),
    "iso-8859-3": ("ĉiuĵaŭde ĝi", "iso8859-3"),
    "iso-8859-4": ("ģimene ķēniņš", "iso8859-4"),
    "iso-8859-5": ("Привет, мир", "iso8859-5"),
    "iso-8859-6": ("مرحبا بالعالم", "iso8859-6"),
    "iso-8859-7": ("Καλημέρα κόσμε", "iso8859-7"),
    "iso-8859-8": ("שלום עולם", "iso8859-8"),
    "iso-8859-8-i": ("שלום עולם", "iso8859-8"),
    "koi8-r": ("Привет, мир", "koi8-r"),
    "koi8-u": ("Привіт, їжак", "koi8-u"),
    "macintosh": ("“Façade” – 5 €", "mac-roman"),
    "shift_jis": ("髙島屋①～ソ表示", "cp932"),
    "utf-16be": ("droëwors 🦓", "utf-16-be"),
    "utf-16le": ("droëwors 🦓", "utf-16-le"),
    "utf-8": ("droëwors 🦓", "utf-8"),
    "windows-1250": ("„žluťoučký” kůň", "cp1250"),
    "windows-1251": ("«Привет», Ћирилица", "cp1251"),
    "windows-1252": ("“sê hy” – 5 €", "cp1252"),
    "windows-1253": ("“Καλημέρα” κόσμε", "cp1253"),
    "windows-1254": ("“ışık” ağaç", "cp1254"),
    "windows-1255": ("„שלום” עולם", "cp1255"),
    "windows-1256": ("پاکستان مرحبا", "cp1256"),
    "windows-1257": ("„žemė” ķēniņš", "cp1257"),
    "windows-1258": ("đi “chơi”", "cp1258"),
    "windows-874": ("“ภาษาไทย” 5 €", "cp874"),
    "x-mac-cyrillic": ("“Привет”, Ґудзик", "mac-cyrillic"),
    "x-user-defined": ("plain words", "ascii"),
}


def written(text: str, codec: str) -> bytes:
    """Return a text in bytes, in two charsets of the web that Python cannot write, too."""
    if codec == "euc-jp-of-windows":
        return b"".join(_euc(character) for character in text)
    if codec == "iso-2022-jp-of-windows":
        rows = bytes(byte & 0x7F for byte in written(text, "euc-jp-of-windows"))
        return b"\x1b$B" + rows + b"\x1b(B"
    return text.encode(codec)


def _euc(character: str) -> bytes:
    """Return one character by its row in Shift_JIS of Windows, as the standard's index has it."""
    first, second = character.encode("cp932")
    row = 2 * (first - (0x81 if first < 0xA0 else 0xC1)) + (second >= 0x9F)
    cell = second - 0x9F if second >= 0x9F else second - 0x40 - (second > 0x7F)
    return bytes([0xA1 + row, 0xA1 + cell])


@pytest.mark.parametrize("label", [name for name, of in LABELS.items() if of in WRITTEN])
def test_every_label_of_the_standard_is_read_without_loss(label):
    text, codec = WRITTEN[LABELS[label]]

    assert read_bytes(written(text, codec), codec_of(label)) == text


@pytest.mark.parametrize("label", [name for name, of in LABELS.items() if of == "replacement"])
def test_a_label_the_standard_refuses_is_read_where_it_can_be(label):
    codec = codec_of(label)

    assert codec in ("hz", "iso2022_kr", "")
    assert not codec or read_bytes("가나".encode("iso2022_kr"), "iso2022_kr") == "가나"


@pytest.mark.parametrize(
    ("label", "text", "codec"),
    [
        pytest.param("gb2312", "朱镕基說繁體字", "gbk", id="gb2312-holding-gbk"),
        pytest.param("euc-kr", "똠방각하와 펲시콜라", "cp949", id="euc-kr-holding-cp949"),
        pytest.param("windows-31j", "髙島屋①", "cp932", id="windows-31j"),
        pytest.param("shift_jis", "髙島屋①", "cp932", id="shift-jis-holding-cp932"),
        pytest.param("big5", "啲嘢喺邊度呀", "big5hkscs", id="big5-holding-hkscs"),
        pytest.param("iso-8859-9", "“ışık” ağaç", "cp1254", id="iso-8859-9-holding-cp1254"),
        pytest.param("tis-620", "“ภาษาไทย”", "cp874", id="tis-620-holding-cp874"),
        pytest.param("x-mac-cyrillic", "“Привет”, Ґудзик", "mac-cyrillic", id="mac-cyrillic"),
        pytest.param("hz-gb-2312", "汉字文章", "hz", id="hz"),
        pytest.param("iso-2022-kr", "한국어", "iso2022_kr", id="iso-2022-kr"),
    ],
)
def test_a_page_that_names_the_narrow_charset_is_read_in_the_wide_one(label, text, codec):
    body = f"<meta charset={label}><p>".encode() + text.encode(codec)

    assert decode(body).text.endswith("<p>" + text)
    assert decode(text.encode(codec), f"text/html; charset={label}").text == text


@pytest.mark.parametrize(
    ("said", "meant", "text", "codec"),
    [
        pytest.param("iso-8859-1", "shift_jis", "東京の新しい本です", "cp932", id="latin-1-of-all"),
        pytest.param("utf-8", "gb2312", "我们昨天去了市场", "gbk", id="utf-8-of-all"),
        pytest.param("utf-8", "windows-1251", "Мы поехали в город", "cp1251", id="utf-8-cyrillic"),
        pytest.param("euc-kr", "gbk", "他们昨天買了镕爐。", "gbk", id="korean-that-is-chinese"),
    ],
)
def test_where_header_and_meta_differ_the_one_that_decodes_is_believed(said, meant, text, codec):
    body = f"<meta charset={meant}><p>".encode() + (text * 8).encode(codec)

    found = decode(body, f"text/html; charset={said}")

    assert found.text.endswith(text * 8)
    assert found.evidence == "meta element"


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_seen(codec):
    page = "<html><p>Die hond sê môre reën dit</p></html>"

    found = decode(page.encode(codec))

    assert (found.text, found.charset) == (page, codec)


def test_japanese_that_shifts_by_escapes_is_seen_without_a_label():
    body = "<p>日本語の文章です。</p>".encode("iso2022_jp")

    assert decode(body).text == "<p>日本語の文章です。</p>"


def test_letters_pasted_from_windows_into_utf_8_are_read():
    body = ("<p>" + "één wêreld " * 200).encode() + b"Zimmeron\x92s caf\xe9 "

    assert decode(body).text.endswith("Zimmeron’s café ")


def test_a_character_cut_in_two_is_one_replacement_and_eats_no_tag():
    body = "<p>één wêreld ".encode() * 200 + b"\xe2\x80</p>"

    assert decode(body).text.endswith("\ufffd</p>")


def test_half_a_character_of_gbk_eats_no_tag():
    body = "<meta charset=gb2312><p>我们昨天去了市场".encode("gbk") + b"\xd6</p><b>x</b>"

    assert decode(body).text.endswith("</p><b>x</b>")


def test_quotation_marks_of_windows_in_an_iso_charset_are_read():
    body = b"<p>\x84" + "žluťoučký".encode("iso8859-2") + b"\x94"

    assert decode(body, "text/html; charset=iso-8859-2").text == "<p>„žluťoučký”"
