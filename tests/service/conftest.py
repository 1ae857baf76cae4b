import shutil

import pytest

from izwi.cases.corpus import Corpus
from tests.service import tiny


@pytest.fixture(scope="session")
def built_folder(tmp_path_factory):
    """A tiny corpus, built; for tests that only read."""
    folder = tmp_path_factory.mktemp("built") / "tiny"
    corpus = tiny.make(folder)
    tiny.gather(folder)
    corpus.build(workers=1)
    return folder


@pytest.fixture
def own_folder(built_folder, tmp_path):
    """A copy of it that a test may change."""
    return shutil.copytree(built_folder, tmp_path / "tiny")


@pytest.fixture
def built(built_folder):
    with Corpus(built_folder) as corpus:
        yield corpus
