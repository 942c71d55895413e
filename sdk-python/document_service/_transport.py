"""Sends requests over persistent connections, and retries them."""

from __future__ import annotations

import http.client
import io
import os
import random
import select
import socket
import ssl
import threading
import time
import weakref
from dataclasses import dataclass, field
from typing import (
    Any,
    BinaryIO,
    Dict,
    Iterator,
    List,
    Mapping,
    Optional,
    Sequence,
    Tuple,
    Union,
    cast,
)
from urllib.parse import SplitResult, quote, urlsplit

from .errors import (
    ApiError,
    ConnectionError,
    DocumentServiceError,
    TimeoutError,
    api_error,
)

_LONGEST_DELAY = 8.0
_SPREAD = 0.25
"""Maximum jitter added to `Retry-After`, in seconds."""
_MAX_IDLE_CONNECTIONS = 16
_MAX_IDLE_SECONDS = 30.0
_UNCERTAIN_STATUSES = (502, 503, 504)

Body = Union[bytes, BinaryIO, None]


class Headers(Mapping[str, str]):
    """Headers of a response. Names are case-insensitive."""

    def __init__(self, items: Sequence[Tuple[str, str]] = ()) -> None:
        self._items: Dict[str, Tuple[str, str]] = {}
        for name, value in items:
            before = self._items.get(name.lower())
            whole = f"{before[1]}, {value}" if before else value
            self._items[name.lower()] = (name, whole)

    def __getitem__(self, name: str) -> str:
        return self._items[name.lower()][1]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name.lower() in self._items

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self._items.values())

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        return repr(dict(self.items()))


class Stopped(Exception):
    """The caller ended the request. Never leaves this package."""


class Stop:
    """Ends a request, its stream and its pauses. `set` may be called from any thread or signal handler."""

    def __init__(self) -> None:
        self._is_set = False
        self._socket: Optional[socket.socket] = None

    @property
    def is_set(self) -> bool:
        return self._is_set

    def set(self) -> None:
        self._is_set = True
        watched = self._socket
        if watched is not None:
            try:
                # Wakes the thread that reads from the connection.
                watched.shutdown(socket.SHUT_RDWR)
            except (OSError, ValueError):
                pass

    def watch(self, watched: socket.socket) -> None:
        self._socket = watched
        self.check()

    def watch_nothing(self) -> None:
        self._socket = None

    def check(self) -> None:
        if self._is_set:
            raise Stopped


def pause(seconds: float, stop: Optional[Stop] = None) -> None:
    """Sleeps. Raises `Stopped` within 100 ms of `stop`."""
    if stop is None:
        time.sleep(seconds)
        return
    end = time.monotonic() + seconds
    stop.check()
    while (left := end - time.monotonic()) > 0:
        time.sleep(min(left, 0.1))
        stop.check()


class Deadline:
    """The time at which an attempt fails. `seconds` of 0 means never."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = time.monotonic() + seconds

    def left(self) -> Optional[float]:
        """Returns a timeout for the next operation of a socket. Raises if the time is over."""
        if self.seconds <= 0:
            return None
        left = self._end - time.monotonic()
        if left <= 0:
            raise socket.timeout
        return left


class _Reader(io.RawIOBase):
    """Reads from a socket. The deadline covers the whole response, however slowly it arrives."""

    def __init__(self, raw: Any, connected: socket.socket, connection: _Connection) -> None:
        self._raw = raw
        self._connected = connected
        self._connection = connection

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> Optional[int]:
        self._connected.settimeout(self._connection.read_timeout())
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Source:
    """A socket, as `http.client` reads a response from it."""

    def __init__(self, connected: socket.socket, connection: _Connection) -> None:
        self._connected = connected
        self._connection = connection

    def makefile(self, _mode: str) -> io.BufferedReader:
        raw = self._connected.makefile("rb", buffering=0)
        return io.BufferedReader(_Reader(raw, self._connected, self._connection))


class _Connection:
    """A persistent connection, used by one request at a time."""

    def __init__(self, host: str, port: int, context: Optional[ssl.SSLContext]) -> None:
        self.http: http.client.HTTPConnection = (
            http.client.HTTPConnection(host, port)
            if context is None
            else http.client.HTTPSConnection(host, port, context=context)
        )
        self.http.response_class = self._response  # type: ignore[assignment]
        self.is_reused = False
        self.idle_since = 0.0
        self.deadline = Deadline(0)
        self.silence: Optional[float] = None
        """Timeout of a stream for each read. Replaces the deadline."""

    def _response(self, connected: Any, *args: Any, **kwargs: Any) -> http.client.HTTPResponse:
        source: Any = _Source(connected, self)
        return http.client.HTTPResponse(source, *args, **kwargs)

    def read_timeout(self) -> Optional[float]:
        return self.silence if self.silence is not None else self.deadline.left()

    def open(self) -> socket.socket:
        """Connects if necessary. Returns the socket."""
        if self.http.sock is None:
            self.http.timeout = self.deadline.left()
            self.http.connect()
        connected = cast(socket.socket, self.http.sock)
        connected.settimeout(self.deadline.left())
        return connected

    def is_usable(self) -> bool:
        """Returns false if the other side has closed the idle connection."""
        connected = self.http.sock
        if connected is None or time.monotonic() - self.idle_since > _MAX_IDLE_SECONDS:
            return False
        try:
            # An idle connection is readable only when it was closed.
            return not select.select([connected], [], [], 0)[0]
        except (OSError, ValueError):
            # `select` does not take file numbers above 1023.
            return False

    def close(self) -> None:
        self.http.close()


class _Pool:
    """Idle connections to one origin."""

    def __init__(self, host: str, port: int, context: Optional[ssl.SSLContext]) -> None:
        self._origin = (host, port, context)
        self._lock = threading.Lock()
        self._idle: List[_Connection] = []
        self._process = os.getpid()

    def take(self) -> _Connection:
        if self._process != os.getpid():
            # The parent process uses these connections too.
            self._lock, self._idle, self._process = threading.Lock(), [], os.getpid()
        while True:
            with self._lock:
                connection = self._idle.pop() if self._idle else None
            if connection is None:
                return _Connection(*self._origin)
            if connection.is_usable():
                connection.is_reused = True
                return connection
            connection.close()

    def give_back(self, connection: _Connection) -> None:
        connection.idle_since = time.monotonic()
        with self._lock:
            if len(self._idle) < _MAX_IDLE_CONNECTIONS:
                self._idle.append(connection)
                return
        connection.close()

    def clear(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()


@dataclass
class Request:
    method: str
    target: str
    """Path with query."""
    headers: Dict[str, str] = field(repr=False)
    body: Body = field(default=None, repr=False)


@dataclass
class Attempts:
    """How a request is sent."""

    timeout: float
    max_retries: int
    stop: Optional[Stop] = None


class RawResponse:
    """A response whose body is either complete or a stream."""

    def __init__(
        self,
        status: int,
        reason: str,
        headers: Headers,
        body: bytes,
        stream: Optional[Stream] = None,
    ) -> None:
        self.status = status
        self.reason = reason
        self.headers = headers
        self.body = body
        self.stream = stream


class Stream:
    """The body of a response that arrives over time."""

    def __init__(
        self, response: http.client.HTTPResponse, connection: _Connection, stop: Optional[Stop]
    ) -> None:
        self._response = response
        self._connection = connection
        self._stop = stop

    def lines(self, silence: float) -> Iterator[str]:
        """Yields lines until the response ends. Raises `ConnectionError` after `silence` seconds without data."""
        self._connection.silence = silence
        while line := self._guarded(self._response.readline):
            yield line.decode("utf-8", "replace").rstrip("\r\n")

    def blocks(self) -> Iterator[bytes]:
        """Yields the bytes of a file."""
        while block := self._guarded(lambda: self._response.read(65_536)):
            yield block
        if self._response.length:
            raise ConnectionError("The connection closed in the middle of the response.")

    def close(self) -> None:
        if self._stop is not None:
            self._stop.watch_nothing()
        self._response.close()
        self._connection.close()

    def _guarded(self, read: Any) -> bytes:
        try:
            data: bytes = read()
        except socket.timeout as error:
            seconds = self._connection.silence or self._connection.deadline.seconds
            raise ConnectionError(f"The stream sent nothing for {seconds:g} s.") from error
        except (OSError, ValueError, http.client.HTTPException) as error:
            self._check_stop()
            raise ConnectionError("The stream was interrupted.") from error
        self._check_stop()
        return data

    def _check_stop(self) -> None:
        if self._stop is not None:
            self._stop.check()


class Transport:
    """Sends requests to one service. Threads can share it."""

    def __init__(
        self,
        base_url: str,
        *,
        retry_delay: float,
        max_retry_delay: float,
        ssl_context: Optional[ssl.SSLContext],
    ) -> None:
        url = _service_url(base_url)
        self.prefix = url.path
        is_tls = url.scheme == "https"
        self.origin = f"{url.scheme}://{url.netloc}"
        self._retry_delay = retry_delay
        self._max_retry_delay = max_retry_delay
        context = (ssl_context or ssl.create_default_context()) if is_tls else None
        self._pool = _Pool(url.hostname or "", url.port or (443 if is_tls else 80), context)
        # Not `__del__`: a client is part of a cycle, whose sockets may be collected first.
        weakref.finalize(self, self._pool.clear)

    def close(self) -> None:
        """Closes idle connections."""
        self._pool.clear()

    def send(self, request: Request, how: Attempts, is_stream: bool = False) -> RawResponse:
        """Returns only successful responses and 304. Raises all others as errors."""
        uncertain = False
        attempts = 0
        while True:
            attempts += 1
            outcome = self._try(request, how, is_stream, attempts)
            if isinstance(outcome, ConnectionError):
                uncertain = True
                failure: Union[ApiError, ConnectionError] = outcome
            elif 200 <= outcome.status < 300 or outcome.status == 304:
                return outcome
            else:
                uncertain = uncertain or outcome.status in _UNCERTAIN_STATUSES
                failure = self._failure(outcome, attempts, uncertain)
            delay = self._delay_before(attempts, failure)
            is_last = attempts > how.max_retries or delay > self._max_retry_delay
            if is_last or not _is_passing(failure):
                raise failure
            pause(delay, how.stop)

    def _try(
        self, request: Request, how: Attempts, is_stream: bool, attempts: int
    ) -> Union[RawResponse, ConnectionError]:
        try:
            return self._once(request, how, is_stream)
        except socket.timeout as error:
            failure = TimeoutError(f"No response within {how.timeout:g} s.", attempts)
            failure.__cause__ = error
        except (OSError, http.client.HTTPException) as error:
            if how.stop is not None:
                how.stop.check()
            reason = str(error).strip() or type(error).__name__
            failure = ConnectionError(f"No response from {self.origin}: {reason}", attempts)
            failure.__cause__ = error
        return failure

    def _once(self, request: Request, how: Attempts, is_stream: bool) -> RawResponse:
        connection = self._pool.take()
        connection.deadline, connection.silence = Deadline(how.timeout), None
        response: Optional[http.client.HTTPResponse] = None
        is_handed_out = False
        is_reusable = False
        try:
            response = self._exchange(request, connection, how.stop)
            headers = Headers(response.getheaders())
            if is_stream and 200 <= response.status < 300:
                is_handed_out = True
                stream = Stream(response, connection, how.stop)
                return RawResponse(response.status, response.reason, headers, b"", stream)
            body = response.read()
            is_reusable = not response.will_close
            return RawResponse(response.status, response.reason, headers, body)
        finally:
            if not is_handed_out:
                if response is not None:
                    response.close()
                self._release(connection, how.stop, is_reusable)

    def _exchange(
        self, request: Request, connection: _Connection, stop: Optional[Stop]
    ) -> http.client.HTTPResponse:
        body = request.body
        if body is not None and not isinstance(body, bytes):
            body.seek(0)
        connected = connection.open()
        if stop is not None:
            stop.watch(connected)
        try:
            connection.http.request(request.method, request.target, body, request.headers)
        except (BrokenPipeError, ConnectionResetError):
            # The service may have responded and closed the connection before it read the whole body.
            return connection.http.getresponse()
        return connection.http.getresponse()

    def _release(self, connection: _Connection, stop: Optional[Stop], is_reusable: bool) -> None:
        if stop is not None:
            stop.watch_nothing()
        if is_reusable and not (stop is not None and stop.is_set):
            self._pool.give_back(connection)
        else:
            connection.close()
            if connection.is_reused:
                # The service was probably restarted, so the other connections are dead too.
                self._pool.clear()

    def _failure(
        self, response: RawResponse, attempts: int, uncertain: bool
    ) -> Union[ApiError, ConnectionError]:
        status, headers = response.status, response.headers
        location = headers.get("Location")
        if 300 <= status < 400 and location:
            # Following it could send the key to another server.
            raise DocumentServiceError(
                f"{self.origin} redirects to {location}. "
                "Set DOCUMENT_SERVICE_URL or base_url to the URL of the service itself."
            )
        return api_error(
            status, response.reason, headers, response.body, attempts=attempts, uncertain=uncertain
        )

    def _delay_before(self, attempts: int, failure: Union[ApiError, ConnectionError]) -> float:
        """Returns a delay with jitter, so clients that failed together do not retry together."""
        if isinstance(failure, ApiError) and failure.retry_after is not None:
            return failure.retry_after + random.random() * _SPREAD
        longest = min(self._retry_delay * 2.0 ** (attempts - 1), _LONGEST_DELAY)
        return longest * (0.5 + random.random() / 2)


def _is_passing(failure: Union[ApiError, ConnectionError]) -> bool:
    """Returns true if a retry may succeed.

    All requests are idempotent: a POST has an idempotency key, and PATCH, PUT and DELETE describe the result.
    """
    if isinstance(failure, ConnectionError):
        return not isinstance(failure.__cause__, ssl.SSLCertVerificationError)
    if failure.status == 409:
        # An earlier attempt with this idempotency key is still running.
        return failure.retry_after is not None
    return failure.status in (429, 502, 503, 504)


def _service_url(base_url: str) -> SplitResult:
    """Returns the URL without a trailing slash or `/v1`. Raises if it is not a URL of a service."""
    try:
        url = urlsplit(base_url)
        is_valid = url.scheme in ("http", "https") and bool(url.hostname) and url.port != 0
    except ValueError:
        is_valid, url = False, urlsplit("")
    if not is_valid or "@" in url.netloc or url.query or url.fragment:
        raise DocumentServiceError(
            f"The URL of the service is invalid: {_without_password(base_url)!r}. Set DOCUMENT_SERVICE_URL "
            "or pass base_url, such as http://localhost:3000."
        )
    path = url.path.rstrip("/")
    path = path[: -len("/v1")] if path.endswith("/v1") else path
    # Keeps what is already encoded.
    return url._replace(path=quote(path.rstrip("/"), safe="/%:@!$&'()*+,;=~"))


def _without_password(url: str) -> str:
    start, separator, rest = url.rpartition("@")
    return f"…{separator}{rest}" if start else url
