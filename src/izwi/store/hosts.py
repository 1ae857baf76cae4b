"""What is remembered of each host: robots.txt, reservations, pauses, forms of its addresses."""

import json

from izwi.store.database import Database
from izwi.store.leads import Leads


class HostRecords(Database):
    """The table of hosts."""

    _leads: Leads

    def host_id(self, host: str) -> int:
        """Return the number of a host, a new one if need be."""
        return self._leads.host_id(host)

    def robots(self, host: str) -> tuple[str, int, float] | None:
        """Return what a host's robots.txt said: text, status, when."""
        row = self._execute(
            "SELECT robots, robots_status, asked FROM hosts WHERE host = ?", (host,)
        ).fetchone()
        return None if row is None or row[1] is None else (row[0], row[1], row[2])

    def put_robots(self, host: str, text: str, status: int, asked: float) -> None:
        """Remember what a host's robots.txt said."""
        number = self.host_id(host)
        self._sql.of_host(
            host,
            "UPDATE hosts SET robots = ?, robots_status = ?, asked = ? WHERE id = ?",
            (text, status, asked, number),
        )

    def reservations(self, host: str) -> tuple[str, float]:
        """Return what a host's tdmrep.json said, and when it was asked (0: never)."""
        row = self._execute("SELECT tdm, tdm_asked FROM hosts WHERE host = ?", (host,)).fetchone()
        return ("", 0.0) if row is None else (row[0], row[1])

    def put_reservations(self, host: str, text: str, asked: float) -> None:
        """Remember what a host's tdmrep.json said."""
        number = self.host_id(host)
        put = "UPDATE hosts SET tdm = ?, tdm_asked = ? WHERE id = ?"
        self._sql.of_host(host, put, (text, asked, number))

    def pause(self, host: str) -> float:
        """Return until when a host wants to be left alone; 0 if it did not say."""
        row = self._execute("SELECT not_before FROM hosts WHERE host = ?", (host,)).fetchone()
        return 0.0 if row is None else float(row[0])

    def put_pause(self, host: str, until: float) -> None:
        """Remember how long a host wants to be left alone, beyond this run."""
        number = self.host_id(host)
        self._sql.of_host(host, "UPDATE hosts SET not_before = ? WHERE id = ?", (until, number))

    def forms(self, host: str) -> dict[str, str]:
        """Return which forms of URL a host was seen to prefer."""
        row = self._execute("SELECT forms FROM hosts WHERE host = ?", (host,)).fetchone()
        return dict(json.loads(row[0])) if row is not None and row[0] else {}

    def put_forms(self, host: str, forms: dict[str, str]) -> None:
        """Remember which forms of URL a host prefers."""
        number = self.host_id(host)
        put = "UPDATE hosts SET forms = ? WHERE id = ?"
        self._sql.of_host(host, put, (json.dumps(forms), number))
