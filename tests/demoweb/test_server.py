import html
import http.client
import re
import signal
import socket
import subprocess
import sys

import pytest

from izwi.demoweb import Charset
from tests.demoweb.faults import FaultyWeb
from tests.demoweb.truth import ground_truth
from tests.waiting import until

HOME = "http://karoocourant.example/"


def test_every_article_answers_through_the_proxy_with_its_paragraphs(web):
    connection = http.client.HTTPConnection("127.0.0.1", web.port, timeout=120)
    for url, document in ground_truth().items():
        connection.request("GET", url)
        response = connection.getresponse()
        wrong = document.charset is Charset.CALLED_UTF8
        text = html.unescape(response.read().decode("windows-1252" if wrong else "utf-8"))

        assert response.status == 200, url
        assert all(paragraph in text for paragraph in document.paragraphs), url
    connection.close()


def test_origin_form_with_a_host_header_gives_the_same_page(web, fetch):
    connection = http.client.HTTPConnection("127.0.0.1", web.port, timeout=120)
    connection.request("GET", "/archive?page=2", headers={"Host": "karoocourant.example"})
    body = connection.getresponse().read()
    connection.close()

    assert body == fetch(f"{HOME}archive?page=2").body


def test_the_server_says_what_it_is_when_asked_directly(web, fetch):
    assert "six South African publications" in fetch(f"http://127.0.0.1:{web.port}/").text
    assert "six South African publications" in fetch("http://localhost/").text


def test_a_list_without_a_number_leads_to_its_first_page(web):
    connection = http.client.HTTPConnection("127.0.0.1", web.port, timeout=120)
    connection.request("GET", "http://egolipost.example/latest/")
    response = connection.getresponse()

    assert response.status == 302
    assert response.headers["Location"] == "http://egolipost.example/latest/page/1"
    connection.close()


def test_unknown_hosts_are_not_found_by_the_proxy(fetch):
    answer = fetch("http://unheard-of.example/")

    assert answer.status == 502
    assert answer.text == "The demo web has no host called 'unheard-of.example'."


@pytest.mark.parametrize("method", ["POST", "DELETE"])
def test_only_reading_is_allowed(fetch, method):
    assert fetch(HOME, method=method).status == 405


def test_tunnels_are_refused(web):
    with socket.create_connection(("127.0.0.1", web.port), timeout=120) as connection:
        connection.sendall(b"CONNECT karoocourant.example:443 HTTP/1.1\r\nHost: x\r\n\r\n")

        assert connection.recv(100).startswith(b"HTTP/1.1 405 The demo web has no https")


def test_head_gives_headers_only(fetch):
    answer = fetch(HOME, method="HEAD")

    assert (answer.status, answer.body) == (200, b"")
    assert int(answer.headers["content-length"]) == len(fetch(HOME).body)


def test_an_unchanged_page_is_not_sent_again(fetch):
    tag = fetch(HOME).headers["etag"]

    answer = fetch(HOME, headers={"If-None-Match": tag})

    assert (answer.status, answer.body) == (304, b"")


def test_the_log_tells_who_asked_what_before_the_answer_arrives(ask):
    with FaultyWeb() as web:
        ask(web, f"{HOME}nothing?x=1", headers={"User-Agent": "izwi-test"})
        ask(web, "http://faults.example/empty", method="HEAD")

        first, second = web.log

    assert (first.method, first.url, first.status) == ("GET", f"{HOME}nothing?x=1", 404)
    assert first.user_agent == "izwi-test"
    assert second.method == "HEAD"
    assert first.time_monotonic <= second.time_monotonic


def test_delay_slows_pages_of_publications_only(ask):
    with FaultyWeb(delay=3600) as web:
        assert ask(web, "http://faults.example/ok").status == 200
        with pytest.raises(TimeoutError):
            ask(web, HOME, timeout=0.2)


def test_a_taken_port_is_an_error_that_says_so(web):
    with pytest.raises(OSError, match=f"cannot listen on 127.0.0.1:{web.port}.*another port"):
        FaultyWeb(web.port).start()


def test_a_port_that_cannot_be_is_an_error_that_says_so():
    with pytest.raises(OSError, match="ports go from 0 to 65535"):
        FaultyWeb(99999).start()


def test_a_port_is_free_again_after_the_end(ask):
    with FaultyWeb() as first:
        ask(first, HOME)
    with FaultyWeb(first.port) as second:
        assert ask(second, HOME).status == 200


def test_stopping_twice_or_before_the_start_does_nothing(ask):
    web = FaultyWeb()
    web.stop()
    with web:
        assert ask(web, HOME).status == 200
    web.stop()

    assert len(web.log) == 1


@pytest.mark.parametrize("path", ["/hang", "/endless", "/slow?seconds=6000"])
def test_the_server_stops_while_clients_wait(path, caplog):
    with FaultyWeb() as web:
        connection = socket.create_connection(("127.0.0.1", web.port), timeout=120)
        connection.sendall(f"GET http://faults.example{path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        until(lambda: web.log)
    connection.close()

    assert caplog.records == []


def test_clients_that_leave_make_no_noise(caplog, ask):
    with FaultyWeb() as web:
        for path in ("/hang", "/endless", "/drop", "/reset", "/big?megabytes=50"):
            connection = socket.create_connection(("127.0.0.1", web.port), timeout=120)
            connection.sendall(
                f"GET http://faults.example{path} HTTP/1.1\r\nHost: x\r\n\r\n".encode()
            )
            until(lambda path=path: any(path in request.url for request in web.log))
            connection.close()
        assert ask(web, HOME).status == 200

    assert caplog.records == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_command_serves_until_it_is_told_to_stop(number):
    command = [sys.executable, "-W", "error", "-m", "izwi.demoweb"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        line = process.stdout.readline().decode()
        port = int(re.search(r"http://127\.0\.0\.1:(\d+)$", line.strip())[1])
        with socket.create_connection(("127.0.0.1", port), timeout=120):
            process.send_signal(number)
            rest, errors = process.communicate(timeout=120)

    assert (process.returncode, rest, errors) == (0, b"", b"")


def test_the_command_explains_a_taken_port(web):
    command = [sys.executable, "-m", "izwi.demoweb", "--port", str(web.port)]

    finished = subprocess.run(command, capture_output=True, check=False, timeout=120)

    assert finished.returncode == 2
    assert b"Try another port." in finished.stderr
    assert b"Traceback" not in finished.stderr
