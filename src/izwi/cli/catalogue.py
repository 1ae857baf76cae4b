"""The commands of `izwi`: what each does, and which modules have it.

Made by tools/generate_reference.py from the commands; change those, then run ./run.sh docs.
"""
# fmt: off
# ruff: noqa: E501

from typing import NamedTuple


class Entry(NamedTuple):
    """A command that is not imported yet."""

    summary: str
    modules: tuple[str, ...]


COMMANDS = {
    "annotate": Entry("Show sentences, tokens, tags and lemmas of a text.", ("language",)),
    "identify": Entry("Say which language a text is in, and how sure one is.", ("language",)),
    "languages": Entry("List the languages: told from others, connected text, tags, lemmas; how good, where from.", ("language",)),
    "variety": Entry("Score how much of a text speaks for a variety, by your own lists; its parts are shown.", ("language",)),
    "dedup": Entry("Say which paragraphs of a collection copy earlier ones; no corpus is needed.", ("duplicates",)),
    "extract": Entry("Print the main text of one page and what the page says of itself.", ("evaluating",)),
    "query": Entry("Find a word, a phrase or a CQL query and return one page of its lines in context.", ("cases.lines",)),
    "hit": Entry("Return the line of one hit by its permanent id.", ("cases.lines",)),
    "quote": Entry("Return hits as quotations, by their permanent ids or as the first of a query.", ("cases.lines",)),
    "freq": Entry("Count a query by metadata, period, form or neighbour, in one or two dimensions.", ("cases.counts",)),
    "wordlist": Entry("List the words of the chosen text by frequency, with their spread.", ("cases.counts",)),
    "ngrams": Entry("List the most frequent sequences of so many words.", ("cases.counts",)),
    "dispersion": Entry("Say how evenly a query is spread over documents, sources or other parts.", ("cases.counts",)),
    "collocations": Entry("List the words near a query with all measures of attraction, left and right apart.", ("cases.counts",)),
    "keywords": Entry("List the words that set a text apart from the rest, another text or a frequency list.", ("cases.counts",)),
    "terms": Entry("List the terms of several words, found by tag patterns, that set a text apart.", ("cases.counts",)),
    "trend": Entry("Follow a query through time: rates with intervals, slope, changes of level.", ("cases.counts",)),
    "compare": Entry("Put two corpora or subcorpora side by side: keywords, a query, and its collocates.", ("cases.counts",)),
    "sketch": Entry("Say which words stand in which relations to a word, by tag patterns of the language.", ("cases.words",)),
    "sketch-difference": Entry("Say how the company of two words differs, relation by relation.", ("cases.words",)),
    "thesaurus": Entry("List the words most like a word in the company they keep, with what they share.", ("cases.words",)),
    "examples": Entry("Find the sentences that show a word best, with the score of each factor by factor.", ("cases.words",)),
    "new-words": Entry("List words first seen in a period that spread over publications, scored with the reasons.", ("cases.words",)),
    "attestations": Entry("Find the first dated line of each headword, and whether it antedates a known date.", ("cases.words",)),
    "document": Entry("Return a document by its id or URL: paragraphs, metadata with evidence, its capture.", ("cases.documents",)),
    "documents": Entry("List the documents by date, or some of them, a page at a time.", ("cases.documents",)),
    "archived": Entry("Return the page a document came from, as it was captured.", ("cases.documents",)),
    "copies": Entry("List the copies of a document, the original first, with the words that differ.", ("cases.documents",)),
    "export": Entry("Write the corpus, or some of its documents, into a folder for other programs.", ("cases.documents",)),
    "status": Entry("Say per stage what is current, stale (and which key changed), missing or failed.", ("cases.reports",)),
    "drops": Entry("List and count what became of every URL: kept, waiting, dropped or failed, and why.", ("cases.reports",)),
    "info": Entry("Say what the corpus holds: size, sources, years, and what was dropped on the way.", ("cases.reports",)),
    "versions": Entry("List the published versions that can be asked and cited, the newest first.", ("cases.reports",)),
    "gather": Entry("Fetch what the sources offer, until nothing is due or a bound is met.", ("cases.runs",)),
    "build": Entry("Do what is stale or missing: text, language, copies, tokens, index; publish a version.", ("cases.runs",)),
    "run": Entry("Gather, then build.", ("cases.runs",)),
    "compact": Entry("Take what was taken down out of the files, join small ones, and build what is new.", ("cases.runs",)),
    "runs": Entry("List the runs and how each stands, the newest first.", ("cases.runs",)),
    "takedown": Entry("Take a URL or a host out of serving at once; it is never fetched again.", ("cases.takedown",)),
    "takedowns": Entry("List what was taken down, when and why.", ("cases.takedown",)),
    "inspect": Entry("Show a document: its capture, its paragraphs with their reasons, its dates.", ("cases.curation",)),
    "decide": Entry("Remember what was decided about a word: accept, reject, later, name, error or known.", ("cases.curation",)),
    "decisions": Entry("List what was decided about words, in the order it was; the last of a word counts.", ("cases.curation",)),
    "backup": Entry("Write the whole corpus into one file with sums, also while a run writes to it.", ("cases.backup",)),
    "init": Entry("Make a corpus folder with a commented corpus.toml.", ("corpora",)),
    "watch": Entry("Gather what is due and build what is new, again and again, until stopped.", ("corpora",)),
    "serve": Entry("Serve the web pages; curators sign in (see izwi users), others read.", ("corpora",)),
    "demo": Entry("Build a corpus from a small web that comes along, and show it. Works offline.", ("corpora",)),
    "doctor": Entry("Look at this machine and a corpus, and say what would mend what is amiss.", ("corpora",)),
    "plugins": Entry("List the installed parts by kind: sources, extractors and so on, and where each is from.", ("corpora",)),
    "move": Entry("Send a corpus folder to an object store (s3://bucket/news), or bring one here as a folder.", ("corpora",)),
    "restore": Entry("Make a corpus folder of a backup; every sum is compared before the folder is there.", ("corpora",)),
    "mcp": Entry("Offer corpora to a program that reads (MCP over standard input and output), read only.", ("assistant",)),
    "sources": Entry("The places pages come from.", ("groups", "cases.sources",)),
    "labels": Entry("Labels of pages, for training.", ("groups", "cases.labels",)),
    "train": Entry("Make models from samples and labels.", ("groups", "language", "evaluating",)),
    "evaluate": Entry("Measure parts of izwi against gold data.", ("groups", "language", "duplicates", "evaluating",)),
    "import": Entry("Take in what was collected elsewhere.", ("groups", "cases.runs", "corpora",)),
    "report": Entry("Reports about a corpus.", ("groups", "cases.reports", "cases.sources",)),
    "language": Entry("Language packs: all that is known of a language.", ("groups", "language",)),
    "subcorpora": Entry("Parts of a corpus, saved by name.", ("groups", "cases.curation",)),
    "portal": Entry("Rules for the pages of one source.", ("groups", "cases.sources",)),
    "curate": Entry("Decisions against the rules, and the record.", ("groups", "cases.curation",)),
    "settings": Entry("Keys of corpus.toml, tried and changed.", ("groups", "cases.curation",)),
    "headwords": Entry("Headwords that are watched for earlier dates.", ("groups", "cases.words",)),
    "audit": Entry("Random samples judged by people.", ("groups", "cases.curation",)),
    "users": Entry("Accounts of the web server.", ("users",)),
}
