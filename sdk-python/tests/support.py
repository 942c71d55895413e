"""A server that responds as a test says."""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, List, Optional, Union

from document_service import DocumentService


@dataclass
class Seen:
    method: str
    path: str
    headers: Dict[str, str]
    body: bytes
    at: float
    connection: object


@dataclass
class StubResponse:
    status: int = 200
    body: Union[bytes, str] = b""
    headers: Dict[str, str] = field(default_factory=lambda: {})
    delay: float = 0
    """Seconds before the response."""
    fault: str = ""
    """`reset`: no response. `cut`: the connection closes in the middle of the response."""
    parts: Optional[Callable[[], Any]] = None
    """Yields a body that is sent in pieces. Closes the connection at its end."""


def data(value: Any, status: int = 200, **meta: Any) -> StubResponse:
    body = {"success": True, "data": value, "meta": {"requestId": "req_1", **meta}}
    headers = {"Content-Type": "application/json; charset=utf-8", "X-Request-Id": "req_1"}
    return StubResponse(status, json.dumps(body), headers)


def failure(status: int, code: str, details: Any = None, **headers: str) -> StubResponse:
    error: Any = {"code": code, "message": f"Failed with {code}.", "details": details or {}}
    body: Any = {"success": False, "error": error, "meta": {"requestId": "req_9"}}
    return StubResponse(status, json.dumps(body), {"Content-Type": "application/json", **headers})


def page(items: List[Any], cursor: Optional[str] = None, has_more: bool = False) -> StubResponse:
    pagination = {"limit": 2, "total": 5, "hasMore": has_more, "nextCursor": cursor}
    return data(items, pagination=pagination)


class Server:
    """Responds to requests in the given order, and repeats the last response."""

    def __init__(self, *responses: Union[StubResponse, Callable[[Seen], StubResponse]]) -> None:
        self.seen: List[Seen] = []
        self._responses = list(responses)
        self._lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, format: str, *args: Any) -> None:
                pass

            def _handle(self) -> None:
                length = int(self.headers.get("Content-Length", "0"))
                headers = {name.lower(): value for name, value in self.headers.items()}
                body = self.rfile.read(length)
                seen = Seen(
                    self.command, self.path, headers, body, time.monotonic(), self.connection
                )
                outer.respond(self, outer.take(seen))

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _handle

        class Quiet(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request: Any, client_address: Any) -> None:
                pass

        self._http = Quiet(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"
        threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True).start()

    def client(self, **options: Any) -> DocumentService:
        options.setdefault("retry_delay", 0.01)
        return DocumentService(self.url, "ds_live_secret", **options)

    def take(self, seen: Seen) -> StubResponse:
        with self._lock:
            self.seen.append(seen)
            response = self._responses.pop(0) if len(self._responses) > 1 else self._responses[0]
        return response if isinstance(response, StubResponse) else response(seen)

    def respond(self, handler: BaseHTTPRequestHandler, response: StubResponse) -> None:
        time.sleep(response.delay)
        if response.fault == "reset":
            linger = struct.pack("ii", 1, 0)
            handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            handler.connection.close()
            handler.close_connection = True
            return
        body = response.body.encode() if isinstance(response.body, str) else response.body
        handler.send_response(response.status)
        for name, value in response.headers.items():
            handler.send_header(name, value)
        if response.parts is not None:
            handler.send_header("Connection", "close")
            handler.end_headers()
            for part in response.parts():
                handler.wfile.write(part)
                handler.wfile.flush()
            handler.close_connection = True
            return
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        if response.fault == "cut":
            body = body[: len(body) // 2]
            handler.close_connection = True
        handler.wfile.write(body)

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
