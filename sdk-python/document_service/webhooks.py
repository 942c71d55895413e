"""Verifies webhook deliveries (https://www.standardwebhooks.com)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from typing import Any, Iterable, List, Optional, Protocol, Sequence, Tuple, Union, cast

from .errors import WebhookVerificationError
from .types import WebhookEvent


class RequestHeaders(Protocol):
    """A dict, or the headers of a request in Flask, Django, FastAPI or `http.server`."""

    def items(self) -> Iterable[Tuple[str, Any]]: ...


def verify_webhook(
    payload: Union[bytes, bytearray, memoryview, str],
    headers: RequestHeaders,
    secret: Union[str, Sequence[str]],
    *,
    tolerance: float = 300,
    now: Optional[float] = None,
) -> WebhookEvent:
    """Verifies the signature of a delivery and returns its event.

    Args:
        payload: The raw body, before anything parses it.
        headers: The headers of the request, in any case.
        secret: The secret that you registered, or the `whsec_…` that the service generated. Pass
            several during a rotation: one of them must match.
        tolerance: Maximum difference in seconds between the time of the signature and this clock.
        now: The current time in seconds since 1970, for tests.

    Raises:
        WebhookVerificationError: The signature or its time is invalid. Respond with 400, and do not
            trust the body.
    """
    body = _bytes_of(payload)
    keys = [_key_of(each) for each in ([secret] if isinstance(secret, str) else secret)]
    if not keys:
        raise ValueError("verify_webhook needs a secret.")
    message_id = _header(headers, "webhook-id")
    timestamp = _header(headers, "webhook-timestamp")
    signatures = _header(headers, "webhook-signature")
    if not message_id or not timestamp or not signatures:
        raise WebhookVerificationError(
            "The header webhook-id, webhook-timestamp or webhook-signature is missing."
        )
    _check_time(timestamp, tolerance, time.time() if now is None else now)
    signed = f"{message_id}.{timestamp}.".encode("utf-8", "surrogateescape") + body
    if not _is_signed(signed, signatures, keys):
        raise WebhookVerificationError(
            "No signature matches this body and secret. "
            "Pass the raw body, not one that was parsed and serialized again."
        )
    try:
        return cast(WebhookEvent, json.loads(body))
    except ValueError as error:
        raise WebhookVerificationError("The body is not JSON.") from error


def _bytes_of(payload: object) -> bytes:
    if isinstance(payload, str):
        return payload.encode("utf-8", "surrogatepass")
    if isinstance(payload, (bytes, bytearray, memoryview)):
        return bytes(cast(bytes, payload))
    raise TypeError("The payload must be the raw body as bytes or text. Verify it before parsing it.")


def _header(headers: RequestHeaders, name: str) -> str:
    for key, value in headers.items():
        if key.lower() == name:
            if isinstance(value, (list, tuple)):
                return " ".join(str(each) for each in cast(Sequence[object], value))
            return str(value)
    return ""


def _check_time(timestamp: str, tolerance: float, now: float) -> None:
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise WebhookVerificationError("webhook-timestamp is not a number of seconds.")
    age = int(now) - int(timestamp)
    if abs(age) > tolerance:
        when = "ago" if age > 0 else "ahead of this clock"
        raise WebhookVerificationError(f"The delivery was signed {abs(age)} seconds {when}.")


def _is_signed(signed: bytes, signatures: str, keys: List[bytes]) -> bool:
    """Compares all signatures with all keys in constant time."""
    expected = [hmac.new(key, signed, hashlib.sha256).digest() for key in keys]
    given = [_from_base64(each[3:]) for each in signatures.split(" ") if each.startswith("v1,")]
    matches = [hmac.compare_digest(one, other) for one in expected for other in given]
    return any(matches)


def _key_of(secret: str) -> bytes:
    """The part after `whsec_` is base64. Any other secret is used as UTF-8 text."""
    key = _from_base64(secret[6:]) if secret.startswith("whsec_") else secret.encode()
    if not key:
        raise ValueError("The secret of a webhook must not be empty.")
    return key


def _from_base64(text: str) -> bytes:
    """As lenient as the service."""
    digits = text.split("=", 1)[0].replace("-", "+").replace("_", "/")
    digits = re.sub(r"[^A-Za-z0-9+/]", "", digits)
    whole = digits[:-1] if len(digits) % 4 == 1 else digits
    return base64.b64decode(whole + "=" * (-len(whole) % 4))
