"""What the tools that gather training text read from catalogues and n-gram models."""

import gzip
import importlib.util
import json
import random
import struct
import sys
import zipfile
from collections import Counter
from pathlib import Path, PurePosixPath

import numpy as np
import pytest

TOOLS = Path(__file__).parents[3] / "tools"


def _tool(name):
    found = importlib.util.spec_from_file_location(name, TOOLS / f"{name}.py")
    module = importlib.util.module_from_spec(found)
    sys.modules[name] = module
    found.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def catalogues():
    return _tool("catalogues")


@pytest.fixture(scope="module")
def spellings():
    return _tool("spellings")


@pytest.fixture(scope="module")
def wordmaker():
    return _tool("wordmaker")


@pytest.fixture(scope="module")
def everyday(wordmaker):
    return _tool("everyday")


@pytest.fixture(scope="module")
def world_text(spellings):
    return _tool("world_text")


@pytest.fixture(scope="module")
def train_world(world_text):
    _tool("ngram_training")
    _tool("people")
    return _tool("train_world")


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("zu/LC_MESSAGES/sw.mo", "zul"),
        ("locales/af_MASCULINE.pak", "afr"),
        ("langpack-es-ES@firefox-esr.mozilla.org.xpi", "spa"),
        ("i18n/qqq.json", ""),
        ("zu/pdf.properties", "zul"),
        ("zu/browser/tab.ftl", "zul"),
    ],
)
def test_the_language_is_the_nearest_name_of_a_locale(catalogues, path, code):
    assert catalogues.locale_code(PurePosixPath(path)) == code


def test_marks_of_menus_and_places_for_values_go(catalogues):
    assert catalogues.plain("~Vula <b>i-%PRODUCTNAME</b> {$name} kwi-&amp; _ifayela") == (
        "Vula i- kwi- ifayela"
    )


def test_untranslated_messages_are_left_out(catalogues, tmp_path):
    english = {"a": "Open the file now", "b": "Close the file now"}
    zulu = {"a": "Vula ifayela manje", "b": "Close the file now", "@meta": "not a message here"}
    for name, messages in (("en", english), ("zu", zulu)):
        (tmp_path / f"{name}.json").write_text(json.dumps(messages), encoding="utf-8")

    found = list(catalogues.messages(tmp_path))

    assert [text for code, text in found if code == "zul"] == ["Vula ifayela manje"]


def test_labels_are_put_together_and_none_is_lost(catalogues, tmp_path):
    labels = [f"Igama {number}" for number in range(10)]
    (tmp_path / "zu.json").write_text(json.dumps(labels), encoding="utf-8")

    found = [text for _, text in catalogues.messages(tmp_path)]

    assert found == [", ".join(labels[:8]), ", ".join(labels[8:])]


def test_language_packs_and_paks_are_read(catalogues, tmp_path):
    with zipfile.ZipFile(tmp_path / "langpack-xh@program.xpi", "w") as pack:
        pack.writestr("a.ftl", "key =\n    .label = Jonga inkcazelo yesayithi\n    .accesskey = J")
        pack.writestr("b.properties", "title=Iphepha lokuqala elitsha\n# a comment=of three words")
    text = b"Maak die venster toe"
    head = struct.pack("<IB3xHH", 5, 1, 1, 0) + struct.pack("<HIHI", 1, 24, 0, 24 + len(text))
    (tmp_path / "af.pak").write_bytes(head + text)

    assert sorted(catalogues.messages(tmp_path)) == [
        ("afr", "Maak die venster toe"),
        ("xho", "Iphepha lokuqala elitsha"),
        ("xho", "Jonga inkcazelo yesayithi"),
    ]


PO = """msgid ""
msgstr ""
"Language: zu"

#: a.c:1
msgid "Where are you going now?"
msgstr ""
"Uyaphi "
"manje na?"

#, fuzzy
msgid "Close the door behind you"
msgstr "Vala umnyango emva kwakho"

msgid "One file was lost here"
msgid_plural "%d files were lost here"
msgstr[0] "Ifayela elilodwa lilahlekile"
msgstr[1] "Amafayela angu-%d alahlekile"

msgid "Not translated at all yet"
msgstr "Not translated at all yet"
"""


def test_catalogues_as_translators_write_them_are_read(catalogues, tmp_path):
    (tmp_path / "zu.po").write_text(PO, encoding="utf-8")

    assert list(catalogues.messages(tmp_path)) == [
        ("zul", "Uyaphi manje na?"),
        ("zul", "Ifayela elilodwa lilahlekile"),
        ("zul", "Amafayela angu- alahlekile"),
    ]


@pytest.mark.parametrize("name", ["zu/settings.json", "zu/broken.mo"])
def test_a_damaged_catalogue_is_passed_over(catalogues, tmp_path, name):
    (tmp_path / "zu").mkdir()
    (tmp_path / name).write_bytes(b"{ // not JSON, and no catalogue")
    (tmp_path / "zu" / "good.json").write_text('["Uyaphi manje na?"]', encoding="utf-8")

    assert list(catalogues.messages(tmp_path)) == [("zul", "Uyaphi manje na?")]


def test_common_words_are_drawn_by_their_rank(everyday, tmp_path):
    for name in everyday._RANKED:
        (tmp_path / f"{name}.txt").write_text("the\nof\n10:30\nseldom\n", encoding="utf-8")

    drawn = Counter(
        word
        for code, line in everyday.ranked_lines(tmp_path, letters=5_000)
        for word in line.split()
        if code == "deu"
    )

    assert set(drawn) == {"the", "of", "seldom"}
    assert drawn["the"] > drawn["of"] > drawn["seldom"]


def test_conversations_are_read_sentence_by_sentence(everyday, tmp_path):
    (tmp_path / "german").mkdir()
    (tmp_path / "german" / "a.yml").write_text(
        "categories:\n- x\nconversations:\n- - Wie geht's?\n  - Danke,\n    gut.\n",
        encoding="utf-8",
    )

    assert list(everyday.talk(tmp_path)) == [("deu", "Wie geht's?"), ("deu", "Danke, gut.")]


def test_programs_share_the_letters_that_all_of_them_have(world_text):
    few, many = ({f"program{n}": ["one text"] for n in range(size)} for size in (2, 20))

    assert set(world_text.sizes_of(few)[1].values()) == {25_000}
    assert set(world_text.sizes_of(many)[1].values()) == {10_000}
    assert world_text.sizes_of(few | {"made": []})[1]["made"] == 60_000


def test_all_talk_is_read_many_times_in_other_order(world_text):
    own = [f"sentence{n}" for n in range(7)]

    lines = world_text.talk(list(own))

    assert Counter(" ".join(lines).split()) == dict.fromkeys(own, world_text.TALK_TIMES)
    assert len(set(lines)) > len(lines) / 2


def test_learning_goes_on_after_the_last_pass_kept(train_world, tmp_path):
    lists = tuple(np.arange(3) + n for n in range(4))
    first = train_world.Learnt(tmp_path / "learnt.npz")
    weights = first.begun(lambda: lists)[3]
    weights += 5
    first.keep()

    second = train_world.Learnt(tmp_path / "learnt.npz")

    assert second.begun(lambda: pytest.fail("chosen again"))[3].tolist() == [8, 9, 10]
    assert second.passes == 1


def _lengths(word, start):
    return range(1, min(5, len(word) - start) + 1)


def test_made_words_are_those_of_the_text_if_it_has_few(wordmaker):
    words = ["abantu", "bantwana", "na"]
    counts = Counter(w[i : i + n] for w in words for i in range(len(w)) for n in _lengths(w, i))
    letters = sum(map(len, words))
    shares = {g: c / (counts[g[:-1]] if len(g) > 1 else letters) for g, c in counts.items()}

    made = next(wordmaker._lines(shares, random.Random(1))).split()

    assert set(made) <= {"abantu", "abantwana", "bantu", "bantwana", "na"}
    assert "na" in made


@pytest.mark.parametrize(
    ("code", "line", "other"),
    [
        ("srp", "Људи се рађају слободни.", "ljudi se rađaju slobodni."),
        ("kaa", "Baǵdarlawshı silteme jaratıldı", "бағдарлаўшы силтеме жаратылды"),
        ("uzb", "Oʻzbekiston yoshlari", "ўзбекистон ёшлари"),
        ("lfn", "La paje ia es moveda", "ла паже иа ес моведа"),
    ],
)
def test_a_language_of_two_scripts_has_its_lines_in_both(spellings, code, line, other):
    assert spellings.in_both_scripts(code, [line]) == ([line], [other])
    # What is in the second script already stays there and is not in the first.
    assert spellings.in_both_scripts(code, [other]) == ([], [other])


def test_a_line_is_spelt_in_the_other_way_too(spellings):
    assert spellings.respelt("dyu", ["Sɔgɔsɔgɔninjɛ", "a bara na"]) == ["sôgôsôgônindjè"]
    assert spellings.respelt("bam", ["a tèmèna nyini"]) == ["a tɛmɛna ɲini"]


@pytest.mark.parametrize(
    ("word", "own", "renewed"),
    [
        ("geht", "Number=Sing", "Number=Sing|VerbForm=Fin"),
        ("steht", "Number=Sing", "Number=Sing|VerbForm=Fin"),
        ("stehen", "VerbForm=Inf", "VerbForm=Inf"),
        ("lauf", "Mood=Imp|Number=Plur", "_"),
        ("gehen", "Number=Sing", "Number=Sing|VerbForm=Fin"),
    ],
    ids=["the same word", "most in common", "as there", "nothing contradicts", "contradicted"],
)
def test_a_parallel_treebank_takes_the_bundles_of_the_other(word, own, renewed, tmp_path):
    lines = [
        "1\tgeht\t_\tVERB\t_\tNumber=Sing|VerbForm=Fin\t0\t_\t_\t_",
        "2\tgehen\t_\tVERB\t_\tNumber=Plur|VerbForm=Inf\t0\t_\t_\t_",
        "3\tlaufen\t_\tVERB\t_\tVerbForm=Inf\t0\t_\t_\t_",
        "4\tlauf\t_\tVERB\t_\t_\t0\t_\t_\t_",
    ]
    (tmp_path / "deu_gsd-train.conllu").write_text("\n".join(lines) + "\n\n", encoding="utf-8")
    row = f"1\t{word}\t_\tVERB\t_\t{own}\t0\t_\t_\t_\n\n"
    (tmp_path / "deu_pud-train.conllu.gz").write_bytes(gzip.compress(row.encode()))
    given = [tmp_path / "deu_gsd-train.conllu", tmp_path / "deu_pud-train.conllu.gz"]
    (tmp_path / "new").mkdir()

    first, second = _tool("train_packs").renewed(given, "deu", tmp_path / "new")

    assert first == given[0]
    assert second.read_text(encoding="utf-8").split("\t")[5] == renewed
