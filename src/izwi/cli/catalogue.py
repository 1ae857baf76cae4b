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
    "annotate": Entry("Show sentences, tokens, tags and lemmas of a text.", ("tagging",)),
    "identify": Entry("Say which language a text is in, and how sure one is.", ("language",)),
    "languages": Entry("List the languages: told from others, connected text, tags, lemmas; how good, where from.", ("language",)),
    "variety": Entry("Score how much of a text speaks for a variety, by your own lists; its parts are shown.", ("language",)),
    "dedup": Entry("Say which paragraphs of a collection copy earlier ones; no corpus is needed.", ("duplicates",)),
    "copies": Entry("List the copies of a document, the original first, with the words that differ.", ("duplicates",)),
    "watch": Entry("Gather what is due and build what is new, again and again, until stopped.", ("growing",)),
    "takedown": Entry("Take a URL or a host out of serving at once; it is never fetched again.", ("removing",)),
    "compact": Entry("Take what was taken down out of the files, join small ones, and build what is new.", ("removing",)),
    "document": Entry("Print a document: what is known of it, and its text.", ("documents",)),
    "documents": Entry("List the documents by date.", ("documents",)),
    "archived": Entry("Print the page a document came from, as it was captured.", ("documents",)),
    "hit": Entry("Print the line of one hit by its permanent id.", ("hits",)),
    "extract": Entry("Print the main text of one page and what the page says of itself.", ("extracting",)),
    "export": Entry("Write the corpus, or some of its documents, for other programs.", ("exporting",)),
    "quote": Entry("Write hits as quotations: a table, a spreadsheet, TEI, BibTeX, a dictionary's entries.", ("quoting",)),
    "inspect": Entry("Show a document: its capture, its paragraphs with their reasons, its dates.", ("curating",)),
    "runs": Entry("List the runs and how each stands, the newest first.", ("curating",)),
    "takedowns": Entry("List what was taken down, when and why.", ("curating",)),
    "sketch": Entry("Say which words stand in which relations to a word, by tag patterns of the language.", ("cases.words",)),
    "sketch-difference": Entry("Say how the company of two words differs, relation by relation.", ("cases.words",)),
    "thesaurus": Entry("List the words most like a word in the company they keep, with what they share.", ("cases.words",)),
    "new-words": Entry("List words first seen in a period that spread over publications, scored with the reasons.", ("cases.words",)),
    "examples": Entry("Find the sentences that show a word best, with what makes them good examples.", ("lexicography",)),
    "attestations": Entry("Find the first dated line of each headword, and antedatings of the dates known.", ("lexicography",)),
    "decide": Entry("Remember with the corpus what was decided about a word.", ("lexicography",)),
    "decisions": Entry("List what was decided about words; the last decision about a word counts.", ("lexicography",)),
    "freq": Entry("Count a query by metadata, period, form or neighbour, in one or two dimensions.", ("cases.counts",)),
    "wordlist": Entry("List the words of the chosen text by frequency, with their spread.", ("cases.counts",)),
    "ngrams": Entry("List the most frequent sequences of so many words.", ("cases.counts",)),
    "dispersion": Entry("Say how evenly a query is spread over documents, sources or other parts.", ("cases.counts",)),
    "collocations": Entry("List the words near a query with all measures of attraction, left and right apart.", ("cases.counts",)),
    "keywords": Entry("List the words that set a text apart from the rest, another text or a frequency list.", ("cases.counts",)),
    "terms": Entry("List the terms of several words, found by tag patterns, that set a text apart.", ("cases.counts",)),
    "trend": Entry("Follow a query through time: rates with intervals, slope, changes of level.", ("cases.counts",)),
    "compare": Entry("Put two corpora or subcorpora side by side: keywords, a query, and its collocates.", ("cases.counts",)),
    "versions": Entry("List the published versions; a query may ask any of them.", ("versions",)),
    "init": Entry("Make a corpus folder with a commented corpus.toml.", ("corpora",)),
    "gather": Entry("Fetch what the sources offer, politely; run again to go on.", ("corpora",)),
    "build": Entry("Do exactly what is stale: text, language, copies, tokens, index.", ("corpora",)),
    "run": Entry("Gather, then build.", ("corpora",)),
    "status": Entry("Say per stage what is current, stale (and which key changed), missing, failed.", ("corpora",)),
    "drops": Entry("List and count what became of every URL, and why.", ("corpora",)),
    "query": Entry("Find a word, a phrase or a CQL query and print its lines in context.", ("corpora",)),
    "info": Entry("Say what the corpus holds.", ("corpora",)),
    "serve": Entry("Serve the web pages; curators sign in (see izwi users), others read.", ("corpora",)),
    "demo": Entry("Build a corpus from a small web that comes along, and show it. Works offline.", ("corpora",)),
    "doctor": Entry("Look at this machine and a corpus, and say what would mend what is amiss.", ("corpora",)),
    "plugins": Entry("List the installed parts by kind: sources, extractors and so on, and where each is from.", ("corpora",)),
    "backup": Entry("Write the whole corpus into one file with sums, also while a run writes to it.", ("keeping",)),
    "restore": Entry("Make a corpus folder of a backup; every sum is compared before the folder is there.", ("keeping",)),
    "mcp": Entry("Offer corpora to a program that reads (MCP over standard input and output), read only.", ("assistant",)),
    "sources": Entry("The places pages come from.", ("groups", "growing", "curating", "corpora",)),
    "labels": Entry("Labels of pages, for training.", ("groups", "labelling", "curating",)),
    "train": Entry("Make models from samples and labels.", ("groups", "tagging", "language", "evaluating",)),
    "evaluate": Entry("Measure parts of izwi against gold data.", ("groups", "tagging", "language", "duplicates", "evaluating",)),
    "import": Entry("Take in what was collected elsewhere.", ("groups", "importing",)),
    "report": Entry("Reports about a corpus.", ("groups", "language", "duplicates", "reporting", "sourcing",)),
    "language": Entry("Language packs: all that is known of a language.", ("groups", "language",)),
    "subcorpora": Entry("Parts of a corpus, saved by name.", ("subcorpora",)),
    "portal": Entry("Rules for the pages of one source.", ("portals",)),
    "users": Entry("Accounts of the web server.", ("users",)),
    "curate": Entry("Decisions against the rules, and the record.", ("curating",)),
    "settings": Entry("Keys of corpus.toml, tried and changed.", ("curating",)),
    "audit": Entry("Random samples judged by people.", ("curating",)),
}
