"""Scripts without spaces: pieces without a library, words with one, and how both are searched."""

import pytest

from izwi import plugins
from izwi.annotate.base import AnnotatorSettings
from izwi.annotate.izwi import Izwi
from izwi.annotate.spaceless import clusters
from izwi.annotate.tokens import words_of
from izwi.service.querying import occurring, tokenisations


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("今天很好", ["今", "天", "很", "好"]),
        ("コーヒー店", ["コーヒー", "店"]),
        ("วันนี้อากาศ", ["วั", "น", "นี้", "อา", "กา", "ศ"]),
        ("เดินไป", ["เดิ", "น", "ไป"]),
        ("ພາສາລາວ", ["ພາ", "ສາ", "ລາ", "ວ"]),
        ("ខ្ញុំ", ["ខ្ញុំ"]),
        ("ကောင်းသည်", ["ကောင်း", "သည်"]),
        ("၂၀၂၄", ["၂၀၂၄"]),
    ],
)
def test_a_run_is_cut_into_pieces_that_can_be_searched(text, pieces):
    assert clusters(text) == pieces


def test_a_word_is_cut_alike_in_a_text_and_in_a_query():
    text, word = words_of("วันนี้อากาศดีมาก"), words_of("อากาศ")

    assert any(text[n : n + len(word)] == word for n in range(len(text)))


def test_words_of_other_scripts_stand_beside():
    assert words_of("他说 hello 2024年。") == ["他", "说", "hello", "2024", "年", "。"]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("今天好。他说。", 2),
        ("သည်။ ထို့", 2),
        ("ខ្ញុំ។ ខ្ញុំ", 2),
        ("यह घर है। वह आया।", 2),
        ("یہ ہے۔ وہ ہے۔", 2),
    ],
)
def test_each_script_ends_sentences_by_its_own_sign(text, sentences):
    assert len(Izwi()([text]).sentences) == sentences


@pytest.mark.parametrize(
    ("method", "language", "text", "words"),
    [
        ("jieba", "zho", "我们去公园散步", ("我们", "去", "公园", "散步")),
        ("janome", "jpn", "コーヒーを飲みます", ("コーヒー", "を", "飲み", "ます")),
        ("pythainlp", "tha", "เราไปเดินเล่น", ("เรา", "ไป", "เดินเล่น")),
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_libraries_cut_runs_into_words(method, language, text, words):
    annotator = plugins.load("izwi.annotators", method)(AnnotatorSettings(language))

    found = annotator([f"{text} Izwi."])

    assert found.words == (*words, "Izwi", ".")
    assert [f"{text} Izwi."[a:b] for a, b in zip(found.starts, found.ends, strict=True)] == [
        *found.words
    ]


class Lexicon:
    def __init__(self, words):
        self.words = words

    def same_but_for_case(self, word):
        return [word] if word in self.words else []


class Segment:
    """As much of a segment as is asked: its words."""

    def __init__(self, *words):
        self.word = type("Attribute", (), {"lexicon": Lexicon(words)})


@pytest.mark.parametrize(
    ("indexed", "way"),
    [
        (("我们", "去", "公园"), ("我们", "去", "公园")),
        (("我", "们", "去", "公", "园"), ("我", "们", "去", "公", "园")),
    ],
    ids=["words", "characters"],
)
def test_a_query_is_cut_as_the_index_was(indexed, way):
    assert way in occurring(tokenisations("我们去公园"), [Segment(*indexed)])
