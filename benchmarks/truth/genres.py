"""What does a corpus lose of genres that nobody tuned for? Made sites of many are crawled and judged.

    python benchmarks/truth/genres.py FOLDER [--data DATA/language] [--held-out] [--kinds poems ...]

As benchmarks/truth/portals.py, with its columns: verse, plays, songs, novels in parts, letters with
notes, judgments, minutes, manuals full of code, questions and answers, interviews, matches, live
reports, pictures, what was said in a podcast, each in the markup of another system.
"""

from portals import measured
from webs import (
    genre_books,
    genre_held_books,
    genre_held_offices,
    genre_lists,
    genre_offices,
)

SEEN = (genre_books, genre_offices, genre_lists)
HELD_OUT = (genre_held_books, genre_held_offices)


def main() -> None:
    measured(__doc__, SEEN, HELD_OUT, 40, "genres")


if __name__ == "__main__":
    main()
