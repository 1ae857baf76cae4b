"""Sites that tests write themselves, and how true a corpus of them is."""

import json
from html import escape
from itertools import islice
from urllib.parse import urlencode

from izwi.cases.page_tools import evaluate_corpus
from izwi.demoweb.server import whole_reply
from tests.demoweb.truth import ground_truth

MENU = "".join(f'<li><a href="/{name}">{name.title()}</a></li>' for name in ("about", "contact"))


def site(pages):
    """Return a host that serves these pages, by path with its query, and nothing else."""

    def answer(visit):
        key = visit.path + (f"?{urlencode(visit.query)}" if visit.query else "")
        body = pages.get(key)
        if body is None:
            return whole_reply(b"Not here.", status=404, content_type="text/plain")
        return whole_reply(body if isinstance(body, bytes) else body.encode())

    return answer


def page(title, body, head=""):
    """Return a page as sites make them: a menu above, a line below."""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'{head}</head><body><header><nav><ul><li><a href="/">Home</a></li>{MENU}</ul></nav>'
        f"</header><main>{body}</main><footer><p>All rights reserved.</p></footer></body></html>"
    )


def text(paragraphs):
    """Return paragraphs as markup."""
    return "".join(f"<p>{escape(each)}</p>" for each in paragraphs)


def listing(paths, title="Newest stories"):
    """Return a page that links to others by their titles."""
    rows = "".join(f'<li><a href="{escape(path)}">{escape(name)}</a></li>' for path, name in paths)
    return page(title, f"<h1>{title}</h1><ul>{rows}</ul>")


def stories(count):
    """Return so many English articles of the demo web, none a copy of another."""
    whole = (
        each
        for each in ground_truth().values()
        if each.language == "en" and not each.copy_of and len(each.paragraphs) > 3
    )
    return list(islice(whole, count))


def evaluated(corpus, gold):
    """Return how true a corpus is against gold pages, as the command says it."""
    path = corpus.path / "gold.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in gold), encoding="utf-8")
    return evaluate_corpus(corpus.path, path)
