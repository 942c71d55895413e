"""Follows events by polling or by a stream."""

from __future__ import annotations

import json
import random
from typing import (
    Any,
    Callable,
    Dict,
    Generic,
    Iterator,
    Optional,
    Sequence,
    TypeVar,
    Union,
    cast,
)

from ._api import Api, list_of
from ._sse import messages_of
from ._transport import Stop, Stopped, pause
from .errors import ApiError, ConnectionError
from .types import WebhookEvent

T = TypeVar("T")

_FIRST_PAUSE = 2.0
_LONGEST_PAUSE = 30.0


class Following(Generic[T]):
    """Items that arrive over time. Iterate over it, and end it with `break` or, from anywhere, with `close()`.

    `close()` may be called from another thread or from a signal handler. The loop then ends.
    """

    def __init__(self, start: Callable[[Stop], Iterator[T]]) -> None:
        self._stop = Stop()
        self._items = start(self._stop)

    def __iter__(self) -> Iterator[T]:
        return self

    def __next__(self) -> T:
        if self._stop.is_set:
            raise StopIteration
        try:
            return next(self._items)
        except Stopped:
            raise StopIteration from None

    def close(self) -> None:
        """Ends the loop. An open request ends too."""
        self._stop.set()

    def __enter__(self) -> Following[T]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def follow(
    api: Api,
    stop: Stop,
    *,
    after: str,
    types: Optional[Sequence[str]],
    document_id: Optional[str],
    limit: int,
    poll_seconds: float,
    max_poll_seconds: float,
    on_cursor: Optional[Callable[[str], object]],
) -> Iterator[Any]:
    query: Dict[str, Any] = {
        "type": None if types is None else list(types),
        "documentId": document_id,
        "limit": limit,
    }
    quiet = 0
    while True:
        page = _until_response(api, stop, {**query, "after": after})
        cursor = page.pagination["nextCursor"] or after
        last = len(page.data) - 1
        for index, event in enumerate(page.data):
            # An event ID is a cursor too. After the last event, the cursor of the page is further ahead.
            yield {**event, "cursor": cursor if index == last else event["id"]}
        if cursor != after and on_cursor is not None:
            on_cursor(cursor)
        after = cursor
        quiet = 0 if page.data or page.has_more else quiet + 1
        if not page.has_more:
            pause(min(poll_seconds * 2.0 ** max(quiet - 1, 0), max_poll_seconds), stop)


def stream(
    api: Api,
    stop: Stop,
    *,
    types: Optional[Sequence[str]],
    payload: Optional[str],
    last_event_id: Optional[str],
    silence: float,
) -> Iterator[WebhookEvent]:
    # Reads this first, so nothing is lost if the connection ends before the first event.
    last = last_event_id or _newest_place(api, stop, types)
    seconds = _FIRST_PAUSE
    failures = 0
    while True:
        reason: Union[ApiError, ConnectionError, None] = None
        try:
            opened = api.stream(
                "/v1/events/stream",
                query={"types": ",".join(types) if types else None, "payload": payload},
                headers={"Last-Event-ID": last},
                max_retries=0,
                stop=stop,
            )
            for message in messages_of(opened, silence):
                failures = 0
                seconds = seconds if message.retry is None else message.retry
                last = message.id or last
                if message.data:
                    yield cast(WebhookEvent, json.loads(message.data))
        except (ApiError, ConnectionError) as error:
            stop.check()
            reason = _passing(error)
        pause(_delay_after(failures, seconds, reason), stop)
        failures += 1


def _until_response(api: Api, stop: Stop, query: Dict[str, Any]) -> Any:
    """Retries the request until it succeeds. Raises permanent errors."""
    failures = 0
    while True:
        try:
            return list_of(api, "/v1/events", {}, query, stop=stop).page()
        except (ApiError, ConnectionError) as error:
            stop.check()
            pause(_delay_after(failures, _FIRST_PAUSE, _passing(error)), stop)
        failures += 1


def _newest_place(api: Api, stop: Stop, types: Optional[Sequence[str]]) -> str:
    """Returns the cursor after the newest event.

    Do not use the newest event of the list by time instead: an event that commits later can have an earlier time.
    """
    query = {"after": "now", "type": None if types is None else list(types), "limit": 1}
    page = _until_response(api, stop, query)
    return str(page.pagination["nextCursor"])


def _delay_after(
    failures: int, seconds: float, reason: Union[ApiError, ConnectionError, None]
) -> float:
    """Increases with each failure. Respects `Retry-After`."""
    longest = min(seconds * 2.0 ** min(failures, 10), _LONGEST_PAUSE)
    told = (reason.retry_after or 0) if isinstance(reason, ApiError) else 0
    return max(longest * (0.5 + random.random() / 2), told)


def _passing(error: Union[ApiError, ConnectionError]) -> Union[ApiError, ConnectionError]:
    """Returns a temporary error and raises any other."""
    if isinstance(error, ConnectionError) or error.status == 429 or error.status >= 500:
        return error
    raise error
