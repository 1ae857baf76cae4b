"""The corpus under its older address; it stands in izwi.cases.corpus."""

from izwi.cases.corpus import Corpus as Corpus
from izwi.cases.corpus import create_corpus as create_corpus
from izwi.cases.corpus import open_corpus as open_corpus
