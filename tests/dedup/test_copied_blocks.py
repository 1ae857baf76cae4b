import json
import random

import pytest

from izwi.cases.collection_tools import Options, deduplicate
from izwi.model.errors import SourceError

STORY = (
    "The council of Rooiberg met on the first evening of the month to speak about the road between "
    "the old mill and the station, which the rain of the last two weeks had washed away in three "
    "places. Nobody could say what it would cost to build it again, or when the province would pay."
)
OWN = (
    "My uncle, who had driven the school bus along that road for thirty years, laughed and told "
    "them to buy a boat."
)
NIGHT = "昨日の夜、村の人々は古い水車小屋に集まり、雨で流された道について長い間話し合った。"
BOAT = "伯父は三十年間その道でバスを運転していたが、笑って船を買えと皆に言い、静かに家へ帰った。"
VERSE = "ชาวบ้านมาประชุมกันที่โรงเรียนเก่าเพื่อพูดคุยเรื่องถนนที่ถูกน้ำฝนพัดหายไปเมื่อสองสัปดาห์ก่อน"
RIVER = "ลุงของฉันหัวเราะแล้วบอกให้พวกเขาซื้อเรือลำใหม่เพราะแม่น้ำจะไม่กลับไปที่เดิมอีกแล้วในปีนี้"


def kept(folder, *documents, options=None):
    """Return the paragraphs of each document that are no copies, in order."""
    source, target = folder / "in.jsonl", folder / "out.jsonl"
    lines = [json.dumps({"id": n, "paras": paras}) for n, paras in enumerate(documents)]
    source.write_text("\n".join(lines), encoding="utf-8")
    deduplicate(source, target, options=options or Options())
    return [json.loads(line)["keep"] for line in target.read_text("utf-8").splitlines()]


@pytest.mark.parametrize(
    ("copied", "own"),
    [(STORY * 2, OWN), (NIGHT * 6, BOAT), (VERSE * 5, RIVER)],
    ids=["spaced", "Japanese", "Thai"],
)
@pytest.mark.parametrize("is_first", [False, True])
def test_a_paragraph_with_a_sentence_of_its_own_is_no_copy(tmp_path, copied, own, is_first):
    paragraph = f"{own} {copied}" if is_first else f"{copied} {own}"

    assert kept(tmp_path, [copied], [paragraph]) == [[0], [0]]
    assert kept(tmp_path, [copied], [paragraph], options=Options(own=0)) == [[0], []]


def test_a_sentence_that_stands_in_another_document_is_not_a_paragraphs_own(tmp_path):
    assert kept(tmp_path, [STORY], [OWN], [f"{STORY} {OWN}"]) == [[0], [0], []]


def test_few_new_words_in_a_row_are_an_edit(tmp_path):
    edited = STORY.replace("the old mill and the station", "the school and the new bridge")

    assert kept(tmp_path, [STORY], [edited]) == [[0], []]


@pytest.mark.parametrize(
    ("text", "word", "by"),
    [(NIGHT * 2, "道", "橋"), (VERSE * 2, "ถนน", "สวน")],
    ids=["Japanese", "Thai"],
)
def test_a_changed_word_is_no_sentence_where_letters_are_tokens(tmp_path, text, word, by):
    assert kept(tmp_path, [text], [text.replace(word, by)]) == [[0], []]


def test_edited_copies_are_found_whole(tmp_path):
    chance = random.Random(5)
    words = " ".join([STORY, OWN]).split()
    edited = ["another" if chance.random() < 0.1 else word for word in words]

    assert kept(tmp_path, [" ".join(words)], [" ".join(edited)]) == [[0], []]


def test_five_words_between_copies_may_be_a_sentence(tmp_path):
    between = [STORY, "Nobody believed him that evening.", OWN]

    assert kept(tmp_path, [STORY, OWN], between) == [[0, 1], [1]]
    assert kept(tmp_path, [STORY, OWN], [STORY, "Read on below", OWN]) == [[0, 1], []]


def test_what_another_paragraph_says_word_for_word_stands_once(tmp_path):
    quoted = [STORY, OWN, f"He wrote: {OWN} And: {STORY}"]
    title = STORY.split(" to speak")[0]

    assert kept(tmp_path, quoted) == [[2]]
    assert kept(tmp_path, [STORY, OWN, STORY]) == [[0, 1]]
    assert kept(tmp_path, [title, f"{STORY} {OWN}"]) == [[1]]
    assert kept(tmp_path, [STORY, f"{OWN} {STORY.split('.')[0]}."]) == [[0, 1]]


def test_a_short_line_beside_what_is_said_again_stays(tmp_path):
    assert kept(tmp_path, [STORY, "Thandi:", OWN, "All:", STORY]) == [[0, 1, 2, 3]]


def ngrams(text, size=7):
    words = text.split()
    return {tuple(words[at : at + size]) for at in range(len(words) - size + 1)}


@pytest.mark.parametrize("seed", range(20))
def test_what_is_said_again_in_a_document_can_be_read_elsewhere_in_it(tmp_path, seed):
    chance = random.Random(seed)
    words = [f"w{number}" for number in range(40)]
    lines = [" ".join(chance.choices(words, k=9)) for _ in range(6)]
    documents = [
        [" ".join(chance.choices(lines, k=chance.randint(1, 4))) for _ in range(12)]
        for _ in range(3)
    ]

    found = kept(tmp_path, *documents, options=Options(stub=0))

    # The first document has nothing from others, and says all that it said.
    (first, *_), (stays, *_) = documents, found
    assert len(stays) < len(first)
    assert set().union(*(ngrams(first[place]) for place in stays)) == set().union(
        *map(ngrams, first)
    )


def test_a_collection_is_not_overwritten_by_its_decisions(tmp_path):
    kept(tmp_path, [STORY], [OWN])
    source = tmp_path / "in.jsonl"
    before = source.read_bytes()

    with pytest.raises(SourceError, match="is the collection itself"):
        deduplicate(source, tmp_path / "." / "in.jsonl")

    assert source.read_bytes() == before
