"""The OpenAPI description, walked with made-up requests: no answer is a fault of the server."""

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings

# Each costs a search or a count; the walk is wide, not deep.
_EXAMPLES = 3
_SECONDS = 5


@pytest.fixture(scope="module")
def operations(address):
    """Every operation that the server describes."""
    with httpx.Client(base_url=address, trust_env=False, timeout=60) as client:
        return described_by(client)


def described_by(client):
    schema = schemathesis.openapi.from_dict(client.get("/api/openapi.json").json())
    return [found.ok() for found in schema.get_all_operations()]


def test_no_request_makes_the_server_fail(address, operations):
    faults = []
    with httpx.Client(base_url=address, trust_env=False, timeout=120) as client:
        for operation in operations:
            faults += faults_of(operation, client)

    assert len(operations) > 100
    assert faults == []


def faults_of(operation, client, corpus="tiny"):
    """Return the requests to one operation that made the server fail."""
    found = []

    @given(case=operation.as_strategy())
    @settings(
        max_examples=_EXAMPLES,
        database=None,
        derandomize=True,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def ask(case):
        places = {**(case.path_parameters or {}), "corpus": corpus}
        query = dict(case.query or {})
        if "timeout" in query:
            query["timeout"] = _SECONDS
        request = httpx.Request(
            case.method,
            httpx.URL(str(client.base_url)).join(filled(operation.path, places)),
            params=printable(query),
            json=case.body if isinstance(case.body, (dict, list)) else None,
        )
        status = client.send(request).status_code
        # A query that takes too long is told so, with 503.
        if status >= 500 and status != 503:
            found.append((str(request.url), status))

    ask()
    return found


def filled(path, places):
    """Return a path with its parameters, none of which leads elsewhere."""
    for name, value in places.items():
        text = str(value).replace("/", "-").strip(".") or "x"
        path = path.replace(f"{{{name}}}", httpx.QueryParams({"a": text}).__str__()[2:])
    return path


def printable(query):
    """Return parameters that can be sent: no halves of characters."""
    return {
        name: [str(each).encode("utf-8", "replace").decode() for each in listed(value)]
        for name, value in query.items()
    }


def listed(value):
    return value if isinstance(value, list) else [value]
