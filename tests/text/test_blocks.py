# ruff: noqa: E501 -- tables of markup
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from izwi.kernels.columns import B_LINKED
from izwi.kernels.feature_columns import COUNTS
from izwi.text.blocks import MOST_BLOCKS, segment, segment_lean
from izwi.text.characters import count
from izwi.text.elements import FLAGS, hash_of, hint_words
from izwi.text.features import NAMES, Vocabulary, features


def texts(html):
    return [block.text for block in segment(html).blocks]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        pytest.param(
            "<table><tr><td>blue</td><td>light</td></tr></table>", ["blue", "light"], id="cells"
        ),
        pytest.param("<p>blue</p><p>light</p>", ["blue", "light"], id="paragraphs"),
        pytest.param("<div>blue<div>light</div>on</div>", ["blue", "light", "on"], id="nested"),
        pytest.param("blue<br>light", ["blue light"], id="one-break"),
        pytest.param("blue<br> <br>light", ["blue", "light"], id="two-breaks"),
        pytest.param("blue<hr>light", ["blue", "light"], id="rule"),
        pytest.param("<b>blue</b><i>light</i>", ["bluelight"], id="inline"),
        pytest.param("<a href=a>blue</a><a href=b>light</a>", ["blue light"], id="links"),
        pytest.param("<span>blue</span><span>Light</span>", ["blue Light"], id="capital"),
        pytest.param("5<sup>th</sup> light", ["5th light"], id="raised"),
        pytest.param("<p>a &lt;b&gt; &amp; c&nbsp;d</p>", ["a <b> & c d"], id="entities"),
        pytest.param("<p>kept<!-- not > this < --></p>", ["kept"], id="comment"),
        pytest.param("<script>x</script><style>y</style><p>kept", ["kept"], id="script"),
        pytest.param(
            "<custom-head>blue</custom-head><p>light", ["blue", "light"], id="custom-element"
        ),
        pytest.param('<p title="a > b <c">blue', ["blue"], id="marks-in-attributes"),
        pytest.param("", [], id="empty"),
    ],
)
def test_blocks_are_what_a_reader_sees_apart(html, expected):
    assert texts(html) == expected


@pytest.mark.parametrize(
    ("html", "kind"),
    [
        ("<h2>x</h2>", "h"),
        ("<ul><li>x</li></ul>", "li"),
        ("<blockquote><p>x</p></blockquote>", "quote"),
        ("<table><tr><th>x</th></tr></table>", "td"),
        ("<figure><figcaption>x</figcaption></figure>", "caption"),
        ("<pre>x</pre>", "pre"),
        ("<div>x</div>", "p"),
    ],
)
def test_a_block_has_the_kind_of_its_element(html, kind):
    (block,) = segment(html).blocks

    assert block.kind == kind


def test_links_are_offsets_into_the_text():
    (block,) = segment(
        '<p>See <a href="/a">the  blue</a> light <a href="/b"><b>here</b></a>.</p>'
    ).blocks

    assert [(block.text[link.start : link.end], link.target) for link in block.links] == [
        ("the blue", "/a"),
        ("here", "/b"),
    ]


@pytest.mark.parametrize(
    ("html", "linked"),
    [
        ('<p><a href="/dam">The dam</a> is full</p>', 7),
        ('<p><a class=c href="/dam">The dam</a> is full</p>', 7),
        ('<p><a name="dam">The dam</a> is full</p>', 0),
        ('<p><a id="dam"/>The dam is full</p>', 0),
    ],
)
def test_the_name_of_a_place_is_no_link(html, linked):
    page = segment(f"<body>{html}</body>")

    assert page.table[:, B_LINKED].sum() == linked
    assert segment_lean(f"<body>{html}</body>").table[:, B_LINKED].sum() == linked


def test_a_link_round_blocks_covers_each():
    blocks = segment('<a href="/a"><div>blue</div><div>light</div></a>').blocks

    assert [(block.links[0].start, block.links[0].end) for block in blocks] == [(0, 4), (0, 5)]


def test_the_path_names_the_elements_round_a_block():
    page = segment("<div><ul><li>x</li></ul></div>")

    assert page.path(page.blocks[0]) == "html.body.div.ul.li"


def test_a_hundred_thousand_levels_are_read():
    page = segment_lean("<div>" * 100_000 + "deep")

    assert [block.text for block in page.blocks] == ["deep"]
    assert len(page.nodes) < 1000


def test_a_page_of_countless_blocks_is_cut():
    assert len(segment("<p>x</p>" * (MOST_BLOCKS + 10)).blocks) == MOST_BLOCKS


MARKUP = st.lists(
    st.sampled_from(["<p>", "</p>", "<div class='a'>", "</div>", "<a href=x>", "</a>", "<br>", "<li>", "<td>",
                     "<b>", "</b>", "<!--", "-->", "<table>", "&lt;", "&#0;", "word ", "北京。", "<", ">", "\ud800"])
    | st.text(max_size=8),
    max_size=40,
).map("".join)  # fmt: skip


@given(MARKUP)
def test_any_markup_gives_trimmed_blocks_links_inside_them_and_features(html):
    page = segment(html)
    rows = features(page, Vocabulary())

    assert rows.shape == (len(page.blocks), len(NAMES))
    for block in page.blocks:
        assert block.text
        assert " ".join(block.text.split()) == block.text
        assert all(0 <= link.start < link.end <= len(block.text) for link in block.links)
    assert all(node.parent < number for number, node in enumerate(page.nodes))


@pytest.mark.parametrize(
    ("text", "column", "value"),
    [
        ("Two words.", "words", 2),
        ("Two words.", "stops", 1),
        ("Two words.", "is_ended", 1),
        ("3.14 is no end", "stops", 0),
        ("Home | News", "fences", 1),
        ("北京很大。", "stops", 1),
        ("The Cape", "capitals", 2),
        ("ab12", "digits", 2),
    ],
)
def test_characters_are_counted_by_kind(text, column, value):
    assert count([text])[0, COUNTS.index(column)] == value


def test_ten_ideographs_count_as_six_words():
    assert count(["北京" * 5])[0, COUNTS.index("words")] == pytest.approx(6)


def test_names_of_elements_fall_into_words():
    assert hint_words('id="mainNav" class="nav-Bar x"  role="menu" data-class="no"') == (
        "main", "nav", "bar", "@menu",
    )  # fmt: skip


def test_names_are_hashed_as_they_fall_into_words():
    page = segment('<div id="mainNav" class="nav-Bar x HTMLBox" role="menu">words')

    found = set(page.names.tolist())
    assert found == {hash_of(name) for name in ("main", "nav", "bar", "html", "box", "@menu")}


@pytest.mark.parametrize(
    ("attributes", "flag"),
    [
        ("hidden", "hidden"),
        ('style="color: red; Display : none"', "hidden"),
        ('aria-hidden="true"', "hidden"),
        ('class="commentList"', "comments"),
        ('id="kommentare"', "comments"),
    ],
)
def test_an_element_passes_on_what_its_attributes_say(attributes, flag):
    page = segment(f"<div {attributes}><p>words</p></div>")

    assert page.flags[0] & FLAGS[flag]


@pytest.mark.parametrize("attributes", ['class="commentary"', 'style="display: block"', ""])
def test_other_attributes_say_nothing(attributes):
    page = segment(f"<div {attributes}><p>words</p></div>")

    assert not page.flags[0] & (FLAGS["hidden"] | FLAGS["comments"])


def test_formatting_is_kept_as_offsets():
    (block,) = segment("<p>See <b>the <i>blue</i></b> light<sup>2</sup></p>").blocks

    assert {(block.text[each.start : each.end], each.name) for each in block.formats} == {
        ("the blue", "b"),
        ("blue", "i"),
        ("2", "sup"),
    }


def test_code_is_told_from_other_preformatted_text():
    kinds = [
        block.kind for block in segment("<pre>a poem</pre><pre><code>x = 1</code></pre>").blocks
    ]

    assert kinds == ["pre", "code"]


def test_a_stray_quote_in_a_tag_hides_no_text():
    assert texts('<p title="a"" class="b">blue</p><p>light') == ["blue", "light"]


@pytest.mark.parametrize("name", ["svg", "select", "template", "iframe", "object"])
def test_what_nobody_reads_is_left_out_whole(name):
    assert "inside" not in texts(f"<p>one</p><{name}>inside</{name}><p>two")
    assert texts(f"<p>one</p><{name}></{name}><p>two")[-1] == "two"


def test_text_for_readers_without_scripts_is_read_if_there_is_no_other():
    post = "<noscript><div><p>All posts of the thread are here.</p></div></noscript>"

    assert texts(f"<div id=app></div>{post}") == ["All posts of the thread are here."]
    assert texts(f"<p>{'words ' * 100}</p>{post}") == [("words " * 100).strip()]


def test_marks_stand_where_their_words_are():
    html = '<p>Ein <b>élan</b>: <a href="/a?x=1&amp;y=2">so <em>viel</em></a>.</p><p><i>no</i></p>'
    page = segment(html)

    found = page.marks(np.array([True, False]))

    shown = [(page.texts[0][m.start : m.end], m.name, m.target) for m in found[0]]
    assert sorted(shown) == [("so viel", "a", "/a?x=1&y=2"), ("viel", "em", ""), ("élan", "b", "")]
    assert list(found) == [0]


@pytest.mark.parametrize(
    "ruby",
    [
        "<ruby>虐待<rp>(</rp><rt>ぎゃくたい</rt><rp>)</rp></ruby>",
        "<ruby>虐<rt>ぎゃく</rt>待<rt>たい</rt></ruby>",
        "<ruby>虐<rt>ぎゃく</rt>待<rt>たい</ruby>",
        "<ruby><rb>虐待</rb><rtc><rt>ぎゃくたい</rt></rtc></ruby>",
    ],
)
def test_how_characters_are_read_aloud_is_no_part_of_a_sentence(ruby):
    assert segment(f"<p>子どもへの{ruby}をなくす。").texts == ["子どもへの虐待をなくす。"]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        pytest.param("<p>Stra&shy;ßen&#173;bau\u00adamt</p>", "Straßenbauamt", id="soft-hyphens"),
        pytest.param("<p>her/\u200bhis\u2060 \ufeffown</p>", "her/his own", id="no-width"),
        pytest.param("<p>ภาษา\u200bไทย</p>", "ภาษา\u200bไทย", id="parts-words-in-thai"),
        pytest.param("<p>می\u200cخواهم</p>", "می\u200cخواهم", id="joins-letters-in-persian"),
    ],
)
def test_characters_that_nobody_sees_part_no_words(html, expected):
    assert texts(html) == [expected]


def test_marks_stand_where_their_words_are_without_what_nobody_sees():
    page = segment("<p>der Stra&shy;ßen&shy;bau <b>be&shy;ginnt</b> bald</p>")

    (mark,) = page.marks(np.array([True]))[0]

    assert page.texts[0][mark.start : mark.end] == "beginnt"
