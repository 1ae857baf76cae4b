"""The words that stand before an author's name, in the languages of the web."""

import re

_DID = (
    r"written|authored|posted|published|submitted|started|story|article|post|recipe|guide|review|reviews?"
    r"|words|text|contributed|created|compiled|presented|interview|opinion|column|beitrag"
    r"|geschrieben|gespeichert|eingestellt|verfasst|veröffentlicht|escrito|publicado|écrit|publié"
    r"|geskryf|geschreven|artikel|pressemitteilung|im wortlaut|text und interview"
)
BY = re.compile(
    rf"^(?:.{{0,24}}\b(?:{_DID})\s+)?(?:by|vo[nm]|par|por|di|door|av|af|deur|ni|autor(?:in|en)?"
    r"|author(?:s|\(s\))?|auteurs?|autore|contributors?|verfasser(?:in)?|skrywer|umbhali"
    r"|text(?: (?:und|and|et|en) [\w]+)?)(?:[:\s]+|$)",
    re.I,
)
# A date or "posted on" may stand before the word that names the author.
LATE_BY = re.compile(
    r"^(?=[^|]*\d|posted|published|submitted).{0,60}?\b(?:by|von|par|por|autor|author)[:\s]+", re.I
)
_DOERS = r"(?:[Aa]uthor|AUTHOR|[Aa]utor(?:in)?|[Aa]uteure?|[Vv]erfasser(?:in)?|Skrywer|Umbhali)"
# The names of menus, too, where no colon follows.
_LABELS = r"(?:[Aa]uthor(?:s|\(s\))|[Aa]utor(?:en|:innen)|[Aa]uteurs|[Cc]ontributors?|Text|Words)"
BEFORE_NAME = (
    r"(?:(?:(?:(?:Blog|blog|Guest|guest|Post|Article|Story) )?(?:[Ww]ritten|[Pp]ost(?:ed)?"
    r"|[Pp]ublished|[Ss]tory|[Aa]rticle|[Ss]tarted|[Ss]ubmitted|[Rr]eview|[Rr]ecipe|[Ww]ords|[Gg]eschrieben"
    r"|[Gg]espeichert|[Ee]ingestellt|[Pp]ubli(?:é|cado|cada)|[Pp]ostado|[Gg]epost|[Tt]ext"
    r"|[Bb]eitrag) )?"
    rf"(?:[Bb]y|BY|[Vv]on|VON|[Pp]ar|[Pp]or|[Dd]oor|[Dd]eur)|{_DOERS}:?|{_LABELS}:)"
)
# What all of these begin with: few lines do, and the words are looked for only there.
FIRST_LETTERS = frozenset(
    {"ar", "au", "be", "bl", "by", "co", "de", "do", "ei", "ge", "gu", "pa", "po", "pu", "re",
     "sk", "st", "su", "te", "um", "ve", "vo", "wo", "wr"}
)  # fmt: skip
# Labels that count before a colon, or alone in an element before the name: "Szerző: Kovács Anna".
_OTHER_LABELS = (
    "szerző írta szöveg kirjoittaja kirjoittanut teksti tekst tekstas autorka autorė autorius",
    "autors avtor autori автор автори авторы текст журналист аўтар συντάκτης κείμενο yazan yazar",
    "müəllif muallif penulis oleh mwandishi mongwadi mokwadi mongodi marubuci",
    "الكاتب بقلم كتب نویسنده تحریر מאת लेखक লেখক ผู้เขียน",
)
OTHER_LABELS = frozenset(word for line in _OTHER_LABELS for word in line.split()) | {
    "tác giả", "به قلم", "författare", "forfatter", "a cura di", "testo di", "texto de", "texte de",
    "tekst i zdjęcia",
}  # fmt: skip
# Short words that mean more than "by", and the languages in which they do: beside a date or just
# below the headline.
SHORT_WORDS = {
    "av": ("no", "nb", "nn", "sv"), "af": ("da", "is", "fo"), "di": ("it",), "oleh": ("id", "ms"),
    "na": ("sw",), "του": ("el",), "της": ("el",), "מאת": ("he",),
}  # fmt: skip
_LETTERS = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
# Names of the East have no space in them, and labels of their own: 作者：王小明, 홍길동 기자.
EASTERN = re.compile(
    r"(?:作者|撰文|文字?|本[报報]?[记記]者|[记記]者|通讯员|执笔|執筆者?|著者|筆者|取材・文|글|글쓴이|저자|필자)"
    rf"\s*[:：/／]\s*([{_LETTERS}·]{{2,8}})(?=$|[\s，、,（(|｜])"
    r"|([\uac00-\ud7af]{2,4})\s?(?:기자|특파원)(?=$|[\s=|(])"
)


def without_label(line: str) -> str:
    """Return a line without the label before its colon, if that names an author.

    >>> without_label("Szerző: Kovács Anna"), without_label("Idő: Kovács Anna")
    ('Kovács Anna', 'Idő: Kovács Anna')
    """
    label, colon, rest = line.partition(":")
    return rest.strip() if colon and label.strip().casefold() in OTHER_LABELS else line
