"""Client of the Document Service API."""

from ._api import CallOptions, ItemList, Page, RateLimit, Response
from ._client import DocumentService
from ._events import Following
from ._version import __version__
from .errors import (
    ApiError,
    ConflictError,
    ConnectionError,
    DocumentServiceError,
    ExpiredCursorError,
    ForbiddenError,
    InternalError,
    InvalidRequestError,
    JobFailedError,
    NotFoundError,
    RateLimitError,
    TimeoutError,
    UnauthorizedError,
    WebhookVerificationError,
)
from .types import Document, DocumentListItem, FollowedEvent, Job, Template, Webhook, WebhookEvent
from .webhooks import verify_webhook

__all__ = [
    "ApiError",
    "CallOptions",
    "ConflictError",
    "ConnectionError",
    "Document",
    "DocumentListItem",
    "DocumentService",
    "DocumentServiceError",
    "ExpiredCursorError",
    "FollowedEvent",
    "Following",
    "ForbiddenError",
    "InternalError",
    "InvalidRequestError",
    "ItemList",
    "Job",
    "JobFailedError",
    "NotFoundError",
    "Page",
    "RateLimit",
    "RateLimitError",
    "Response",
    "Template",
    "TimeoutError",
    "UnauthorizedError",
    "Webhook",
    "WebhookEvent",
    "WebhookVerificationError",
    "__version__",
    "verify_webhook",
]
