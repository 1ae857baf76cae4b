import pytest

from tests.gather.conftest import Gathering


@pytest.fixture
def gathering(tmp_path, web):
    """A corpus folder whose runs may take their time: these tests are about what comes."""
    made = Gathering(tmp_path / "news", web)
    made.seconds = 120.0
    return made
