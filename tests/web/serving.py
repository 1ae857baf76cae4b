"""A real server for an application, and what tests and corpus agree on."""

import socket
import threading
from contextlib import contextmanager

import httpx
import uvicorn

from ..waiting import until

TOKEN = "tokên of a curator"
HOSTILE = "http://faults.example/script/%3Cimg%20src=x%20onerror=alert(5)%3E"


@contextmanager
def serving(app):
    """Serve an application from a thread and yield its address."""
    # asyncio sends small answers at once only on sockets that say they are TCP.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical", ws="none"))
    thread = threading.Thread(target=lambda: server.run(sockets=[listener]), daemon=True)
    thread.start()
    try:
        until(lambda: server.started or not thread.is_alive())
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


@contextmanager
def asking(app):
    """Serve an application and yield a client for it."""
    with (
        serving(app) as address,
        httpx.Client(base_url=address, trust_env=False, timeout=120) as client,
    ):
        yield client
