"""All errors of this client. Each extends `DocumentServiceError`."""

from __future__ import annotations

import builtins
import json
import re
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Dict, Mapping, Optional, Type, cast

from .types import ErrorCode, FailureDetails, Job


class DocumentServiceError(Exception):
    """Base class of all errors of this client."""


class ConnectionError(DocumentServiceError, builtins.ConnectionError):
    """The connection failed or was interrupted, so there is no response.

    Also extends Python's own `ConnectionError`.
    """

    code: str = "CONNECTION_ERROR"
    attempts: int
    """Number of requests sent."""
    uncertain: bool = True
    """The request may have succeeded."""

    def __init__(self, message: str, attempts: int = 1) -> None:
        super().__init__(message)
        self.attempts = attempts


class TimeoutError(ConnectionError, builtins.TimeoutError):
    """The response was not complete within `timeout`. Also extends Python's own `TimeoutError`."""

    code = "TIMEOUT"


class ApiError(DocumentServiceError):
    """The service, or a proxy in front of it, responded with a failure."""

    code: ErrorCode
    """One of the six codes of the API, or the closest one for the response of a proxy."""
    message: str
    status: int
    """HTTP status."""
    details: FailureDetails
    """Such as `field` and `issue`, `requiredScopes` or `currentVersion`."""
    request_id: Optional[str]
    """The ID to report to the operator of the service."""
    doc_url: Optional[str]
    """The page that explains this error, if the service knows its own URL."""
    retry_after: Optional[int]
    """Seconds to wait, from the header `Retry-After`."""
    headers: Mapping[str, str]
    """Headers of the response."""
    attempts: int
    """Number of requests sent."""
    uncertain: bool
    """True if an attempt got no response from the service and may have succeeded."""

    def __init__(
        self,
        message: str,
        *,
        code: ErrorCode,
        status: int,
        details: Optional[FailureDetails] = None,
        request_id: Optional[str] = None,
        doc_url: Optional[str] = None,
        retry_after: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
        attempts: int = 1,
        uncertain: bool = False,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status
        self.details = details if details is not None else {}
        self.request_id = request_id
        self.doc_url = doc_url
        self.retry_after = retry_after
        self.headers = headers if headers is not None else {}
        self.attempts = attempts
        self.uncertain = uncertain

    def __reduce__(self) -> Any:
        # Exceptions with keyword arguments cannot be copied or sent to another process otherwise.
        return (_restored, (type(self), self.message, dict(self.__dict__)))


class InvalidRequestError(ApiError):
    """The request is invalid. `details["field"]` and `details["issue"]` say where and why."""


class ExpiredCursorError(InvalidRequestError):
    """Events after this cursor or event ID are no longer stored, so continuing would leave a gap.

    Continue from `oldest_cursor`, and read again everything that those events may have changed.
    """

    @property
    def oldest_cursor(self) -> str:
        """Cursor before the oldest stored event."""
        return self.details.get("oldestCursor", "start")


class ConflictError(InvalidRequestError):
    """409 or 412: the change conflicts with the stored state, such as a newer version."""


class UnauthorizedError(ApiError):
    """The API key is missing, invalid, expired or revoked."""


class ForbiddenError(ApiError):
    """The API key lacks a scope, or a quota is used up: see `details`."""


class NotFoundError(ApiError):
    """The resource does not exist, or belongs to another account."""


class RateLimitError(ApiError):
    """Too many requests. Wait for `retry_after` seconds."""


class InternalError(ApiError):
    """The service failed, or its proxy cannot connect to it."""


class JobFailedError(DocumentServiceError):
    """A job failed or was cancelled. `job["error"]` has the reason."""

    job: Job

    def __init__(self, job: Job) -> None:
        error = job["error"]
        reason = (
            "was cancelled."
            if job["status"] == "cancelled"
            else f"failed: {error['message'] if error else ''}"
        )
        super().__init__(f"The job {job['id']} {reason}")
        self.job = job

    def __reduce__(self) -> Any:
        return (JobFailedError, (self.job,))


class WebhookVerificationError(DocumentServiceError):
    """The signature or timestamp of a delivery is invalid."""


_CLASSES: Dict[str, Type[ApiError]] = {
    "INVALID_REQUEST": InvalidRequestError,
    "UNAUTHORIZED": UnauthorizedError,
    "FORBIDDEN": ForbiddenError,
    "NOT_FOUND": NotFoundError,
    "RATE_LIMIT_EXCEEDED": RateLimitError,
    "INTERNAL_ERROR": InternalError,
}

_CODES: Dict[int, ErrorCode] = {
    401: "UNAUTHORIZED",
    403: "FORBIDDEN",
    404: "NOT_FOUND",
    429: "RATE_LIMIT_EXCEEDED",
}


def _restored(of: Type[ApiError], message: str, state: Dict[str, Any]) -> ApiError:
    error = of(message, code=state["code"], status=state["status"])
    error.__dict__.update(state)
    return error


def api_error(
    status: int,
    reason: str,
    headers: Mapping[str, str],
    body: bytes,
    *,
    attempts: int,
    uncertain: bool,
) -> ApiError:
    """Creates an error from the response to a failure, which may be an HTML page of a proxy."""
    text = body.decode("utf-8", "replace")
    failure = _object_in(text)
    error = _member(failure, "error")
    details = _member(error, "details")
    meta = _member(failure, "meta")
    code = _text(error.get("code"))
    if code not in _CLASSES:
        code = _CODES.get(status, "INVALID_REQUEST" if status < 500 else "INTERNAL_ERROR")
    message = error.get("message")
    return _class_of(status, code, details)(
        message if isinstance(message, str) else _message_of(status, reason, text),
        code=cast(ErrorCode, code),
        status=status,
        details=cast(FailureDetails, details),
        request_id=_text(meta.get("requestId")) or headers.get("X-Request-Id"),
        doc_url=_text(error.get("docUrl")),
        retry_after=_retry_after(headers.get("Retry-After")),
        headers=headers,
        attempts=attempts,
        uncertain=uncertain,
    )


def _class_of(status: int, code: str, details: Dict[str, Any]) -> Type[ApiError]:
    if status in (409, 412):
        return ConflictError
    return ExpiredCursorError if "oldestCursor" in details else _CLASSES[code]


def _object_in(text: str) -> Dict[str, Any]:
    try:
        return _as_object(json.loads(text))
    except (ValueError, RecursionError):
        return {}


def _member(value: Dict[str, Any], name: str) -> Dict[str, Any]:
    return _as_object(value.get(name))


def _as_object(value: object) -> Dict[str, Any]:
    return cast(Dict[str, Any], value) if isinstance(value, dict) else {}


def _text(value: object) -> Optional[str]:
    return value if isinstance(value, str) else None


def _message_of(status: int, reason: str, text: str) -> str:
    """Describes a response that is not from the service."""
    excerpt = " ".join(re.sub(r"<[^>]*>", " ", text).split())[:200]
    head = f"HTTP {status} {reason}".strip()
    return f"{head}: {excerpt}" if excerpt else head


def _retry_after(value: Optional[str]) -> Optional[int]:
    """Returns seconds. The header contains seconds or a date."""
    text = (value or "").strip()
    if re.fullmatch(r"[0-9]+", text):
        return int(text[:10])
    try:
        at = parsedate_to_datetime(text)
    except (TypeError, ValueError, IndexError):
        return None
    at = at if at.tzinfo else at.replace(tzinfo=timezone.utc)
    left = (at - datetime.now(timezone.utc)).total_seconds()
    return max(0, -int(-left // 1))
