"""Writes a change only if the record still has the version that the change is based on."""

from __future__ import annotations

import random
from typing import Any, Callable, Dict, Mapping, Optional, Union, cast

from ._api import Version
from ._transport import pause
from .errors import ConflictError


_CONFLICTS = 10
_LONGEST_PAUSE = 0.1


def update_with(
    read: Callable[[], Any],
    write: Callable[[Any, Version], Any],
    change: Union[Mapping[str, Any], Callable[[Any], Optional[Mapping[str, Any]]]],
    if_match: Version,
    retry_on_conflict: Union[bool, int, None],
) -> Any:
    """Applies a change, or the result of a function that receives the stored record.

    After a conflict, reads the record again and applies the change to it, up to `retry_on_conflict`
    times. True means 10. The default is True for a function and False for a dict.
    """
    left = _retries(retry_on_conflict, callable(change))
    seen: Any = read() if callable(change) else None
    base: Version = if_match if if_match is not None or seen is None else seen["version"]
    while True:
        patch = change(seen) if callable(change) else change
        if patch is None:
            return seen
        try:
            return write(patch, base)
        except ConflictError as conflict:
            if conflict.status != 412 or (left <= 0 and not conflict.uncertain):
                raise
            seen = read()
            # The conflict may be with this change itself, if the response of an earlier attempt was lost.
            if conflict.uncertain and _is_written(patch, base, seen):
                return seen
            if left <= 0:
                raise
            base = seen["version"]
        left -= 1
        pause(random.random() * _LONGEST_PAUSE)


def _retries(retry_on_conflict: Union[bool, int, None], is_function: bool) -> int:
    wanted = is_function if retry_on_conflict is None else retry_on_conflict
    return _CONFLICTS if wanted is True else int(wanted)


def _is_written(patch: Mapping[str, Any], base: Version, stored: Mapping[str, Any]) -> bool:
    number = str(base).replace('"', "")
    is_next = number.isdigit() and stored["version"] == int(number) + 1
    return is_next and _holds(stored, patch)


def _holds(stored: Any, patch: Any) -> bool:
    """Returns true if the merge patch would change nothing (RFC 7396)."""
    if not isinstance(patch, Mapping):
        return stored == patch
    if not isinstance(stored, Mapping):
        return False
    members = cast(Dict[str, Any], stored)
    return all(_holds(members.get(key), value) for key, value in cast(Dict[str, Any], patch).items())
