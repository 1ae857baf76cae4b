"""Serve the demo web until somebody stops it: `python -m izwi.demoweb [--port N] [--delay S]`."""

import argparse
import signal
import threading
from types import FrameType

from izwi.demoweb.server import DemoWeb


def main() -> None:
    """Serve, and say where."""
    parser = _parser()
    arguments = parser.parse_args()
    try:
        serve_until_stopped(DemoWeb(arguments.port, delay=arguments.delay))
    except (OSError, ValueError) as error:
        parser.error(str(error))


def serve_until_stopped(web: DemoWeb) -> None:
    """Serve until a signal comes; raise OSError if the port is taken."""
    stop = _stop_on_signals()
    web.start()
    print(f"The demo web answers as an HTTP proxy at {web.proxy_url}", flush=True)
    while not stop.wait(0.5):  # in steps, for Windows lets no signal into an endless wait
        pass
    web.stop()


def _stop_on_signals() -> threading.Event:
    stop = threading.Event()

    def ask_to_stop(number: int, frame: FrameType | None) -> None:
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, ask_to_stop)
    return stop


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m izwi.demoweb", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0, the default, takes a free one")
    parser.add_argument("--delay", type=float, default=0.0, help="seconds before each page")
    return parser


if __name__ == "__main__":
    main()
