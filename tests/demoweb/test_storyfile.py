import pytest

from izwi.demoweb.articles import read_agency, read_articles

HEADER = "=== a-slug\ntitle: A title\ndate: 2014-03-02\nsection: Farming\nlanguage: en\n"
STORY = HEADER + "\nFirst paragraph.\n\nSecond paragraph.\n"


def test_a_story_has_its_header_its_paragraphs_and_its_comments():
    text = STORY.replace("section", "author: Lettie\nshown-date: 2014-08-02\nsection")
    text += "\n-- comment: Koos, from the dorp, 2014-03-03\nQuite so.\n"

    (article,) = read_articles(text, "karoocourant")

    assert (article.slug, article.title, article.author) == ("a-slug", "A title", "Lettie")
    assert (str(article.date), str(article.printed_date)) == ("2014-03-02", "2014-08-02")
    assert article.paragraphs == ("First paragraph.", "Second paragraph.")
    assert [(c.author, str(c.date), c.text) for c in article.comments] == [
        ("Koos, from the dorp", "2014-03-03", "Quite so.")
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Hello\n" + STORY, r"karoocourant\.txt, line 1: text before the first"),
        (STORY + STORY, "line 10: the slug 'a-slug' is used twice"),
        (STORY.replace("a-slug", "A Slug"), "line 1: 'A Slug' is no slug"),
        (STORY.replace("=== a-slug\n", "=== a-slug\n\n"), "line 1: header lines must come"),
        (STORY.replace("title:", "titel:"), "line 2: unknown header `titel:`"),
        (STORY.replace("title: A title\n", ""), "line 1: header missing: title"),
        (STORY.replace("title: A title", "title:"), "line 2: expected `name: value`"),
        (STORY.replace("section", "title: B\nsection"), "line 4: `title:` is given twice"),
        (STORY.replace("2014-03-02", "2 March 2014"), "line 3: '2 March 2014' is no date"),
        (STORY.replace("2014-03-02", "2009-03-02"), "line 3: 2009-03-02 is not between"),
        (STORY.replace(": en", ": fr"), "line 5: language 'fr' is none of"),
        (HEADER, "line 1: the story has no paragraphs"),
        (STORY.replace("\n\nSecond", "\nSecond"), "line 8: a paragraph stands on one line"),
        (STORY + "\n-- comment: Koos\nHm.\n", "line 11: the comment needs a name"),
        (STORY + "\n-- comment: 2014-03-03\nHm.\n", "line 11: the comment needs a name"),
        (STORY + "\n-- comment: Koos, May\nHm.\n", "line 11: 'May' is no date"),
        (STORY + "\n-- comment: Koos, 2014-03-03\n", "line 11: expected `-- comment"),
        (STORY + "\n-- note\n", "line 11: expected `-- comment: ...` or"),
        (STORY + "\n-- run: egolipost, 2014-03-03\n", "line 11: expected `-- comment"),
        (STORY.replace("First", "Fe\u0302te"), "line 7: not in Unicode normal form NFC"),
        (STORY.replace("First ", "First\t"), "line 7: a control character"),
    ],
)
def test_a_file_that_breaks_the_format_is_refused_by_line(text, message):
    with pytest.raises(ValueError, match=message):
        read_articles(text, "karoocourant")


def test_an_agency_story_becomes_one_article_for_each_publication_that_ran_it():
    text = STORY + (
        "\n-- run: karoocourant, 2014-03-02\n-- run: egolipost, 2014-03-03\n"
        "title: Another title\nreplace: First => Opening\ncut: 1\nadd: A last one.\n"
    )

    same, changed = read_agency(text, "agency.txt")

    assert (same.publication, same.copy_of, same.exact_copy) == ("karoocourant", "a-slug", True)
    assert (changed.publication, str(changed.date)) == ("egolipost", "2014-03-03")
    assert (changed.copy_of, changed.exact_copy) == ("a-slug", False)
    assert changed.title == "Another title"
    assert changed.paragraphs == ("Opening paragraph.", "A last one.")


@pytest.mark.parametrize(
    ("runs", "message"),
    [
        ("", "line 1: no publication ran this story"),
        ("-- run: dailyplanet, 2014-03-03\n", "line 11: expected `-- run: key, date`"),
        ("-- run: egolipost, 1999-01-01\n", "line 11: 1999-01-01 is not between"),
        ("-- run: egolipost, 2014-03-03\nreplace: Third => 3\n", "line 12: 'Third' does not"),
        ("-- run: egolipost, 2014-03-03\ncut: 2\n", "line 12: cannot cut 2 of 2 paragraphs"),
        ("-- run: egolipost, 2014-03-03\nshout: 2\n", "line 12: unknown change `shout:`"),
    ],
)
def test_a_run_that_breaks_the_format_is_refused_by_line(runs, message):
    with pytest.raises(ValueError, match=message):
        read_agency(f"{STORY}\n{runs}", "agency.txt")
