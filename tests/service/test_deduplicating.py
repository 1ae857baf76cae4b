"""Collections without a corpus: decisions, growth, kills, odd documents."""

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from izwi.cases import deduplicating
from izwi.cases.collection_tools import Options, deduplicate
from izwi.model.errors import SourceError, StoreError

WORDS = [f"word{number}" for number in range(400)]


def prose(seed, length=60):
    return " ".join(random.Random(seed).choices(WORDS, k=length))


def decide(tmp_path, documents, *, state=None, options=None):
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    lines = (json.dumps({"id": name, "paras": paras}) for name, paras in documents)
    source.write_text("\n".join(lines) + "\n", encoding="utf-8")
    deduplicate(source, target, state=state, options=options or Options())
    found = map(json.loads, target.read_text(encoding="utf-8").splitlines())
    return {each["id"]: each for each in found}


def keeps(tmp_path, documents, **settings):
    return {name: each["keep"] for name, each in decide(tmp_path, documents, **settings).items()}


def edited(text, share, seed):
    chance = random.Random(seed)
    return " ".join(
        f"new{chance.randrange(9999)}" if chance.random() < share else word for word in text.split()
    )


def test_a_copied_document_keeps_nothing_and_names_its_original(tmp_path):
    found = decide(tmp_path, [("a", [prose(1), prose(2)]), ("b", [prose(1), prose(2)])])

    assert found["a"]["keep"] == [0, 1]
    assert (found["b"]["keep"], found["b"]["copy_of"]) == ([], "a")
    assert {block["method"] for block in found["b"]["blocks"]} == {"exact"}


def test_case_punctuation_quotes_and_unicode_forms_do_not_hide_a_copy(tmp_path):
    original = ["“It’s café time,” she said, and the naïve élan of the São Paulo crowd was gone."]
    other = [
        '"IT\'S CAFE\u0301 TIME" she said and the nai\u0308ve e\u0301lan of '
        "the Sa\u0303o  Paulo crowd was gone"
    ]

    assert keeps(tmp_path, [("a", original), ("b", other)]) == {"a": [0], "b": []}


def test_only_the_shared_half_goes(tmp_path):
    found = keeps(
        tmp_path,
        [("a", [prose(1), prose(2)]), ("b", [prose(3), prose(4), prose(1), prose(2)])],
    )

    assert found == {"a": [0, 1], "b": [0, 1]}


@pytest.mark.parametrize("share", [0.05, 0.1, 0.2])
def test_an_edited_copy_is_found(tmp_path, share):
    original = [prose(seed, 80) for seed in range(5)]
    copy = [edited(text, share, seed) for seed, text in enumerate(original)]

    assert keeps(tmp_path, [("a", original), ("b", copy)])["b"] == []


def test_a_heavily_edited_copy_stays_when_edited_ones_are_not_looked_for(tmp_path):
    original = [prose(seed, 80) for seed in range(5)]
    copy = [edited(text, 0.4, seed) for seed, text in enumerate(original)]

    found = keeps(tmp_path, [("a", original), ("b", copy)], options=Options(has_edited=False))

    assert found["b"] == [0, 1, 2, 3, 4]


def test_a_unique_document_of_few_words_is_kept(tmp_path):
    assert keeps(tmp_path, [("a", ["Yes"]), ("b", ["No"]), ("c", [prose(1)])]) == {
        "a": [0],
        "b": [0],
        "c": [0],
    }


def test_a_document_of_one_word_is_a_copy_of_the_same_word(tmp_path):
    assert keeps(tmp_path, [("a", ["Yes"]), ("b", ["yes!"])]) == {"a": [0], "b": []}


def test_a_paragraph_repeated_inside_one_document_stays_once(tmp_path):
    found = decide(tmp_path, [("a", [prose(1)] * 50)])

    assert found["a"]["keep"] == [0]
    assert {block["method"] for block in found["a"]["blocks"]} == {"repeated"}


@pytest.mark.parametrize(
    "text",
    [
        "今天天气很好我们去公园散步然后回家吃晚饭看电视睡觉",
        "วันนี้อากาศดีเราไปเดินเล่นที่สวนสาธารณะแล้วกลับบ้าน",
    ],
    ids=["Chinese", "Thai"],
)
def test_scripts_without_spaces_are_judged_by_their_letters(tmp_path, text):
    longer = text + prose(9, 3)

    assert keeps(tmp_path, [("a", [text]), ("b", [longer]), ("c", [text[::-1]])]) == {
        "a": [0],
        "b": [],
        "c": [0],
    }


def test_a_huge_document_is_judged(tmp_path):
    huge = [prose(seed, 20_000) for seed in range(60)]

    found = keeps(tmp_path, [("a", huge), ("b", [*huge[:30], prose(1000, 500)])])

    assert found == {"a": list(range(60)), "b": [30]}


ODD = {
    "one sentence, again and again": "The robots are out of the shed again today. " * 200_000,
    "one word of ten megabytes": "x" * 10_000_000,
    "ten megabytes of Chinese": "今天天气很好我们去公园散步然后回家吃晚饭看电视睡觉" * 140_000,
    "ten megabytes of Thai": "วันนี้อากาศดีเราไปเดินเล่นที่สวนสาธารณะแล้วกลับบ้าน" * 66_000,
    "punctuation alone": "...!?" * 2_000_000,
    "accents without letters": "\u0301" * 3_000_000,
    "what stands for most words": "\ufdfa" * 1_000_000,
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD.keys())
def test_odd_documents_are_judged_rightly(tmp_path, text):
    found = decide(tmp_path, [("a", [text]), ("b", [text, prose(1)]), ("c", [prose(1)])])

    has_words = any(letter.isalnum() for letter in text[:5])
    assert found["a"]["keep"] == [0]
    # A text of one word is known as a whole only, not as a block.
    is_block = has_words and not text.startswith("xx")
    assert found["b"]["keep"] == ([1] if is_block else [0, 1])
    assert found["c"]["copy_of"] == "b"


@pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="only Linux says how much it was"
)
def test_ten_megabytes_in_one_paragraph_take_a_bounded_memory(tmp_path):
    source = tmp_path / "huge.jsonl"
    lines = [json.dumps({"id": n, "paras": [prose(n, 1_250_000)]}) for n in range(2)]
    source.write_text("\n".join(lines))
    code = (
        "import sys; from pathlib import Path\n"
        "from izwi.cases.collection_tools import Options, deduplicate\n"
        "deduplicate(Path(sys.argv[1]), Path(sys.argv[2]), options=Options(memory_bytes=2**26))\n"
        # The system's own figure counts what the parent had before the child began.
        "lines = Path('/proc/self/status').read_text().splitlines()\n"
        "print(next(line.split()[1] for line in lines if line.startswith('VmHWM')))"
    )

    # Compiling would take memory too: after this the loops are in their cache.
    decide(tmp_path, [("a", [prose(1)]), ("b", [prose(1), prose(2)])])
    ran = subprocess.run(
        [sys.executable, "-c", code, source, tmp_path / "out"],
        check=True, capture_output=True, text=True,
    )  # fmt: skip

    # Python, its libraries and the compiler take 170 MB of it.
    assert int(ran.stdout) / 1024 < 500


def test_short_rests_beside_copies_go_but_not_elsewhere(tmp_path):
    found = keeps(
        tmp_path,
        [
            ("a", [prose(1), prose(2)]),
            ("b", [prose(1), "Read more here", prose(2), prose(3)]),
            ("c", [prose(4), "Something else entirely", prose(5)]),
        ],
    )

    assert found == {"a": [0, 1], "b": [3], "c": [0, 1, 2]}


def test_ignored_words_do_not_hide_a_copy(tmp_path):
    original = prose(1, 60)
    copy = " the ".join(original.split())

    options = Options(ignored=("the",), has_edited=False)
    assert keeps(tmp_path, [("a", [original]), ("b", [copy])], options=options)["b"] == []
    assert keeps(tmp_path, [("a", [original]), ("b", [copy])])["b"] == [0]


def test_empty_documents_and_paragraphs_are_no_trouble(tmp_path):
    found = keeps(tmp_path, [("a", []), ("b", [""]), ("c", ["", prose(1), "..."]), ("d", [])])

    assert found == {"a": [], "b": [0], "c": [0, 1, 2], "d": []}


PARAGRAPHS = st.lists(st.integers(0, 6).map(lambda seed: prose(seed, 12)), max_size=4)
COLLECTIONS = st.lists(PARAGRAPHS, min_size=1, max_size=8)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(collection=COLLECTIONS, cut=st.integers(0, 8))
def test_growth_in_parts_decides_like_all_at_once(tmp_path_factory, collection, cut):
    tmp_path = tmp_path_factory.mktemp("growth")
    documents = [(f"d{number}", paras) for number, paras in enumerate(collection)]

    first = decide(tmp_path, documents[:cut], state=tmp_path / "state")
    second = decide(tmp_path, documents[cut:], state=tmp_path / "state")

    assert first | second == decide(tmp_path, documents)


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(collection=COLLECTIONS, size=st.integers(1, 400))
def test_the_size_of_batches_changes_nothing(tmp_path_factory, collection, size):
    tmp_path = tmp_path_factory.mktemp("batches")
    documents = [(f"d{number}", paras) for number, paras in enumerate(collection)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("izwi.cases.deduplicating._BATCH_BYTES", size)

        in_parts = decide(tmp_path, documents)

    assert in_parts == decide(tmp_path, documents)


def test_the_same_collection_again_decides_the_same(tmp_path):
    documents = [("a", [prose(1)]), ("b", [prose(1), prose(2), prose(3)])]

    first = decide(tmp_path, documents, state=tmp_path / "state")

    assert decide(tmp_path, documents, state=tmp_path / "state") == first


def test_a_small_memory_decides_the_same(tmp_path, monkeypatch):
    documents = [(f"d{n}", [prose(n % 37), prose(n % 23 + 100)]) for n in range(120)]
    usual = decide(tmp_path, documents)
    monkeypatch.setattr("izwi.cases.deduplicating._BATCH_BYTES", 1000)
    monkeypatch.setattr(deduplicating, "table_bits", lambda memory_bytes: 8)

    found = decide(tmp_path, documents, options=Options(memory_bytes=0))

    assert found == usual


KILLED = """
import os, signal, sys
from pathlib import Path
from izwi.store.ownership import dedup_state as dedupstate, hash_runs as ngrams
from izwi.cases.collection_tools import deduplicate
place, source, target, state = sys.argv[1:]
def die(*given, **named):
    os.kill(os.getpid(), signal.SIGKILL)
home, name = {
    "while runs are written": (ngrams.RunWriter, "close"),
    "before the manifest": (dedupstate, "write_text"),
    "after the manifest": (ngrams.Runs, "remove_unused"),
}[place]
if place == "after the manifest":
    usual, calls = ngrams.Runs.remove_unused, []
    def later(self):
        calls.append(1)
        die() if len(calls) == 2 else usual(self)
    die_then = later
else:
    die_then = die
setattr(home, name, die_then)
deduplicate(Path(source), Path(target), state=Path(state))
"""


@pytest.mark.parametrize(
    "place", ["while runs are written", "before the manifest", "after the manifest"]
)
def test_killed_at_any_moment_the_next_run_decides_the_same(tmp_path, place):
    old = [(f"old{n}", [prose(n), prose(n + 50)]) for n in range(10)]
    new = [(f"new{n}", [prose(n + 5), prose(n + 200)]) for n in range(10)]
    state = tmp_path / "state"
    decide(tmp_path, old, state=state)
    more, target = tmp_path / "more.jsonl", tmp_path / "more.out"
    more.write_text("".join(json.dumps({"id": name, "paras": paras}) + "\n" for name, paras in new))

    killed = subprocess.run([sys.executable, "-c", KILLED, place, more, target, state], check=False)
    found = decide(tmp_path, new, state=state)

    assert killed.returncode == -9
    whole = decide(tmp_path, [*old, *new])
    assert found == {name: whole[name] for name, _ in new}
    assert not list(Path(state).rglob(".*.part"))


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_killed_at_random_moments_the_answers_are_those_of_a_calm_run(tmp_path):
    chance = random.Random(20261116)
    parts = [
        [
            (f"p{part}d{n}", [prose(chance.randrange(300), 300) for _ in range(3)])
            for n in range(400)
        ]
        for part in range(3)
    ]
    whole = decide(tmp_path, [each for part in parts for each in part])
    found = {}
    for number, part in enumerate(parts):
        source, target = tmp_path / f"{number}.jsonl", tmp_path / f"{number}.out"
        source.write_text("".join(json.dumps({"id": n, "paras": p}) + "\n" for n, p in part))
        command = [sys.executable, "-m", "izwi", "dedup", source, target, "--state"]
        for _ in range(4):
            process = subprocess.Popen(
                [*map(str, command), str(tmp_path / "state")], stdout=subprocess.DEVNULL
            )
            try:
                process.wait(timeout=chance.uniform(0.3, 4))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        subprocess.run([*command, tmp_path / "state"], check=True, stdout=subprocess.DEVNULL)
        found |= {line["id"]: line for line in map(json.loads, target.read_text().splitlines())}

    assert found == whole


def test_another_setting_on_an_old_state_is_refused(tmp_path):
    decide(tmp_path, [("a", [prose(1)])], state=tmp_path / "state")

    with pytest.raises(StoreError, match="other settings"):
        decide(tmp_path, [("b", [prose(1)])], state=tmp_path / "state", options=Options(ngram=5))


def test_an_id_given_twice_is_refused(tmp_path):
    with pytest.raises(SourceError, match="'a' stands twice"):
        decide(tmp_path, [("a", [prose(1)]), ("a", [prose(2)])])


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "line 1 is not JSON"),
        ('{"paras": []}', 'has no "id"'),
        ('{"id": "a", "paras": [1]}', "is not a list of texts"),
        ('{"id": "a"}', "is not a list of texts"),
    ],
)
def test_a_bad_line_is_named(tmp_path, line, words):
    source = tmp_path / "in.jsonl"
    source.write_text(line)

    with pytest.raises(SourceError, match=words):
        deduplicate(source, tmp_path / "out.jsonl")

    assert not (tmp_path / "out.jsonl").exists()


# Words of everyday Thai and Japanese, from which texts that have nothing to do with each other are
# put together.
UNSPACED = {
    "Thai": "ชาวบ้าน เมื่อวาน โรงเรียน ตลาดเช้า ฝนตก แม่น้ำ ครูใหญ่ เดินทาง ประชุม ปลูกข้าว สะพาน"
    " น้ำท่วม วัด ทำบุญ เด็กนักเรียน หมู่บ้าน รถโดยสาร กลับบ้าน ช่วยกัน ปีใหม่",
    "Japanese": "村の人 きのう 学校で 朝市が 雨の日 川沿い 先生は 出かけた 集まり 田植え"
    " 古い橋 大水の お寺に 手伝った 子どもたち 隣町へ バスで 帰ってきた みんなで 正月",
}


def draw(words, seed, count):
    chance = random.Random(seed)
    return "".join(chance.choice(words) for _ in range(count))


@pytest.mark.parametrize("language", UNSPACED)
def test_common_letters_are_no_copies_in_scripts_without_spaces(tmp_path, language):
    words = UNSPACED[language].split()
    own = [(f"own{seed}", [draw(words, seed, 40)]) for seed in range(30)]
    text = own[3][1][0]
    changed = draw(words, "new", 6) + text[len(text) // 10 :]

    kept = keeps(tmp_path, [*own, ("same", [text]), ("changed", [changed])])

    assert [name for name, places in kept.items() if not places] == ["same", "changed"]
