from izwi.gather.links import page_links

PAGE = "http://one.example/news/a.html"


def links(body):
    return page_links(body.encode(), PAGE)


def test_links_come_once_in_order_of_appearance():
    found = links('<a href="/b">b</a> <a href="c">c</a> <p><a href="/b#top">b again</a>')

    assert found == ["http://one.example/b", "http://one.example/news/c"]


def test_links_are_read_from_the_base_of_the_page():
    found = links('<base href="/archive/"><a href="x">x</a><a href="http://two.example/">y</a>')

    assert found == ["http://one.example/archive/x", "http://two.example/"]


def test_base_that_is_no_address_is_passed_over():
    assert links('<base href="javascript:x"><a href="b">b</a>') == ["http://one.example/news/b"]


def test_links_to_what_is_not_text_are_left_out():
    found = links(
        '<a href="a.jpg">1</a><a href="b.pdf">2</a><a href="mailto:x@y.z">3</a>'
        '<a href="javascript:void(0)">4</a><a>5</a><a href>6</a><a href="ok">7</a>'
    )

    assert found == ["http://one.example/news/ok"]


def test_page_without_links_or_html_has_none():
    assert page_links(b"", PAGE) == []
    assert page_links(b"\x00\xff\xfe binary", PAGE) == []


def test_page_with_far_too_many_links_gives_the_first():
    body = "".join(f'<a href="/{number}">x</a>' for number in range(6000))

    found = links(body)

    assert len(found) == 5000
    assert found[0] == "http://one.example/0"


def test_links_in_letters_are_found():
    assert links('<a href="/wêreld">x</a>') == ["http://one.example/w%C3%AAreld"]
