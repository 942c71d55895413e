"""Sends any operation of the API by its method and path."""

from __future__ import annotations

import json
import os
import platform
import re
import ssl
import uuid
from dataclasses import dataclass
from datetime import date, datetime, timezone
from typing import (
    TYPE_CHECKING,
    Any,
    BinaryIO,
    Callable,
    Dict,
    Generic,
    Iterator,
    List,
    Mapping,
    Optional,
    Sequence,
    Tuple,
    TypedDict,
    TypeVar,
    Union,
    cast,
)
from urllib.parse import quote, urlencode

from ._transport import Attempts, Body, Headers, RawResponse, Request, Stop, Stream, Transport
from ._version import __version__
from .errors import ConnectionError, DocumentServiceError
from .types import Pagination

if TYPE_CHECKING:
    from typing_extensions import Unpack

T = TypeVar("T")

ApiKey = Union[str, Callable[[], str]]
"""An API key, or a function that returns one and is called before every request."""

Version = Union[int, str, None]
"""The number of a version, or the `etag` of a response."""

RawBody = Union[bytes, str, BinaryIO, "os.PathLike[str]"]
"""A body that is sent unchanged: bytes, text, a file opened with `"rb"`, or the path of a file."""


@dataclass(frozen=True)
class RateLimit:
    """The rate-limit window with the fewest remaining requests."""

    limit: int
    remaining: int
    reset: datetime


@dataclass(frozen=True)
class Response:
    """What a response contains besides its data."""

    status: int
    headers: Mapping[str, str]
    meta: Mapping[str, Any]
    """`requestId`, `timestamp`, and for lists `pagination`."""
    request_id: Optional[str]
    etag: Optional[str]
    rate_limit: Optional[RateLimit]
    """None if no limit applies, or if a proxy removed the headers."""


class CallOptions(TypedDict, total=False):
    """Options of every call."""

    timeout: float
    """Seconds for an attempt, including its whole response. 0 means no limit."""
    max_retries: int
    headers: Mapping[str, str]
    on_response: Callable[[Response], object]
    """Receives the metadata of each successful response, such as its request ID."""


class _InternalOptions(CallOptions, total=False):
    stop: Stop


class Api:
    """Sends any operation. `DocumentService` has a method for each."""

    def __init__(
        self,
        base_url: Optional[str] = None,
        api_key: Optional[ApiKey] = None,
        *,
        timeout: float = 60.0,
        max_retries: int = 3,
        retry_delay: float = 0.5,
        max_retry_delay: float = 60.0,
        headers: Optional[Mapping[str, str]] = None,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        """See `DocumentService`."""
        url = (base_url if base_url is not None else os.environ.get("DOCUMENT_SERVICE_URL", "")).strip()
        key = api_key if api_key is not None else os.environ.get("DOCUMENT_SERVICE_KEY", "")
        _check_present(url, key)
        if isinstance(key, str):
            _valid_key(key)
        self._key: ApiKey = key
        self._timeout = timeout
        self._max_retries = max_retries
        self._headers = dict(headers or {})
        self._base_url = re.sub(r"/+$", "", url)
        self._transport = Transport(
            url, retry_delay=retry_delay, max_retry_delay=max_retry_delay, ssl_context=ssl_context
        )

    @property
    def base_url(self) -> str:
        return self._base_url

    def __repr__(self) -> str:
        return f"{type(self).__name__}(base_url={self._base_url!r})"

    def close(self) -> None:
        """Closes idle connections. The client can still be used."""
        self._transport.close()

    def request(
        self,
        method: str,
        path: str,
        *,
        path_params: Optional[Mapping[str, Union[str, int]]] = None,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        content_type: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        if_match: Version = None,
        if_none_match: Version = None,
        **options: Unpack[_InternalOptions],
    ) -> Any:
        """Sends any operation and returns its data.

        `client.request("GET", "/v1/documents/{id}", path_params={"id": id})`
        """
        data, _ = self.exchange(
            method,
            path,
            path_params=path_params,
            query=query,
            body=body,
            content_type=content_type,
            idempotency_key=idempotency_key,
            if_match=if_match,
            if_none_match=if_none_match,
            **options,
        )
        return data

    def exchange(
        self,
        method: str,
        path: str,
        *,
        path_params: Optional[Mapping[str, Union[str, int]]] = None,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        content_type: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        if_match: Version = None,
        if_none_match: Version = None,
        **options: Unpack[_InternalOptions],
    ) -> Tuple[Any, Response]:
        """Sends any operation. Returns its data, and the metadata of the response."""
        method = method.upper()
        with _encoded(body, content_type) as (encoded, encoded_type):
            request = Request(
                method,
                self._target(path, path_params, query),
                {
                    **({} if encoded_type is None else {"Content-Type": encoded_type}),
                    **self._request_headers(method, options, idempotency_key, if_match, if_none_match),
                },
                encoded,
            )
            _set_length(request)
            raw = self._transport.send(request, self._attempts(options))
        data, meta = _content_of(raw)
        response = _response_of(raw, meta)
        if on_response := options.get("on_response"):
            on_response(response)
        return data, response

    def stream(
        self,
        path: str,
        *,
        path_params: Optional[Mapping[str, Union[str, int]]] = None,
        query: Optional[Mapping[str, Any]] = None,
        **options: Unpack[_InternalOptions],
    ) -> Stream:
        """Sends a GET whose response is read as it arrives."""
        headers = self._request_headers("GET", options, None, None, None)
        request = Request("GET", self._target(path, path_params, query), headers)
        raw = self._transport.send(request, self._attempts(options), is_stream=True)
        if on_response := options.get("on_response"):
            on_response(_response_of(raw, {}))
        assert raw.stream is not None
        return raw.stream

    def _target(
        self,
        path: str,
        path_params: Optional[Mapping[str, Union[str, int]]],
        query: Optional[Mapping[str, Any]],
    ) -> str:
        params = path_params or {}

        def segment(match: re.Match[str]) -> str:
            return _segment(match[1], params)

        target = self._transport.prefix + re.sub(r"\{(\w+)\}", segment, path)
        text = _query_string(query or {})
        return f"{target}?{text}" if text else target

    def _request_headers(
        self,
        method: str,
        options: _InternalOptions,
        idempotency_key: Optional[str],
        if_match: Version,
        if_none_match: Version,
    ) -> Dict[str, str]:
        key = self._key if isinstance(self._key, str) else self._key()
        headers = {
            "Accept": "application/json, */*;q=0.5",
            "User-Agent": f"document-service-python/{__version__} Python/{platform.python_version()}",
        }
        _set_headers(headers, self._headers)
        _set_headers(headers, {"Authorization": f"Bearer {_valid_key(key)}"})
        if if_match is not None:
            headers["If-Match"] = _entity_tag(if_match)
        if if_none_match is not None:
            headers["If-None-Match"] = _entity_tag(if_none_match)
        if method == "POST":
            headers["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
        _set_headers(headers, options.get("headers", {}))
        return headers

    def _attempts(self, options: _InternalOptions) -> Attempts:
        return Attempts(
            timeout=options.get("timeout", self._timeout),
            max_retries=options.get("max_retries", self._max_retries),
            stop=options.get("stop"),
        )


class Resource:
    """A group of operations."""

    def __init__(self, api: Api) -> None:
        self._api = api


class Page(Generic[T]):
    """A page of items."""

    def __init__(
        self,
        data: List[T],
        pagination: Pagination,
        response: Response,
        read_next: Callable[[Dict[str, Any]], Page[T]],
    ) -> None:
        self.data = data
        self.pagination = pagination
        self.response = response
        self._read_next = read_next

    @property
    def total(self) -> int:
        """The number of items on all pages."""
        return self.pagination["total"]

    @property
    def has_more(self) -> bool:
        return self.pagination["hasMore"]

    def next(self) -> Optional[Page[T]]:
        """Returns the next page, or None if this is the last one."""
        place = _place_after(self.pagination)
        return None if place is None else self._read_next(place)

    def __iter__(self) -> Iterator[T]:
        return iter(self.data)

    def __len__(self) -> int:
        return len(self.data)

    def __repr__(self) -> str:
        return f"Page({len(self.data)} of {self.total} items)"


class ItemList(Generic[T]):
    """A list of the API. Iterate over it to get all items: pages are requested when the loop reaches them.

    Sends no request before that.
    """

    def __init__(self, read: Callable[[Dict[str, Any]], Page[T]]) -> None:
        self._read = read

    def page(self) -> Page[T]:
        """Requests the first page."""
        return self._read({})

    def pages(self) -> Iterator[Page[T]]:
        page: Optional[Page[T]] = self.page()
        while page is not None:
            yield page
            page = page.next()

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from page

    def first(self, count: int) -> List[T]:
        """Returns the first `count` items."""
        items: List[T] = []
        if count <= 0:
            return items
        for item in self:
            items.append(item)
            if len(items) == count:
                break
        return items

    def __repr__(self) -> str:
        return "ItemList(iterate over it, or call page())"


def list_of(
    api: Api,
    path: str,
    path_params: Mapping[str, Union[str, int]],
    query: Mapping[str, Any],
    **options: Unpack[_InternalOptions],
) -> ItemList[Any]:
    """Reads any list page by page."""

    def read(place: Dict[str, Any]) -> Page[Any]:
        # A list that started with `after` continues with `after`.
        if place and query.get("after") is not None:
            place = {"after": place.get("cursor")}
        data, response = api.exchange(
            "GET", path, path_params=path_params, query={**query, **place}, **options
        )
        if not isinstance(data, list):
            raise ConnectionError(
                "The response is not a list of the service. Check DOCUMENT_SERVICE_URL or base_url."
            )
        items = cast(List[Any], data)
        default: Pagination = {
            "limit": len(items),
            "total": len(items),
            "hasMore": False,
            "nextCursor": None,
        }
        return Page(items, response.meta.get("pagination", default), response, read)

    return ItemList(read)


def _place_after(pagination: Pagination) -> Optional[Dict[str, Any]]:
    """Prefers the cursor, which concurrent changes do not affect. Orders without cursors use page numbers."""
    if not pagination["hasMore"]:
        return None
    if pagination["nextCursor"]:
        return {"cursor": pagination["nextCursor"], "page": None}
    page = pagination.get("page")
    return None if page is None else {"page": page + 1}


def _check_present(url: str, key: ApiKey) -> None:
    missing: List[str] = []
    if not url:
        missing.append("its URL (DOCUMENT_SERVICE_URL, or base_url)")
    if not key:
        missing.append("an API key (DOCUMENT_SERVICE_KEY, or api_key)")
    if missing:
        raise DocumentServiceError(
            f"To call the Document Service, set {' and '.join(missing)}."
        )


def _valid_key(key: str) -> str:
    """Returns the key without spaces around it. The error does not contain the key."""
    trimmed = key.strip()
    if re.fullmatch(r"[\x21-\x7e]+", trimmed):
        return trimmed
    raise DocumentServiceError(
        "The API key is empty or contains characters that no key has. "
        "Copy it again, without quotation marks or spaces."
    )


def _set_headers(headers: Dict[str, str], others: Mapping[str, str]) -> None:
    """Replaces headers of the same name in any case. Otherwise, both would be sent."""
    names = {name.lower() for name in others}
    for name in [name for name in headers if name.lower() in names]:
        del headers[name]
    headers.update(others)


def _entity_tag(version: Union[int, str]) -> str:
    return f'"{version}"' if isinstance(version, int) else version


def _segment(name: str, params: Mapping[str, Union[str, int]]) -> str:
    value = str(params[name]) if name in params else ""
    if value in ("", ".", ".."):
        # They would address another resource.
        raise ValueError(f"{name} must not be {value!r}.")
    return quote(value, safe="")


def _query_string(query: Mapping[str, Any]) -> str:
    """Lists repeat the name. Members of objects are appended with a dot: `metadata.region=eu`."""
    return urlencode(list(_query_items("", query)), quote_via=quote)


def _query_items(prefix: str, query: Mapping[str, Any]) -> Iterator[Tuple[str, str]]:
    for name, value in query.items():
        yield from _query_item(prefix + name, value)


def _query_item(name: str, value: Any) -> Iterator[Tuple[str, str]]:
    if value is None:
        return
    if isinstance(value, Mapping):
        yield from _query_items(f"{name}.", cast(Mapping[str, Any], value))
    elif isinstance(value, (list, tuple, set, frozenset)):
        for item in cast(Sequence[Any], value):
            yield from _query_item(name, item)
    else:
        yield name, _query_text(name, value)


def _query_text(name: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError(f"{name} needs a time zone: datetime.now(timezone.utc).")
        return value.isoformat()
    if isinstance(value, date):
        return value.isoformat()
    return json.dumps(value)


class _encoded:
    """The bytes or the file that a body is sent as, with its content type. Closes files that it opened."""

    def __init__(self, body: Any, content_type: Optional[str]) -> None:
        self._body = body
        self._content_type = content_type
        self._opened: Optional[BinaryIO] = None

    def __enter__(self) -> Tuple[Body, Optional[str]]:
        body, content_type = self._body, self._content_type
        if body is None:
            return None, None
        if content_type is None:
            return _json_bytes(body), "application/json"
        if isinstance(body, str):
            return body.encode(), content_type
        if isinstance(body, (bytes, bytearray, memoryview)):
            return bytes(cast(bytes, body)), content_type
        if isinstance(body, os.PathLike):
            self._opened = open(cast("os.PathLike[str]", body), "rb")
            return self._opened, content_type
        return _rewindable(body), content_type

    def __exit__(self, *_: object) -> None:
        if self._opened is not None:
            self._opened.close()


def _rewindable(file: Any) -> Body:
    """A retry sends the file again."""
    if hasattr(file, "seekable") and file.seekable():
        return cast(BinaryIO, file)
    if hasattr(file, "read"):
        content: object = file.read()
        return content.encode() if isinstance(content, str) else cast(bytes, content)
    raise TypeError("The body must be bytes, text, a file opened with \"rb\", or a path.")


def _set_length(request: Request) -> None:
    """Without it, http.client sends files in chunks."""
    body = request.body
    if body is None:
        if request.method in ("POST", "PUT", "PATCH"):
            request.headers["Content-Length"] = "0"
    elif isinstance(body, bytes):
        request.headers["Content-Length"] = str(len(body))
    else:
        request.headers["Content-Length"] = str(body.seek(0, os.SEEK_END))


def _json_bytes(body: Any) -> bytes:
    try:
        return json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_json_default).encode()
    except UnicodeEncodeError:
        # Half of a surrogate pair. The service says where it is.
        return json.dumps(body, allow_nan=False, default=_json_default).encode()


def _json_default(value: object) -> object:
    if isinstance(value, (date, datetime)):
        return _query_text("A time", value)
    if isinstance(value, Mapping):
        return dict(cast(Mapping[str, Any], value))
    raise TypeError(f"{type(value).__name__} is not JSON.")


def _content_of(raw: RawResponse) -> Tuple[Any, Dict[str, Any]]:
    """Returns JSON without its envelope, text, or the bytes of a file."""
    if raw.status == 304:
        return None, {}
    content_type = raw.headers.get("Content-Type", "")
    if re.match(r"application/([\w.-]+\+)?json\b", content_type):
        return _without_envelope(raw, content_type)
    _check_sender(raw, content_type)
    if content_type.startswith("text/plain"):
        return raw.body.decode("utf-8", "replace"), {}
    return raw.body, {}


def _check_sender(raw: RawResponse, content_type: str) -> None:
    if "X-Request-Id" not in raw.headers:
        raise ConnectionError(
            f"The response ({content_type or 'no content type'}) is not from the service. "
            "Check DOCUMENT_SERVICE_URL or base_url."
        )


def _without_envelope(raw: RawResponse, content_type: str) -> Tuple[Any, Dict[str, Any]]:
    try:
        body: Any = json.loads(raw.body)
    except (ValueError, RecursionError) as error:
        raise ConnectionError("The response is not valid JSON.") from error
    if isinstance(body, dict):
        envelope = cast(Dict[str, Any], body)
        if envelope.get("success") is True and "data" in envelope:
            meta: object = envelope.get("meta")
            return envelope["data"], cast(Dict[str, Any], meta) if isinstance(meta, dict) else {}
    _check_sender(raw, content_type)
    return cast(Any, body), {}


def _response_of(raw: RawResponse, meta: Dict[str, Any]) -> Response:
    headers = raw.headers
    return Response(
        status=raw.status,
        headers=headers,
        meta=meta,
        request_id=headers.get("X-Request-Id", meta.get("requestId")),
        etag=headers.get("ETag"),
        rate_limit=_rate_limit_of(headers),
    )


def _rate_limit_of(headers: Headers) -> Optional[RateLimit]:
    values = [headers.get(f"X-RateLimit-{name}", "") for name in ("Limit", "Remaining", "Reset")]
    if not all(re.fullmatch(r"[0-9]{1,12}", value) for value in values):
        return None
    limit, remaining, reset = map(int, values)
    return RateLimit(limit, remaining, datetime.fromtimestamp(reset, timezone.utc))
