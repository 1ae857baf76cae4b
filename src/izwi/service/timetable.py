"""When the next run by the clock begins."""

from datetime import datetime, timedelta

from izwi.config.schema import ScheduleSection


def next_run(daily: str, now: datetime) -> datetime:
    """Return the first moment after now at which the clock shows a time of day.

    >>> next_run("03:00", datetime(2026, 11, 16, 3, 0)).isoformat()
    '2026-11-17T03:00:00'
    """
    hour, minute = map(int, daily.split(":"))
    today = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
    return today if today > now else today + timedelta(days=1)


def is_due(schedule: ScheduleSection, before: datetime, now: datetime) -> bool:
    """Return whether the time of day has come since somebody last looked.

    >>> moments = datetime(2026, 11, 16, 2, 59, 50), datetime(2026, 11, 16, 3, 0, 10)
    >>> is_due(ScheduleSection("03:00"), *moments), is_due(ScheduleSection(), *moments)
    (True, False)
    """
    return bool(schedule.daily) and next_run(schedule.daily, before) <= now
