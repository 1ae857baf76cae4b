"""Compile the scanner before any test that bounds time."""

import pytest

from izwi.annotate import tokens


@pytest.fixture(scope="session", autouse=True)
def _compiled_scanner():
    tokens.Tokeniser()(["One. " * 1000])
