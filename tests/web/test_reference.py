from .parsing import one, page_of, words


def test_every_route_is_on_the_page(client):
    page = page_of(client.get("/api/docs"))
    openapi = client.get("/api/openapi.json").json()

    shown = {words(one(route, "h3 code")) for route in page.cssselect(".route")}
    assert shown == {
        f"{method.upper()} {path}"
        for path, operations in openapi["paths"].items()
        for method in operations
    }
    assert len(shown) > 15


def test_every_parameter_has_a_meaning(client):
    page = page_of(client.get("/api/docs"))

    for row in page.cssselect(".route tbody tr"):
        name, place, kind, default, meaning = (words(cell) for cell in row)
        assert name
        assert place in ("path", "query", "body")
        assert kind
        assert default
        assert meaning, name


def test_defaults_are_told(client):
    page = page_of(client.get("/api/docs"))

    route = one(page, "#conc_c__corpus__conc_get")
    rows = {words(row[0]): [words(cell) for cell in row] for row in route.cssselect("tbody tr")}
    assert rows["size"][2:4] == ["integer", "50"]
    assert rows["corpus"][1:4] == ["path", "string", "required"]
    assert rows["src"][2] == "string, repeatable"
    assert rows["from"][4].startswith("First year")


def test_examples_work(client):
    page = page_of(client.get("/api/docs"))

    examples = [words(each) for each in page.cssselect(".route pre")]
    # The id of a hit is known only once the hit was found, so that no example can have one.
    reading = [
        each
        for each in examples
        if each.startswith("curl 'http") and "/hit" not in each and "{id}" not in each
    ]
    assert len(reading) > 10
    for example in reading:
        assert client.get(example.removeprefix("curl ").strip("'")).status_code < 400, example


def test_an_example_that_changes_something_shows_token_and_body(client):
    page = page_of(client.get("/api/docs"))

    example = words(one(page, "#add_source_api_v1_c__corpus__sources_post pre"))
    assert "-X POST -H 'Authorization: Bearer TOKEN'" in example
    assert """-d '{"url": "https://example.org/feed.xml"}'""" in example


def test_the_page_says_that_the_server_is_read_only(client, curator):
    assert "without a curator's token" in words(page_of(client.get("/api/docs")))
    assert "without a curator's token" not in words(page_of(curator.get("/api/docs")))


def test_the_frameworks_own_pages_are_off(client):
    assert client.get("/docs").status_code == 404
    assert client.get("/redoc").status_code == 404
