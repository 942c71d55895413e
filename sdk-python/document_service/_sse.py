"""Server-sent events, as in the HTML standard."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Iterator, List, Optional

from ._transport import Stream


@dataclass
class Message:
    type: str
    data: str
    id: Optional[str]
    retry: Optional[float]
    """Seconds before reconnecting, if the service sets it."""


def messages_of(stream: Stream, silence: float) -> Iterator[Message]:
    """Yields the messages of a response until it ends.

    Raises `ConnectionError` if the connection breaks, or if nothing arrives for `silence` seconds, not even a
    heartbeat.
    """
    block: List[str] = []
    try:
        for line in stream.lines(silence):
            if line:
                block.append(line)
                continue
            message = _message_of(block)
            block = []
            if message is not None:
                yield message
    finally:
        # Also runs when the consumer stops iterating.
        stream.close()


def _message_of(block: List[str]) -> Optional[Message]:
    """Returns None for a block of comments."""
    message = Message("message", "", None, None)
    data: List[str] = []
    is_empty = True
    for line in block:
        field, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if field not in ("data", "event", "id", "retry"):
            continue
        is_empty = False
        if field == "data":
            data.append(value)
        elif field == "event":
            message.type = value
        elif field == "id":
            message.id = value
        elif re.fullmatch(r"[0-9]+", value):
            message.retry = int(value) / 1000
    message.data = "\n".join(data)
    return None if is_empty else message
