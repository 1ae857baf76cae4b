"""Routes made when they are needed, and templates kept from start to start."""

import threading

import pytest
from fastapi import APIRouter
from jinja2 import Environment
from starlette.testclient import TestClient

from izwi.web.app import Application, LaterRoutes
from izwi.web.templating import Pages


@pytest.fixture
def made():
    """How often the later routes were made."""
    return []


@pytest.fixture
def app(made):
    app, later = Application(), APIRouter()
    app.get("/early")(lambda: "early")
    later.get("/late")(lambda: "late")
    later.get("/early", include_in_schema=False)(lambda: "never")

    def routers():
        made.append(1)
        return [later]

    app.later = LaterRoutes(app.router.routes, routers)
    app.router.routes.append(app.later)
    app.get("/last")(lambda: "last")
    return app


def test_what_is_there_is_answered_before_the_rest_is_made(app, made):
    client = TestClient(app)

    assert client.get("/early").json() == "early"
    assert made == []
    assert [client.get(path).json() for path in ("/late", "/last", "/early", "/late")] == [
        "late", "last", "early", "late",
    ]  # fmt: skip
    assert client.get("/nowhere").status_code == 404
    assert client.post("/late").status_code == 405
    assert made == [1]


def test_who_lists_the_routes_sees_all(app, made):
    assert {"/early", "/late", "/last"} <= {route.path for route in app.routes}
    assert "/late" in app.openapi()["paths"]
    assert made == [1]


def test_routes_are_made_once_by_many_at_the_same_time(app, made):
    threads = [threading.Thread(target=app.make_routes) for _ in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()

    assert made == [1]
    assert [route.path for route in app.routes].count("/late") == 1


class TestKeptTemplates:
    def text(self, folder):
        return Pages(folder).text("waiting.html", {"seconds": 3})

    def test_what_was_compiled_is_read_again(self, tmp_path, monkeypatch):
        first = self.text(tmp_path / "kept")
        monkeypatch.setattr(Environment, "compile", None)

        assert self.text(tmp_path / "kept") == first

    def test_a_folder_that_cannot_be_written_costs_nothing_but_time(self, tmp_path):
        (tmp_path / "file").write_text("in the way")

        assert self.text(tmp_path / "file" / "kept") == self.text(None)

    @pytest.mark.parametrize("spoilt", [b"", b"nonsense", b"j2\x05\x00"])
    def test_a_spoilt_file_is_made_again(self, tmp_path, spoilt):
        whole = self.text(tmp_path)
        for each in tmp_path.iterdir():
            each.write_bytes(each.read_bytes()[:22] if spoilt == b"" else spoilt)

        assert self.text(tmp_path) == whole
