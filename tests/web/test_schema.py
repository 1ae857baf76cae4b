"""The OpenAPI description, walked with made-up requests: no answer is a fault of the server."""

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings

from izwi.web.app import create_app

schema = schemathesis.pytest.from_fixture("described")
# Each costs a search or a count; the walk is wide, not deep.
_EXAMPLES = 4


@pytest.fixture(scope="module")
def described(corpus_folder):
    """The description of an application that serves the corpus; nobody may change anything."""
    app = create_app([corpus_folder])
    return schemathesis.openapi.from_asgi("/api/openapi.json", app)


@schema.parametrize()
@settings(
    max_examples=_EXAMPLES,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
    derandomize=True,
)
def test_no_request_makes_the_server_fail(case):
    if "corpus" in case.path_parameters:
        case.path_parameters["corpus"] = "tiny"
    case.query = {
        **(case.query or {}),
        **({"timeout": 5} if "timeout" in (case.query or {}) else {}),
    }

    assert case.call().status_code < 500 or case.call().status_code == 503
