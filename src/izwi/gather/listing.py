"""What a page of an archive lists, where it goes on, and how sites write `next` and `more`.

Article links stand together: in the same kind of element, with titles as their words and slugs or
numbers in their addresses, outside of menus and margins. The best group is taken, and with it the
links elsewhere whose addresses are built alike (a first story set larger, say). The next page is
the link that says so: by its relation, by a word in one of many languages, by an arrow, or by the
number after this page's.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from izwi.gather.address_shapes import shape_of
from izwi.gather.links import Anchor

# What a link must score to be taken for an article's, and what makes up the score.
_ARTICLE = 1.0
_NEXT_SCORE = 5.0
_ARROW_ALONE = 4.0
_ARROWS = frozenset({"›", "»", ">", "→", ">>", "⟩", "▶", "❯"})
_BACK_ARROWS = frozenset({"‹", "«", "<", "←", "<<", "⟨", "◀", "❮"})
_WORD = re.compile(r"[^\W\d_][\w-]*")
_SLUG = re.compile(r"[-_+]|%20")


@dataclass(frozen=True, slots=True)
class Listing:
    """What was found on a page of an archive."""

    articles: tuple[Anchor, ...]
    # The group of links the articles were found in, as a selector a user can write down.
    place: str = ""


def find_articles(anchors: Sequence[Anchor], url: str) -> Listing:
    """Return the article links of a page, each address once, in order."""
    likely = [each for each in anchors if _may_be_article(each, url)]
    groups: dict[str, dict[str, float]] = defaultdict(dict)
    for anchor in likely:
        best = groups[anchor.place].get(anchor.url, 0.0)
        groups[anchor.place][anchor.url] = max(best, _score(anchor))
    worth = {place: scores for place, scores in groups.items() if _mean(scores) >= _ARTICLE}
    if not worth:
        return Listing(())
    # Many good links: of a teaser's links to story, author and column, the headlines win.
    place = max(worth, key=lambda each: _mean(worth[each]) * sum(worth[each].values()))
    built = {skeleton(url) for url in worth[place]}
    articles: dict[str, Anchor] = {}
    for anchor in likely:
        is_alike = skeleton(anchor.url) in built and _score(anchor) >= _ARTICLE
        if anchor.place == place or is_alike:
            known = articles.setdefault(anchor.url, anchor)
            articles[anchor.url] = max(known, anchor, key=lambda each: len(each.text))
    return Listing(tuple(articles.values()), place)


def find_next(anchors: Iterable[Anchor], url: str, page: int) -> Anchor | None:
    """Return the link to the page after this one, which is the `page`th; None if there is none."""
    host = _site(url)
    others = [each for each in anchors if each.url != url and _site(each.url) == host]
    scored = [(_next_score(each, url, page), each) for each in others]
    score, best = max(scored, key=lambda pair: pair[0], default=(0.0, None))
    return best if score >= _NEXT_SCORE else None


def says_next(anchor: Anchor) -> bool:
    """Return whether a link is called the next page: by relation, word, label or arrow."""
    return _call(anchor) >= _ARROW_ALONE


def skeleton(url: str) -> str:
    """Return how an address is built: digits and slugs taken out, other folders kept.

    >>> skeleton("http://a.example/news/2020/07/rain-at-last-12")
    'a.example/news/#/#/~'
    """
    parts = urlsplit(url)
    folders = [_folder(part) for part in parts.path.split("/")]
    keys = "&".join(sorted(part.partition("=")[0] for part in parts.query.split("&")))
    return f"{parts.netloc}{'/'.join(folders)}{'?' + keys if keys else ''}"


def _folder(part: str) -> str:
    if part.isdecimal():
        return "#"
    return "~" if _SLUG.search(part) or re.search(r"\d", part) else part


def _may_be_article(anchor: Anchor, url: str) -> bool:
    if anchor.is_aside or anchor.rel == "next" or anchor.url == url:
        return False
    if _site(anchor.url) != _site(url) or urlsplit(anchor.url).path in ("", "/"):
        return False
    if url.startswith(anchor.url.rstrip("/") + "/"):  # the way back up
        return False
    # Other pages of the archive are built as this one is; an article is not.
    return shape_of(anchor.url) != shape_of(url) or _score(anchor) >= 2 * _ARTICLE


def _score(anchor: Anchor) -> float:
    """Return how much speaks for an article: a title as its words, a slug or number behind it."""
    words = len(_WORD.findall(anchor.text))
    title = 1.0 if words >= 4 else 0.5 if words >= 2 else 0.1
    parts = urlsplit(anchor.url)
    last = f"{parts.path.rstrip('/').rpartition('/')[2]}?{parts.query}"
    digits, seams = sum(map(str.isdecimal, last)), len(_SLUG.findall(last))
    address = 1.0 if digits >= 4 or seams >= 2 else 0.6 if digits or seams else 0.0
    return title + address + (0.5 if anchor.is_heading else 0.0)


def _mean(scores: dict[str, float]) -> float:
    return sum(scores.values()) / len(scores)


def _next_score(anchor: Anchor, url: str, page: int) -> float:
    score = _call(anchor)
    if score < 0:
        return 0.0
    score += 5.0 if anchor.text.strip() == str(page + 1) and _is_alike(anchor.url, url) else 0.0
    return score + (2.0 if score and _is_alike(anchor.url, url) else 0.0)


def _call(anchor: Anchor) -> float:
    """Return how much a link is called the next page, below 0 if it is called the one before."""
    text = anchor.text.casefold().strip()
    words = set(_WORD.findall(text)) if len(text) < 40 else set()
    label = set(re.findall(r"[^\W\d_]+", anchor.label.casefold()))
    if (words | label) & BACK_WORDS and "next" not in anchor.rel:
        return -1.0
    if any(arrow in text for arrow in _BACK_ARROWS):
        return -1.0
    score = 10.0 if "next" in anchor.rel.split() else 0.0
    score += 6.0 if words & NEXT_WORDS and len(words) <= 4 else 0.0
    score += 5.0 if label & NEXT_WORDS else 0.0
    return score + (_ARROW_ALONE if text in _ARROWS or text.strip(" .") in _ARROWS else 0.0)


def _is_alike(url: str, other: str) -> bool:
    """Whether two addresses are pages of one list: built alike, or one continues the other."""
    folder, onward = other.split("?")[0].rstrip("/"), url.split("?")[0]
    return skeleton(url) == skeleton(other) or onward.startswith(folder)


def _site(url: str) -> str:
    """Return the part of a host that a site's columns share."""
    host = (urlsplit(url).hostname or "").removeprefix("www.")
    labels = host.split(".")
    return ".".join(labels[-3:] if len(labels) > 3 else labels[-2:]) if len(labels) > 1 else host


# Older is next: archives begin with the newest.
_NEXT = """next older volgende ouer oudere weiter nächste nächster nächstes ältere suivant suivante
suivants siguiente siguientes antiguos próxima próximo seguinte successiva successivo avanti
następna następne starsze następny następnej následující další starší ďalšia következő régebbi
înainte următoarea sljedeća starije следващ следующая далее наступна επόμενη sonraki التالي הבא
अगला 次へ 次 下一页 下一頁 다음 okulandelayo elandelayo landelayo elilandelayo latelang neste
eldre nästa äldre næste ældre seuraava vanhemmat järgmine nākamā kitas hurrengoa següent ijayo
inayofuata tiếp berikutnya selanjutnya"""
_BACK = """previous prev newer vorige nuwer nuwere zurück neuere précédent précédente anterior
anteriores nuevos precedente poprzednia nowsze předchozí novější előző újabb предыдущая önceki
forrige föregående edellinen back first last laaste eerste letzte erste dernière première última
último primera ultima prima utolsó első"""
# How the words of a button begin that brings more of the same.
_MORE = """load more | show more | more comments | more articles | more stories | more posts |
view more | see more | read more comments | all comments | show all | older comments |
laai meer | wys meer | meer kommentaar | meer stories | laad meer | toon meer |
meer laden | mehr laden | mehr anzeigen | weitere anzeigen | weitere laden |
alle kommentare | voir plus | afficher plus | charger plus | plus de commentaires |
cargar más | ver más | mostrar más | más comentarios | carregar mais | ver mais |
mostrar mais | carica altri | mostra altri | mostra di più | pokaż więcej |
załaduj więcej | więcej komentarzy | načíst další | zobrazit více |
továbbiak betöltése | több megjelenítése | további hozzászólások | mai multe |
показать ещё | показать еще | загрузить ещё | больше комментариев | показати більше |
περισσότερα | daha fazla | تحميل المزيد |
もっと見る | さらに表示 | 加载更多 | 查看更多 | 載入更多 | 더 보기 |
bonisa okuningi | layisha okunye | okuningi | bontsha tse ding | tse ding |
last inn mer | vis flere | visa mer | vis mere | näytä lisää"""

NEXT_WORDS = frozenset(_NEXT.split())
BACK_WORDS = frozenset(_BACK.split())
MORE_WORDS = tuple(words.strip() for words in _MORE.split("|"))
