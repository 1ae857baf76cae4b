"""Programs that import from where things were still find them."""


def test_older_addresses_lead_to_the_same_things():
    from izwi.cases import corpus as now
    from izwi.service import corpus, documents, inspecting

    assert corpus.Corpus is now.Corpus
    assert corpus.open_corpus is now.open_corpus
    assert corpus.create_corpus is now.create_corpus
    assert inspecting.built_layers is documents.built_layers


def test_a_corpus_still_says_where_its_files_are(built):
    assert built._layout.root == built.path
    assert built._config.corpus.name == built.config.corpus.name
