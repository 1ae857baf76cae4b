"""What the made sites say: sentences from a small grammar, with names that nobody else has."""

import random
from collections.abc import Sequence

_SOUNDS = ("ba", "ke", "lo", "mu", "ni", "sa", "te", "vu", "wo", "zi", "dra", "fen", "gor", "hil")
_ENDS = ("n", "r", "s", "la", "mo", "ti", "k", "nde", "sen", "by", "ga", "rus")
_FIRST = (
    "Anna", "Bheki", "Carla", "Dawid", "Esther", "Fikile", "Gert", "Hanna", "Irma", "Jabu",
    "Katrien", "Lungi", "Marta", "Nomsa", "Oupa", "Petra", "Rashid", "Sara", "Themba", "Wilma",
)  # fmt: skip
_PEOPLE = (
    "the baker", "our neighbour", "an old farmer", "the teacher", "my aunt", "a young nurse",
    "the choir", "two brothers", "the mayor", "a group of pupils", "the postman", "her sister",
    "the fishermen", "a visitor", "everybody in our street", "the drivers", "a retired judge",
    "the girl next door", "the whole team", "a painter", "the shopkeeper", "some of the workers",
)  # fmt: skip
_DEEDS = (
    "mended the old pump", "planted a row of peach trees", "sold the last loaves",
    "painted the fence green", "wrote a long letter", "opened the gate for the sheep",
    "learned to play the trumpet", "found a silver coin", "cooked soup for forty people",
    "carried water up the hill", "lost the key to the hall", "built a boat from planks",
    "told us about the great drought", "asked for a second bridge", "won a prize for honey",
    "drove the bus through the river", "read the names of the winners aloud",
    "kept a diary of the weather", "dug a well behind the school", "repaired nine bicycles",
    "sang until the lamps went out", "counted the birds at the dam", "sent a basket of figs",
    "refused to move the market", "danced at the wedding", "walked home along the railway",
    "baked bread without yeast", "forgot to lock the stable", "taught the small ones to swim",
    "collected stories from the miners", "bought a red tractor", "caught a very large fish",
)  # fmt: skip
_WHEN = (
    "last winter", "before the rain came", "early in the morning", "on the first day of school",
    "while the others slept", "after the harvest", "long ago", "this week", "one windy evening",
    "just before sunset", "every second Friday", "during the holidays", "as soon as it was light",
)  # fmt: skip
_WHERE = (
    "near {place}", "in {place}", "on the road to {place}", "behind the church", "at the station",
    "beside the dam", "in the back room", "under the bluegum trees", "at the market in {place}",
    "across the river from {place}", "in front of the town hall",
)  # fmt: skip
_WHY = (
    "because the road was closed", "so that the children could cross", "although it was forbidden",
    "since nobody else wanted to", "because there was no money left", "so we had enough to eat",
    "even though the doctor had warned against it", "which surprised all of us",
    "and that is how the feast began", "as {name} had promised", "until {name} came to help",
)  # fmt: skip
_SAID = ("said", "thought", "explained", "wrote", "believed", "told the paper", "was sure")
_FORMS = (
    "{who} {did} {where} {when}.", "{when}, {who} {did} {why}.", "{who} {did}, and {who} {did}.",
    "{name} {said} that {who} {did} {when}.", "Nobody knew why {who} {did}, but {name} {did}.",
    "It was {name} who {did} {where}.", "Do you remember how {who} {did} {when}?",
    "When {who} {did}, there were {number} of us {where}.", "In {year} {name} {did} {why}.",
    "{who} {did} {where}, {why}.", "I have heard that {name} from {place} {did}.",
    "There was a time when {who} {did}; today {name} does it.", "{where}, {name} {did} {when}.",
    "Not far from {place} {who} {did}, {why}.", "Without {name} we would have gone.",
)  # fmt: skip
_TITLES = (
    "How {name} {did}", "{name} and the people of {place}", "What {who} did {when}",
    "A day {where}", "Why {who} {did}", "{place}: {number} years later", "The house {where}",
    "{name} {did}", "News from {place}", "{number} letters to {name}",
)  # fmt: skip


class Voice:
    """A writer; the same seed writes the same."""

    def __init__(self, seed: str) -> None:
        self.chance = random.Random(seed)

    def any(self, some: Sequence[str]) -> str:
        """Return one of some."""
        return self.chance.choice(some)

    def word(self) -> str:
        """Return a word that stands in no dictionary."""
        return "".join(self.any(_SOUNDS) for _ in range(2)) + self.any(_ENDS)

    def name(self) -> str:
        """Return somebody's name."""
        return f"{self.any(_FIRST)} {self.word().title()}"

    def place(self) -> str:
        """Return a town's name."""
        return self.word().title()

    def sentence(self) -> str:
        """Return a sentence."""
        said = self._filled(self.any(_FORMS))
        return said[0].upper() + said[1:]

    def title(self) -> str:
        """Return a headline."""
        said = self._filled(self.any(_TITLES))
        return said[0].upper() + said[1:]

    def paragraph(self, fewest: int = 3, most: int = 6) -> str:
        """Return some sentences."""
        return " ".join(self.sentence() for _ in range(self.chance.randint(fewest, most)))

    def paragraphs(self, fewest: int = 3, most: int = 6) -> list[str]:
        """Return some paragraphs."""
        return [self.paragraph() for _ in range(self.chance.randint(fewest, most))]

    def heap(self, words: int) -> str:
        """Return words thrown together, as farms of links do."""
        known = " ".join([*_DEEDS, *_WHERE, *_WHY, *_PEOPLE]).replace("{", "").replace("}", "")
        return " ".join(self.any(known.split()) for _ in range(words)) + "."

    def _filled(self, form: str) -> str:
        while (start := form.find("{")) >= 0:
            end = form.find("}", start)
            form = form[:start] + self._part(form[start + 1 : end]) + form[end + 1 :]
        return form

    def _part(self, name: str) -> str:
        own = {"name": self.name, "place": self.place}
        if name in own:
            return own[name]()
        if name in ("number", "year"):
            return str(
                self.chance.randint(1900, 2020) if name == "year" else self.chance.randint(3, 90)
            )
        some = {
            "who": _PEOPLE,
            "did": _DEEDS,
            "when": _WHEN,
            "where": _WHERE,
            "why": _WHY,
            "said": _SAID,
        }
        return self.any(some[name])
