"""A web of many hosts, a few of them in isiZulu; lang attributes are missing, or lie."""

import random
import re
from functools import cache

from izwi.demoweb.articles import load_articles
from izwi.demoweb.server import whole_reply

TARGET = "zu"
PAGES = 60
ZULU_HOSTS, MIXED_HOSTS, OTHER_HOSTS = 8, 4, 36
_TRUE, _MISSING = 0.4, 0.8  # below: a true lang attribute, none, else a false one
_SENTENCE = re.compile(r"(?<=[.!?”])\s+")


class ManyLanguages:
    """Pages made from a seed: what is where is the same each time."""

    def __init__(self, seed=7):
        chance = random.Random(seed)
        kinds = ["zu"] * ZULU_HOSTS + ["mixed"] * MIXED_HOSTS
        kinds += [chance.choice(["en", "af"]) for _ in range(OTHER_HOSTS)]
        chance.shuffle(kinds)
        self.kinds = {f"site{number:02d}.example": kind for number, kind in enumerate(kinds)}
        self._near = [host for host, kind in self.kinds.items() if kind in ("zu", "mixed")]

    @property
    def seeds(self):
        """Two pages in isiZulu and four others, as a search would give them."""
        zulu = [host for host, kind in self.kinds.items() if kind == "zu"][:2]
        others = [host for host, kind in self.kinds.items() if kind in ("en", "af")][:4]
        return tuple(f"http://{host}/" for host in (*zulu, *others))

    def language(self, host, number):
        """Return the language of a page."""
        kind = self.kinds[host]
        chance = random.Random(f"{host} {number} language")
        if kind == "mixed":
            return "zu" if number % 2 else "en"
        return kind if kind != "zu" or chance.random() < 0.9 else "en"

    def path(self, host, number):
        if not number:
            return "/"
        if self.kinds[host] == "mixed":
            return f"/{'isizulu' if number % 2 else 'english'}/{number}"
        return f"/p/{number}"

    def install(self, hosts):
        """Answer for all hosts of this web."""
        for host in self.kinds:
            hosts[host] = lambda visit, host=host: self.answer(host, visit)

    def answer(self, host, visit):
        if visit.path == "/robots.txt":
            return whole_reply(b"", status=404)
        number = int(visit.path.rpartition("/")[2] or 0)
        return whole_reply(self.page(host, number).encode())

    def page(self, host, number):
        chance = random.Random(f"{host} {number}")
        language = self.language(host, number)
        text = " ".join(chance.sample(sentences(language), 12))
        said = _declared(chance, language)
        links = "".join(
            self._link(other, n, chance) for other, n in self._ways(host, number, chance)
        )
        return (
            f'<!doctype html><html{said}><head><meta charset="utf-8"><title>{number}</title></head>'
            f"<body><h1>{number}</h1><p>{text}</p><ul>{links}</ul></body></html>"
        )

    def _ways(self, host, number, chance):
        ways = [(host, chance.randrange(PAGES)) for _ in range(6)]
        is_near = self.language(host, number) == "zu"
        for _ in range(4):
            pool = self._near if chance.random() < (0.5 if is_near else 0.1) else list(self.kinds)
            ways.append((chance.choice(pool), chance.randrange(PAGES)))
        return ways

    def _link(self, host, number, chance):
        words = " ".join(chance.choice(sentences(self.language(host, number))).split()[:5])
        return f'<li><a href="http://{host}{self.path(host, number)}">{words}</a></li>'


def _declared(chance, language):
    draw = chance.random()
    if draw < _TRUE:
        return f' lang="{language}"'
    if draw < _MISSING:
        return ""
    return f' lang="{chance.choice([each for each in ("zu", "en", "af") if each != language])}"'


@cache
def sentences(language):
    """Return the sentences of the demo web in one language."""
    articles = [each for each in load_articles() if each.language == language]
    return [
        sentence
        for article in articles
        for paragraph in article.paragraphs
        for sentence in _SENTENCE.split(paragraph)
        if sentence.count(" ") >= 4
    ]
