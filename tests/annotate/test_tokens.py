import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from izwi.annotate import tokens
from izwi.annotate.base import AnnotatorSettings
from izwi.annotate.tokens import Tokeniser, words_of
from izwi.model.document import Annotation


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        pytest.param("", [], id="nothing"),
        pytest.param(" \t\n\u00a0", [], id="spaces"),
        pytest.param("The robots are out.", ["The", "robots", "are", "out", "."], id="sentence"),
        pytest.param("It cost R10m.", ["It", "cost", "R10m", "."], id="rand"),
        pytest.param("at 10h00, sharp", ["at", "10h00", ",", "sharp"], id="time-with-h"),
        pytest.param("Dit is 'n hond", ["Dit", "is", "'n", "hond"], id="afrikaans-article"),
        pytest.param("Dis ’n hond", ["Dis", "’n", "hond"], id="afrikaans-article-typographic"),
        pytest.param("She speaks isiZulu.", ["She", "speaks", "isiZulu", "."], id="isizulu"),
        pytest.param("load-shedding", ["load-shedding"], id="hyphen"),
        pytest.param(
            "the blue-light brigade", ["the", "blue-light", "brigade"], id="hyphen-in-phrase"
        ),
        pytest.param("now-now-now", ["now-now-now"], id="two-hyphens"),
        pytest.param("blue\u2011light", ["blue\u2011light"], id="non-breaking-hyphen"),
        pytest.param("droëwors, môre!", ["droëwors", ",", "môre", "!"], id="diaereses"),
        pytest.param("droe\u0308wors", ["droe\u0308wors"], id="combining-mark"),
        pytest.param("don't don’t", ["don't", "don’t"], id="apostrophes"),
        pytest.param("the taxis' horns", ["the", "taxis", "'", "horns"], id="genitive"),
        pytest.param("-ing and pre-", ["-", "ing", "and", "pre", "-"], id="hanging-hyphens"),
        pytest.param(
            '("Yes"), he said', ["(", '"', "Yes", '"', ")", ",", "he", "said"], id="marks"
        ),
        pytest.param("1,500.25 or 10:30", ["1,500.25", "or", "10:30"], id="numbers"),
        pytest.param("3.5% of 10%", ["3.5", "%", "of", "10", "%"], id="percent"),
        pytest.param("In 2019.", ["In", "2019", "."], id="number-and-full-stop"),
        pytest.param("2019-03-01", ["2019-03-01"], id="date"),
        pytest.param("snake_case", ["snake_case"], id="underscore"),
        pytest.param("Wait... what -- no", ["Wait", "...", "what", "--", "no"], id="runs"),
        pytest.param("!!", ["!!"], id="marks-in-a-run"),
        pytest.param(
            "See https://a.co.za/x?y=1&z=(2), now",
            ["See", "https://a.co.za/x?y=1&z=(2", ")", ",", "now"],
            id="url",
        ),
        pytest.param("Go to www.a.co.za.", ["Go", "to", "www.a.co.za", "."], id="www"),
        pytest.param("http://", ["http", ":", "/", "/"], id="no-url"),
        pytest.param(
            "Mail t.mokoena+news@a.co.za!", ["Mail", "t.mokoena+news@a.co.za", "!"], id="e-mail"
        ),
        pytest.param("a@b", ["a", "@b"], id="no-e-mail"),
        pytest.param("@karoo_courant #dam", ["@karoo_courant", "#dam"], id="handle-and-tag"),
        pytest.param("ok 😀😀!", ["ok", "😀", "😀", "!"], id="emoji"),
        pytest.param("我爱茶。", ["我", "爱", "茶", "。"], id="chinese"),
        pytest.param("我的iPhone好", ["我", "的", "iPhone", "好"], id="chinese-and-latin"),
        pytest.param("ฉันรัก", ["ฉั", "น", "รั", "ก"], id="thai"),
        pytest.param("الكتاب، جديد", ["الكتاب", "،", "جديد"], id="arabic"),
        pytest.param("!Xóõ ǁAni", ["!", "Xóõ", "ǁAni"], id="clicks"),
        pytest.param(
            "tar.gz at ftp://a.co/b, mailto:t@a.co.",
            ["tar", ".", "gz", "at", "ftp://a.co/b", ",", "mailto:t@a.co", "."],
            id="other-schemes",
        ),
        pytest.param("mailto: me, x: y", ["mailto", ":", "me", ",", "x", ":", "y"], id="no-scheme"),
        pytest.param(
            "(karoo.co.za/dam-2?x=1), a.b/c",
            ["(", "karoo.co.za/dam-2?x=1", ")", ",", "a.b", "/", "c"],
            id="host-and-path",
        ),
        pytest.param(
            "DAM.XLS dam-2.docx Next.js a .pdf",
            ["DAM.XLS", "dam-2.docx", "Next.js", "a", ".pdf"],
            id="files",
        ),
        pytest.param("read it.Doc said", ["read", "it", ".", "Doc", "said"], id="no-file"),
        pytest.param(
            "C++, g++ C# (F#) A+ a+++",
            ["C++", ",", "g++", "C#", "(", "F#", ")", "A", "+", "a", "+++"],
            id="programming-languages",
        ),
        pytest.param(
            "a --> b => c <-- d*-x",
            ["a", "-->", "b", "=>", "c", "<--", "d", "*", "-", "x"],
            id="arrows",
        ),
        pytest.param("*~*~*~* |---+--->", ["*~*~*~*", "|---+--->"], id="ornaments"),
        pytest.param(
            "^_^ -_- ^^ <3 (: <30", ["^_^", "-_-", "^^", "<3", "(:", "<", "30"], id="faces"
        ),
        pytest.param(
            "d*mn 2*3 **bold**", ["d*mn", "2", "*", "3", "**", "bold", "**"], id="not-spelt-out"
        ),
        pytest.param("basic\u00adally", ["basic\u00adally"], id="soft-hyphen"),
    ],
)
def test_text_is_cut_into_tokens(text, tokens):
    assert words_of(text) == tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        pytest.param("I don't think they'll go", "I do n't think they 'll go", id="clitics"),
        pytest.param("the city’s taxis' horns", "the city ’s taxis ' horns", id="genitives"),
        pytest.param("We cannot, gonna", "We can not , gon na", id="fused"),
        pytest.param("a two-state e-mail", "a two - state e-mail", id="hyphens"),
        pytest.param("call 011-555-1234", "call 011-555-1234", id="telephone"),
        pytest.param("R10m at 10h00", "R10m at 10h00", id="south-african"),
        pytest.param("3pm, 10km, 1980s", "3 pm , 10 km , 1980s", id="units"),
        pytest.param("the U.S. Senate", "the U.S. Senate", id="spelt"),
        pytest.param("and/or 9/11", "and / or 9/11", id="strokes"),
        pytest.param("Great :-) isiXhosa", "Great :-) isiXhosa", id="emoticon"),
        pytest.param(
            "dam-2-final.docx, 02-05-02.doc", "dam-2-final.docx , 02-05-02.doc", id="files"
        ),
        pytest.param("on karoo.co.za/two-state", "on karoo.co.za/two-state", id="host-and-path"),
    ],
)
def test_english_is_cut_as_the_treebanks_cut_it(text, tokens):
    assert words_of(text, "en") == tokens.split()


@pytest.mark.parametrize(
    ("language", "text", "tokens"),
    [
        pytest.param("ara", "نحو ١٬٢٣٤٫٥٦ ريال", ["نحو", "١٬٢٣٤٫٥٦", "ريال"], id="arabic-number"),
        pytest.param("fin", "EU:n 20:lle", ["EU:n", "20:lle"], id="finnish-endings"),
        pytest.param("swe", "den 3:e: bra", ["den", "3:e", ":", "bra"], id="swedish-endings"),
        pytest.param("deu", "um 3:e", ["um", "3", ":", "e"], id="no-endings-elsewhere"),
        pytest.param("fin", "Kuva:Matti", ["Kuva", ":", "Matti"], id="no-ending"),
        pytest.param("heb", 'צה"ל', ['צה"ל'], id="hebrew-abbreviation"),
        pytest.param("heb", 'ב"הארץ"', ["ב", '"', "הארץ", '"'], id="hebrew-quotation"),
        pytest.param("por", "R$ 5 e US$20", ["R$", "5", "e", "US$", "20"], id="money"),
        pytest.param("ita", "un po' d' aria", ["un", "po'", "d'", "aria"], id="clipped"),
        pytest.param("ita", "'po' e basta", ["'", "po", "'", "e", "basta"], id="quoted"),
        pytest.param("mlt", "il-ktieb ta' Ġanni", ["il-", "ktieb", "ta'", "Ġanni"], id="maltese"),
        pytest.param("ron", "s-a dus într-o", ["s-", "a", "dus", "într-", "o"], id="romanian"),
        pytest.param("cym", "i'r tŷ sy'n fawr", ["i", "'r", "tŷ", "sy", "'n", "fawr"], id="welsh"),
        pytest.param("gla", "a' dol dh'òl", ["a'", "dol", "dh'", "òl"], id="gaelic"),
        pytest.param("swe", "bl.a. hos oss", ["bl.a.", "hos", "oss"], id="letters-and-stops"),
    ],
)  # fmt: skip
def test_a_language_cuts_numbers_and_clitics_its_own_way(language, text, tokens):
    assert words_of(text, language) == tokens


def test_words_of_the_lexicon_stay_whole():
    lexicon = ("load-shedding\tNOUN\tload-shedding", "can't\tAUX\tcan")

    found = Tokeniser(AnnotatorSettings("eng", lexicon=lexicon))(
        ["Load-shedding? I can't two-time."]
    )

    assert " ".join(found.words) == "Load-shedding ? I can't two - time ."


def sentences_of(*paragraphs):
    """Return the sentences as lists of tokens."""
    found = Tokeniser()(paragraphs)
    ends = (*found.sentences[1:], len(found.words))
    return [
        " ".join(found.words[begin:end]) for begin, end in zip(found.sentences, ends, strict=True)
    ]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        pytest.param("One. Two! Three? Four", ["One .", "Two !", "Three ?", "Four"], id="marks"),
        pytest.param("Mr. Nel and Prof. Dlamini came. They sat.",
                     ["Mr. Nel and Prof. Dlamini came .", "They sat ."], id="titles"),
        pytest.param("Mnr. Botha en mev. Botha slaap. Dit reën.",
                     ["Mnr. Botha en mev. Botha slaap .", "Dit reën ."], id="afrikaans-titles"),
        pytest.param("Dit reën. Mev. Botha slaap.", ["Dit reën .", "Mev. Botha slaap ."],
                     id="title-first"),
        pytest.param("She saw me. Then she left.", ["She saw me .", "Then she left ."], id="me"),
        pytest.param("J. Zuma spoke. Then he left.", ["J. Zuma spoke .", "Then he left ."],
                     id="initial"),
        pytest.param("Buy bread, etc. Then come.", ["Buy bread , etc .", "Then come ."],
                     id="etc"),
        pytest.param("He said no. and left.", ["He said no .", "and left ."],
                     id="small-letter-next"),
        pytest.param("It is 3.5 km. 12 of us walked.", ["It is 3.5 km .", "12 of us walked ."],
                     id="digit-next"),
        pytest.param("“Stop!” He stopped.", ["“ Stop ! ”", "He stopped ."], id="closing-quote"),
        pytest.param("He went. “Stop!” she said.", ["He went .", "“ Stop ! ” she said ."],
                     id="opening-quote"),
        pytest.param("What?! No... Yes.", ["What ?!", "No ...", "Yes ."], id="runs"),
        pytest.param("Dit reën. 'n Man loop. ’n Vrou sing.",
                     ["Dit reën .", "'n Man loop .", "’n Vrou sing ."], id="afrikaans-article"),
        pytest.param("Hy het 'n hond en 'n kat.", ["Hy het 'n hond en 'n kat ."],
                     id="article-inside"),
        pytest.param("Écoute. Être ou non.", ["Écoute .", "Être ou non ."], id="accented-capital"),
        pytest.param("我爱茶。你呢？好！", ["我 爱 茶 。", "你 呢 ？", "好 ！"], id="chinese"),
        pytest.param("www.a.co.za is down", ["www.a.co.za is down"], id="point-in-a-word"),
        pytest.param(". One", [".", "One"], id="begins-with-a-mark"),
        pytest.param("  One.  Two.  ", ["One .", "Two ."], id="spaces-round"),
        pytest.param(
            "He left in 1805. [17] She stayed.",
            ["He left in 1805 . [ 17 ]", "She stayed ."],
            id="note-after-the-end",
        ),
        pytest.param(
            "Norton (c. 1818) ruled, e.g. The Bay.",
            ["Norton ( c. 1818 ) ruled , e.g. The Bay ."],
            id="never-the-end",
        ),
        pytest.param("He waited . . . and left. . . . Then she came . . .",
                     ["He waited . . . and left . . . .", "Then she came . . ."],
                     id="dots-with-spaces"),
        pytest.param('He left. "', ['He left . "'], id="a-mark-is-no-sentence"),
        pytest.param("We met! 😀", ["We met ! 😀"], id="nor-is-an-emoji"),
        pytest.param("We met. ---", ["We met .", "---"], id="a-line-drawn-is"),
        pytest.param('"3. May I go?"', ['" 3 . May I go ? "'], id="item-in-quotes"),
        pytest.param("(It rained.) http://a.co/b says so.",
                     ["( It rained . )", "http://a.co/b says so ."], id="address-next"),
        pytest.param("P.S. By the way, ps. Nel came.", ["P.S. By the way , ps. Nel came ."],
                     id="postscript"),
    ],
)  # fmt: skip
def test_text_is_cut_into_sentences(text, sentences):
    assert sentences_of(text) == sentences


def test_a_paragraph_ends_a_sentence():
    assert sentences_of("No mark here", "Nor here") == ["No mark here", "Nor here"]


def test_offsets_count_the_line_breaks_between_paragraphs():
    found = Tokeniser()(["Ja, nee.", "", "Nou-nou"])

    assert found == Annotation(
        words=("Ja", ",", "nee", ".", "Nou-nou"),
        starts=(0, 2, 4, 7, 10),
        ends=(2, 3, 7, 8, 17),
        sentences=(0, 4),
        paragraphs=(0, 4),
    )


PIECES = st.sampled_from(
    ["robot", "Taxi", "'n", "R10m", "10h00", "1,5", "don’t", ".", "...", "!", "?", "“", "”", ")",
     "http://", "www.a.b", "a@b.c", "@", "#x", "_", "-", "--", "😀", "我", "。", "ก", "ั", "e\u0301",
     "\u0301", "\u200d", " ", "  ", "\n", "\t", "\u00a0", "\x1f", "Mr."]
)  # fmt: skip
PARAGRAPHS = st.lists(
    st.lists(PIECES, max_size=12).map("".join) | st.text(alphabet=st.characters(), max_size=30),
    max_size=5,
)


def rebuilt(paragraphs, found):
    """Return the text as the tokens and the white space between them give it."""
    text, parts, end = "\n".join(paragraphs), [], 0
    for word, start in zip(found.words, found.starts, strict=True):
        parts += [text[end:start], word]
        end = start + len(word)
    return "".join([*parts, text[end:]])


@given(PARAGRAPHS, st.sampled_from(["und", "eng", "afr", "zul"]))
@example(["I can't. U.S.", "e.g. 3pm :-)"], "eng")
def test_tokens_and_their_spaces_give_back_the_text_byte_for_byte(paragraphs, language):
    found = Tokeniser(AnnotatorSettings(language))(paragraphs)

    text = "\n".join(paragraphs)
    assert rebuilt(paragraphs, found).encode("utf-8", "surrogatepass") == text.encode(
        "utf-8", "surrogatepass"
    )
    gaps = zip((0, *found.ends), (*found.starts, len(text)), strict=True)
    assert all(text[a:b].strip() == "" for a, b in gaps)


@given(PARAGRAPHS, st.sampled_from(["und", "eng"]))
def test_the_compiled_scanner_cuts_like_the_interpreted_one(paragraphs, language):
    tokenise = Tokeniser(AnnotatorSettings(language))
    plain = tokenise(paragraphs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokens, "_SHORT", 0)
        assert tokenise(paragraphs) == plain


@given(PARAGRAPHS)
@example(["", " ", "."])
@example(["。"])
@example(["a. ", "B"])
def test_tokens_cover_the_text_but_for_white_space(paragraphs):
    text = "\n".join(paragraphs)

    found = Tokeniser()(paragraphs)

    assert [text[a:b] for a, b in zip(found.starts, found.ends, strict=True)] == list(found.words)
    assert all(a < b for a, b in zip(found.starts, found.ends, strict=True))
    gaps = zip((0, *found.ends), (*found.starts, len(text)), strict=True)
    assert all(a <= b and text[a:b].strip() == "" for a, b in gaps)


@given(PARAGRAPHS)
@example(["", " ", "."])
def test_no_token_holds_white_space(paragraphs):
    assert all(word.split() == [word] for word in Tokeniser()(paragraphs).words)


@given(PARAGRAPHS)
@example(["a. ", "B"])
def test_sentences_and_paragraphs_begin_at_tokens_in_order(paragraphs):
    found = Tokeniser()(paragraphs)

    for begins in (found.sentences, found.paragraphs):
        assert list(begins) == sorted(set(begins))
        assert list(begins[:1]) == ([0] if found.words else [])
        assert all(begin < len(found.words) for begin in begins)
    assert set(found.paragraphs) <= set(found.sentences)
    assert len(found.paragraphs) == sum(bool(text.strip()) for text in paragraphs)


@given(PARAGRAPHS)
def test_paragraphs_are_cut_each_on_its_own(paragraphs):
    found = Tokeniser()(paragraphs)

    assert list(found.words) == [word for text in paragraphs for word in words_of(text)]


HOSTILE = {
    "letters": "a",
    "digits": "1",
    "number-that-never-ends": "1,",
    "hyphens": "a-",
    "lone-hyphens": "-",
    "apostrophes": "'",
    "marks": "a\u0301",
    "addresses-cut-short": "http://",
    "www": "www.",
    "address-of-points": "http://........",
    "at-signs": "@",
    "e-mail-without-a-host": "a.b@",
    "e-mail-without-an-end": "a@b.",
    "local-part": "a.+-",
    "underscores": "_",
    "full-stops": ".",
    "marks-and-quotes": '."',
    "marks-and-spaces": ". ",
    "calls-and-spaces": "! ",
    "marks-and-many-spaces": ".                ",
    "marks-and-brackets": ". (",
    "ornaments": "-|",
    "ornaments-cut-short": "*-*-*-a",
    "hosts-with-paths": "a.co/",
    "files": "a.doc-",
    "schemes": "abcdefgh:",
    "faces": "^_",
    "initials": "A. ",
    "articles": ". 'n ",
    "chinese-marks": "。”",
}


@pytest.mark.timeout(20)
@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text_is_cut_in_linear_time(piece):
    # Quadratic work on so many characters would take many minutes.
    text = (piece * 200_000)[:200_000]

    found = Tokeniser()([text])

    assert "".join(found.words) == "".join(text.split())


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("." + " " * 200_000 + "a", id="mark-then-spaces"),
        pytest.param("." + '"' * 200_000, id="mark-then-quotes"),
        pytest.param(". " + "(" * 200_000 + "a", id="mark-then-brackets"),
        pytest.param("Rain " + "! " * 100_000 + "falls", id="calls-then-a-word"),
        pytest.param("http://" + "." * 200_000, id="address-of-points-only"),
        pytest.param("1" * 200_000 + ",", id="number-without-an-end"),
        pytest.param("a@" + "b" * 200_000, id="host-without-a-point"),
    ],
)
def test_one_long_run_is_cut_in_linear_time(text):
    found = Tokeniser()([text])

    assert "".join(found.words) == "".join(text.split())


@pytest.mark.parametrize(
    ("language", "text", "sentences"),
    [
        ("deu", "Am 2. Juli bzw. am 13. August war es heiß. Es regnete.", 2),
        ("hrv", "Rođen je 1990. godine u Zagrebu. Živi ondje.", 2),
        ("ces", "Smlouva platí od 1. ledna 1997. Potom končí.", 2),
        ("dan", "Det koster ca. 20 kr. pr. stk. i dag, f.eks. her. Kom ind.", 2),
        # A number may end a sentence all the same; elsewhere ordinals are written otherwise.
        ("deu", "Es geschah 1945. Danach war Frieden.", 2),
        ("eng", "It was in 1990. then it rained.", 2),
        ("xho", "UGqr. Mbeki noNksz. Dube bafikile. Bahambile.", 2),
        # In Thai a full stop abbreviates and ends no sentence.
        ("tha", "เกิดเมื่อ พ.ศ. 2567 เวลา 10 น. ที่นี่ ดร. สมชาย", 1),
        ("lao", "ຂ້ອຍຮັກປະເທດລາວ. ນະຄອນຫຼວງ.", 2),
        # The Armenian full stop is mostly typed as the colon that it looks like.
        ("hye", "Տղամարդիկ մրցեցին 500 մ: Կանայք՝ 300 մ:", 2),
        ("swe", "De åt äpplen, päron osv. i parken. Sedan gick de.", 2),
        ("swe", "De åt äpplen, päron osv. Sedan gick de.", 2),
    ],
)
def test_ordinals_and_abbreviations_of_a_language_end_no_sentence(language, text, sentences):
    assert len(Tokeniser(AnnotatorSettings(language))([text]).sentences) == sentences
