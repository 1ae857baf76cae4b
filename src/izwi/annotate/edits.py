"""How a word becomes its lemma: what is cut off and put on at both ends."""

from dataclasses import dataclass
from difflib import SequenceMatcher


@dataclass(frozen=True, slots=True)
class Edit:
    """Cut so many characters before and after, put these there; in lower case or as written."""

    cut_before: int
    put_before: str
    cut_after: int
    put_after: str
    keeps_case: bool

    def apply(self, word: str) -> str:
        """Return the lemma of a word, the word itself if it is too short for the edit.

        >>> Edit(0, "", 3, "y", False).apply("Ladies")
        'lady'
        """
        form = word if self.keeps_case else word.lower()
        if len(form) < self.cut_before + self.cut_after:
            return form
        return self.put_before + form[self.cut_before : len(form) - self.cut_after] + self.put_after

    def as_text(self) -> str:
        """Return the edit in one short line."""
        case = "K" if self.keeps_case else "L"
        return f"{case}\t{self.cut_before}\t{self.put_before}\t{self.cut_after}\t{self.put_after}"


def edit_from_text(line: str) -> Edit:
    """Return the edit a line says."""
    case, cut_before, put_before, cut_after, put_after = line.split("\t")
    return Edit(int(cut_before), put_before, int(cut_after), put_after, case == "K")


def edit_between(word: str, lemma: str) -> Edit:
    """Return the edit that makes the lemma of the word, keeping their longest common part.

    >>> edit_between("izidingo", "dingo").as_text()
    'L\\t3\\t\\t0\\t'
    """
    keeps_case = lemma != lemma.lower()
    form = word if keeps_case else word.lower()
    common = SequenceMatcher(None, form, lemma, autojunk=False).find_longest_match()
    if common.size == 0:
        return Edit(len(form), "", 0, lemma, keeps_case)
    return Edit(
        common.a,
        lemma[: common.b],
        len(form) - common.a - common.size,
        lemma[common.b + common.size :],
        keeps_case,
    )
