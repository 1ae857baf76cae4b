from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from izwi.config.schema import SelectSection
from izwi.model.curation import CURATOR, RESTORED
from izwi.model.document import (
    KEPT,
    Connected,
    CopyOf,
    Document,
    LanguageGuess,
    Mark,
    Metadata,
    Paragraph,
    VarietyScore,
    Verdict,
    dropped,
    failed,
)
from izwi.text import verdicts
from izwi.text.quality import Rules
from izwi.text.verdicts import Sift, SiftConfig, decide_alone

WHEN = datetime(2020, 1, 1, tzinfo=UTC)
ENGLISH = LanguageGuess("eng", 0.9)
COPY = CopyOf("first", "exact", 1.0)
CONFIG = SiftConfig(languages=("eng",), minimum=0.5, minimum_words=3)


def document(words=5, **fields):
    text = " ".join(f"robot{chr(97 + n % 26)}" for n in range(words))
    fields = {"language": ENGLISH} | fields
    return Document("d", "https://a.example/", WHEN, "s", paragraphs=(Paragraph(text),), **fields)


@pytest.mark.parametrize(
    ("given_document", "config", "verdict"),
    [
        pytest.param(document(), CONFIG, KEPT, id="nothing-against-it"),
        pytest.param(
            document(2),
            CONFIG,
            dropped("select", "too-short", value=2, threshold=3),
            id="too-short",
        ),
        pytest.param(document(3), CONFIG, KEPT, id="just-long-enough"),
        pytest.param(
            document(0),
            SiftConfig(),
            dropped("select", "too-short", value=0, threshold=20),
            id="no-text",
        ),
        pytest.param(
            document(metadata=Metadata(page_type="product")),
            replace(CONFIG, without_types=("product",)),
            dropped("select", "page-type", detail="product"),
            id="page-of-an-unwanted-type",
        ),
        pytest.param(
            document(metadata=Metadata(page_type="product")), CONFIG, KEPT, id="page-of-any-type"
        ),
        pytest.param(
            document(language=LanguageGuess("afr", 0.8)),
            CONFIG,
            dropped("language", "other-language", value=0.8, detail="afr"),
            id="other-language",
        ),
        pytest.param(
            document(language=LanguageGuess("und", 0.0)),
            CONFIG,
            dropped("language", "other-language", value=0.0, detail="und"),
            id="no-language",
        ),
        pytest.param(
            document(language=LanguageGuess("eng", 0.4)),
            CONFIG,
            dropped("language", "uncertain", value=0.4, threshold=0.5, detail="eng"),
            id="uncertain",
        ),
        pytest.param(document(language=LanguageGuess("eng", 0.5)), CONFIG, KEPT, id="just-certain"),
        pytest.param(
            document(language=LanguageGuess("afr", 0.1)),
            replace(CONFIG, languages=()),
            KEPT,
            id="every-language-is-wanted",
        ),
        pytest.param(
            document(language=LanguageGuess("afr", 0.9)),
            replace(CONFIG, languages=("eng", "afr")),
            KEPT,
            id="second-language",
        ),
        pytest.param(
            document(1, copy_of=COPY, language=LanguageGuess("afr", 0.9)),
            CONFIG,
            dropped("select", "too-short", value=1, threshold=3),
            id="length-speaks-first",
        ),
        pytest.param(
            document(copy_of=COPY, language=LanguageGuess("afr", 0.9)),
            CONFIG,
            dropped("language", "other-language", value=0.9, detail="afr"),
            id="copies-are-judged-later",
        ),
        pytest.param(
            document(verdict=dropped("extract", "empty")),
            CONFIG,
            dropped("extract", "empty"),
            id="dropped-before",
        ),
        pytest.param(
            document(verdict=failed("extract", "extractor-error", detail="x")),
            CONFIG,
            failed("extract", "extractor-error", detail="x"),
            id="failed-before",
        ),
    ],
)
def test_the_first_thing_against_a_document_decides(given_document, config, verdict):
    assert decide_alone(given_document, config) == verdict


def test_a_short_text_that_reads_like_a_list_is_kept_and_says_so():
    doubtful = Connected(11.0, 9.5, "ends")

    short, long = (decide_alone(document(n, connected=doubtful), CONFIG) for n in (99, 100))

    assert short == Verdict(
        "kept", "language", "maybe-not-connected", 11.0, 9.5, "eng, short of: ends"
    )
    assert (long.outcome, long.reason, long.detail) == ("dropped", "not-connected", short.detail)


@pytest.mark.parametrize("code", ["en", "eng", "en-ZA", "EN"])
def test_languages_may_be_written_as_people_write_them(code):
    (found,) = Sift(SiftConfig(languages=(code,)))(iter([document(30)]))

    assert found.verdict == KEPT


def test_paragraphs_that_are_not_main_text_do_not_count():
    blocks = (Paragraph("robot"), Paragraph("robot " * 50, is_main=False))

    verdict = decide_alone(replace(document(), paragraphs=blocks), CONFIG)

    assert verdict == dropped("select", "too-short", value=1, threshold=3)


DOCUMENTS = st.builds(
    document,
    words=st.integers(0, 6),
    language=st.sampled_from([ENGLISH, LanguageGuess("eng", 0.3), LanguageGuess("afr", 0.9)]),
    copy_of=st.sampled_from([None, COPY]),
    verdict=st.sampled_from([KEPT, dropped("extract", "empty"), failed("extract", "x")]),
)
CONFIGS = st.builds(
    SiftConfig,
    languages=st.sampled_from([(), ("eng",), ("afr", "eng")]),
    minimum=st.sampled_from([0.0, 0.5]),
    minimum_words=st.integers(0, 6),
)


@given(DOCUMENTS, CONFIGS)
def test_a_document_is_kept_only_if_nothing_speaks_against_it(given_document, config):
    guess = given_document.language
    against = [
        not given_document.verdict.is_kept,
        len(given_document.text.split()) < config.minimum_words,
        bool(config.languages) and guess.code not in config.languages,
        bool(config.languages) and guess.score < config.minimum,
    ]

    assert decide_alone(given_document, config).is_kept is not any(against)


@given(DOCUMENTS, CONFIGS)
def test_a_document_that_is_not_kept_says_where_and_why(given_document, config):
    verdict = decide_alone(given_document, config)

    assert verdict == KEPT or (verdict.stage and verdict.reason)


@given(st.lists(DOCUMENTS, max_size=6), CONFIGS)
def test_the_stage_changes_verdicts_and_nothing_else(documents, config):
    numbered = [replace(each, id=str(number)) for number, each in enumerate(documents)]

    judged = list(Sift(config)(iter(numbered)))

    assert [replace(each, verdict=KEPT) for each in judged] == [
        replace(each, verdict=KEPT) for each in numbered
    ]


@pytest.mark.parametrize(
    ("given_document", "decided", "verdict"),
    [
        (document(1), "keep", Verdict("kept", "curator", "restored")),
        (document(copy_of=COPY), "keep", Verdict("kept", "curator", "restored")),
        (document(), "drop", dropped("curator", "excluded")),
        (document(1), "", dropped("select", "too-short", value=1, threshold=3)),
        (document(0), "keep", dropped("select", "too-short", value=0, threshold=3)),
        (document(verdict=failed("extract", "x")), "keep", failed("extract", "x")),
    ],
)
def test_a_curator_overrules_the_rules_where_there_is_text(given_document, decided, verdict):
    (found,) = Sift(CONFIG, {"d": decided})(iter([given_document]))

    assert found.verdict == verdict


def short(path="note/7", text="The dam is full again.", marks=(), **metadata):
    return replace(
        document(language=LanguageGuess("und", 0.2)),
        url=f"https://a.example/{path}",
        paragraphs=(Paragraph(text, marks=marks),),
        metadata=Metadata(**metadata),
    )


@pytest.mark.parametrize(
    "note",
    [
        pytest.param(short(), id="note"),
        pytest.param(short("word/bakkie", "bakkie noun a light truck"), id="entry"),
        pytest.param(short("notes-on-a-contact-lens", "It was lost."), id="service-word-in-a-name"),
        pytest.param(short("?p=12"), id="numbered-by-a-query"),
        pytest.param(short("w/1", "今天天气很好"), id="without-spaces"),
    ],
)
def test_a_short_page_with_words_of_its_own_is_a_document(note):
    assert decide_alone(note, SiftConfig()).is_kept


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(short(""), id="front"),
        pytest.param(short("contact-us/", "Write to the old mill."), id="service"),
        pytest.param(short("user/login.php", "Name and password, please."), id="login"),
        pytest.param(short("note/9", "Sorry, that page was not found."), id="error"),
        pytest.param(short("note/9", "Dam full"), id="two-words"),
        pytest.param(short(marks=(Mark(0, 22, "a", "/x"),)), id="a-link"),
    ],
)
def test_a_short_page_that_serves_the_site_is_none(page):
    assert decide_alone(page, SiftConfig()).reason == "too-short"


def test_notes_are_dropped_where_longer_texts_are_asked_for():
    assert decide_alone(short(), SiftConfig(notes=False)).reason == "too-short"
    assert [SelectSection(n).has_notes for n in (5, 20, 21)] == [True, True, False]
    assert SelectSection(50, notes=True).has_notes
    assert not SelectSection(notes=False).has_notes


def test_of_a_few_words_the_page_says_the_language():
    wanted = SiftConfig(languages=("en",))
    (said, other) = (decide_of(short(language=code), wanted) for code in ("en-ZA", "de"))

    assert said.is_kept
    assert other.reason == "other-language"


def decide_of(document, config):
    (found,) = Sift(config)(iter([document]))
    return found.verdict


def test_a_thread_that_reads_like_a_list_is_flagged_and_not_dropped():
    doubtful = Connected(11.0, 9.5, "ends")
    forum = Metadata(page_type="forum")

    verdict = decide_alone(document(100, connected=doubtful, metadata=forum), CONFIG)

    assert (verdict.outcome, verdict.reason) == ("kept", "maybe-not-connected")


# Other settings, and by what names corpus.toml knows them.
OTHERS = [
    (replace(CONFIG, minimum_words=6), "select.minimum_words"),
    (replace(CONFIG, minimum_words=1), "select.minimum_words"),
    (replace(CONFIG, minimum=0.95), "language.minimum"),
    (replace(CONFIG, minimum=0.1), "language.minimum"),
    (replace(CONFIG, languages=("afr",)), "corpus.languages"),
    (replace(CONFIG, connected=False), "language.connected"),
    (replace(CONFIG, without_types=("product",)), "select.without_types"),
    (replace(CONFIG, sources={"s": ("product",)}), "select.sources"),
    (replace(CONFIG, rules=Rules(maximum_words=4)), "select.maximum_words"),
    (replace(CONFIG, rules=Rules(maximum_capitals=-1.0)), "select.maximum_capitals"),
    (replace(CONFIG, variety=0.5), "variety.minimum"),
    (replace(CONFIG, variety=0.5, minimum=0.95), "what-nobody-knows"),
]
MANY = [
    replace(document(words, language=LanguageGuess(code, score), connected=connected, **more))
    for words in (0, 2, 5, 120)
    for code, score in (("eng", 0.3), ("eng", 0.9), ("afr", 0.9))
    for connected in (None, Connected(11.0, 9.5, "ends"))
    for more in (
        {},
        {"metadata": Metadata(page_type="product")},
        {"variety": VarietyScore(0.2, 0.2, 0.2, 0.2)},
        {"verdict": dropped("extract", "empty")},
        {"verdict": Verdict("kept", "extract", "guessed")},
    )
]


@pytest.mark.parametrize(("other", "changed"), OTHERS)
@pytest.mark.parametrize("is_back", [False, True])
def test_asking_only_the_rules_that_changed_gives_what_asking_all_gives(other, changed, is_back):
    old, new = (other, CONFIG) if is_back else (CONFIG, other)
    before = [each.verdict for each in Sift(old)(iter(MANY))]

    again = list(Sift(new, {}, before, [changed])(iter(MANY)))

    assert again == list(Sift(new)(iter(MANY)))
    assert [each.verdict for each in again] != before


def test_rules_that_did_not_change_are_not_asked_again(monkeypatch):
    before = [each.verdict for each in Sift(CONFIG)(iter(MANY))]
    monkeypatch.setattr(verdicts, "broken_rule", None)
    monkeypatch.setattr(verdicts, "look", None)

    new = replace(CONFIG, minimum_words=6)
    again = list(Sift(new, {}, before, ["select.minimum_words"])(iter(MANY)))

    assert len(again) == len(before)


def test_what_a_curator_decided_before_and_took_back_is_decided_by_all_rules():
    restored = Verdict("kept", CURATOR, RESTORED)

    (again,) = Sift(CONFIG, {}, [restored], ["language.minimum"])(iter([document(2)]))

    assert again.verdict.reason == "too-short"
