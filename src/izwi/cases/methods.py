"""The use cases of a corpus as methods, by the modules that hold them.

Made by tools/generate_reference.py from izwi/cases; change those, then run ./run.sh docs.
"""
# fmt: off
# ruff: noqa

from izwi.cases.case import Method

_NAMES = {
    "lines": "concordance explain hit quotations",
    "counts": "frequencies wordlist ngrams dispersion collocations keywords terms trend compare",
    "words": "word_sketch sketch_difference thesaurus good_examples new_words doubtful_lemmas attestations watch_headwords forget_headwords headword_watch headword_alerts check_headwords",
    "documents": "document documents archived copies export",
    "reports": "status drops summary versions card comparison duplicates languages growth doctor",
    "runs": "gather build run compact import_warc import_files import_conllu import_tei import_texts runs",
    "takedown": "takedown foresee_takedown takedowns",
    "sources": "sources add_source preview_source packs add_pack import_opml export_opml pause_sources resume_sources remove_sources open_trap check_source source_health coverage host_bias portal_tags portal_suggestion",
    "labels": "label_drafts import_labels labels label_page label_queue train_from_labels models",
    "curation": "decide_document decide_documents document_decisions drop_samples review_drops inspect changes undo settings change_settings try_settings start_audit judge audits audit_sample subcorpora save_subcorpus decide decisions",
    "backup": "backup",
}


class Methods:
    """The use cases of a corpus as methods."""


for _module, _names in _NAMES.items():
    for _name in _names.split():
        setattr(Methods, _name, Method(_module, _name))
