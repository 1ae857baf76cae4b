"""Which words of a list are wanted."""

from dataclasses import dataclass

from izwi.model.errors import QueryError

# What has a letter in it: what most people mean by words.
LETTERS = r".*\p{L}.*"


@dataclass(frozen=True, slots=True)
class Choice:
    """Which values are wanted: those an expression matches, frequent enough, not stopped."""

    attribute: str = ""
    pattern: str = LETTERS
    stop: tuple[str, ...] = ()
    least: int = 1
    most: int = 100
    is_exact_case: bool = False

    def __post_init__(self) -> None:
        if self.least < 1:
            raise QueryError(f"The minimum is 1 or more, not {self.least}.")
        if self.most < 1:
            raise QueryError(f"At least one line is shown, not {self.most}.")
