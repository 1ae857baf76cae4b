"""Which runner a build gets."""

from pathlib import Path

import pytest

from izwi.model.errors import PluginError
from izwi.pipeline.runners import Processes, Serial
from izwi.service.building import _runner
from izwi.store.layout import Layout
from tests.pipeline.pages import settings

HERE = Layout(Path("news"))


@pytest.mark.parametrize(
    ("lines", "workers", "asked", "kind"),
    [
        ("", 1, "", Serial),
        ("", 3, "", Processes),
        ('runner = "serial"', 3, "", Serial),
        ('runner = "serial"', 3, "processes", Processes),
    ],
    ids=["one worker", "several", "set", "asked for"],
)
def test_the_runner_is_the_one_asked_for_or_set_or_fitting(lines, workers, asked, kind):
    assert isinstance(_runner(HERE, settings(build=lines), workers, asked), kind)


def test_unknown_runner_is_one_sentence_with_those_there_are():
    with pytest.raises(PluginError, match=r"no runner .dusk.\. Did you mean .dask."):
        _runner(HERE, settings(), 2, "dusk")
