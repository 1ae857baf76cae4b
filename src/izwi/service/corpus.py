"""The older address of the corpus, for programs that import it from here: see izwi.cases.corpus."""

from izwi.cases.corpus import Corpus as Corpus
from izwi.cases.corpus import create_corpus as create_corpus
from izwi.cases.corpus import open_corpus as open_corpus
