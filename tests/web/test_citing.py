import re
from datetime import date
from urllib.parse import parse_qs

import pytest
from selectolax.lexbor import LexborHTMLParser

import izwi
from izwi.model.reading import Quotation
from izwi.model.results import DocumentCard, KwicLine
from izwi.presentation.quotations import bibtex
from izwi.presentation.references import Author, authors_of
from izwi.web.pages.citing import citations, document_citations


def card(**changes):
    known = {
        "id": "592660cc7c83-20261116054627",
        "url": "https://egolipost.example/a_b",
        "title": "Pothole swallows wheel",
        "author": "Sipho Radebe",
        "date": date(2010, 2, 19),
        "date_precision": "day",
        "date_evidence": "feed",
        "source": "egolipost",
        "site": "Egoli Evening Post",
        "section": "",
        "language": "eng",
        "captured": "2026-11-16T05:46:27",
    }
    return DocumentCard(**known | changes)


def styles(**changes):
    return {each.style: each for each in document_citations(card(**changes))}


def test_chicago_turns_the_first_name_round_and_writes_american_dates():
    assert styles()["Chicago"].text == (
        "Radebe, Sipho. “Pothole swallows wheel.” Egoli Evening Post, February 19, 2010. "
        "Accessed November 16, 2026. https://egolipost.example/a_b."
    )


def test_mla_shortens_months():
    assert styles()["MLA"].text == (
        "Radebe, Sipho. “Pothole swallows wheel.” Egoli Evening Post, 19 Feb. 2010, "
        "https://egolipost.example/a_b. Accessed 16 Nov. 2026."
    )


def test_apa_has_initials_and_the_year_first():
    assert styles()["APA"].text == (
        "Radebe, S. (2010, February 19). Pothole swallows wheel. Egoli Evening Post. "
        "https://egolipost.example/a_b"
    )


def test_the_name_of_the_site_is_in_italics():
    found = styles()

    assert {found[style].italic for style in ("Chicago", "MLA", "APA")} == {"Egoli Evening Post"}


def test_a_publication_that_a_curator_named_is_cited_by_that_name():
    found = styles(site="EP | Home", publication="Egoli Evening Post")

    assert "Egoli Evening Post" in found["Chicago"].text
    assert all("EP | Home" not in each.text for each in found.values())


def test_a_date_is_only_as_exact_as_it_is_known():
    found = styles(date_precision="month")

    assert "Egoli Evening Post, February 2010. Accessed" in found["Chicago"].text
    assert "Egoli Evening Post, Feb. 2010, https" in found["MLA"].text
    assert "(2010, February)." in found["APA"].text


def test_without_author_or_date_nothing_is_made_up():
    found = styles(author="", date=None)

    assert found["Chicago"].text.startswith("“Pothole swallows wheel.” Egoli Evening Post, n.d.")
    assert found["MLA"].text.startswith("“Pothole swallows wheel.” Egoli Evening Post, https")
    assert found["APA"].text.startswith("Pothole swallows wheel. (n.d.). Egoli Evening Post.")


def test_a_question_mark_needs_no_full_stop():
    assert "“Who pays?” Egoli" in styles(title="Who pays?")["Chicago"].text


def test_several_authors_follow_each_style():
    found = styles(author="Lettie van Wyk and Sipho Radebe")

    assert found["Chicago"].text.startswith("Van Wyk, Lettie, and Sipho Radebe. “")
    assert found["APA"].text.startswith("Van Wyk, L., & Radebe, S. (2010")
    assert authors_of("van der Merwe") == (Author("van der Merwe"),)
    many = styles(author="Ann Ok, Ben Ok, Cas Ok")
    assert many["MLA"].text.startswith("Ok, Ann, et al. “")


@pytest.mark.parametrize("signed", ["Staff Reporter", "Sapa", "The Karoo Trust", "News24 Team"])
def test_institutions_are_left_as_they_are(signed):
    assert authors_of(signed) == (Author(signed),)
    assert styles(author=signed)["Chicago"].text.startswith(f"{signed}. “")
    assert f"author = {{{{{signed}}}}}" in styles(author=signed)["BibTeX"].text


def test_bibtex_has_a_key_that_begins_with_a_letter_and_the_family_name_first():
    text = styles(title="Fish & chips_{x}")["BibTeX"].text

    assert text.startswith("@online{radebe2010-592660cc, author = {Radebe, Sipho}, ")
    assert "title = {{Fish \\& chips\\_\\{x\\}}}" in text
    assert "url = {https://egolipost.example/a_b}" in text
    assert styles(author="", site="7de Laan")["BibTeX"].text.startswith("@online{doc7delaan2010-")


def test_a_page_and_a_file_of_quotations_write_one_entry_for_a_document():
    shown = styles(author="Lettie van Wyk and Sipho Radebe")["BibTeX"].text
    of = card(author="Lettie van Wyk and Sipho Radebe")
    day = of.date.isoformat()
    kept = Quotation(
        "h.1.ff", "", "x", "", of.id, of.url, of.title, of.author, day, "feed", of.source, of.site,
        of.captured, "news", 1,
    )  # fmt: skip

    written = bibtex([kept], lambda each: "")

    plain = " ".join(re.sub(r",\s+note = .*?(?=\})\}", "", written).split())
    assert plain == shown


def test_a_line_is_cited_with_its_words():
    line = KwicLine("x.1.00", "the ", "bakkie", " sank", card())

    found = {each.style: each.text for each in citations(line, "Corpus", 3)}

    assert list(found) == ["izwi", "Chicago", "MLA", "APA", "OED", "BibTeX"]
    assert found["OED"] == "2010 Egoli Evening Post 19 Feb. ‘bakkie’: the bakkie sank"


def test_a_reference_manager_reads_a_document_page(client, corpus_folder):
    """As Zotero does: Highwire's tags in the head, and a context object in the text."""
    with izwi.open(corpus_folder) as corpus:
        card = next(each for each in corpus.documents().documents if each.author and each.date)

    page = LexborHTMLParser(client.get(f"/c/tiny/doc/{card.id}").text)

    said = {node.attributes["name"]: node.attributes["content"] for node in page.css("meta[name]")}
    assert said["citation_title"] == card.title
    assert said["citation_public_url"] == card.url
    assert said["citation_publication_date"].startswith(str(card.date.year))
    assert said["citation_author"]
    told = parse_qs(page.css_first("span.Z3988").attributes["title"])
    assert told["ctx_ver"] == ["Z39.88-2004"]
    assert told["rft.title"] == [card.title]
    assert told["rft.identifier"] == [card.url]
    assert told["rft.type"] == ["webpage"]
