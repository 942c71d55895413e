"""The operations that need more than one request, or more than JSON. `_operations.py` has the others."""

from __future__ import annotations

import json
import os
import time
import uuid
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Iterator,
    Mapping,
    Optional,
    Sequence,
    Tuple,
    TypedDict,
    Union,
    cast,
    overload,
)

from . import _operations, types
from ._api import Api, CallOptions, RawBody, Version
from ._events import Following, follow, stream
from ._sse import messages_of
from ._transport import Stop
from ._update import update_with
from .errors import JobFailedError, TimeoutError
from .types import (
    AnalyzeDocument,
    AnalyzeText,
    Analysis as StoredAnalysis,
    AppliedEnhancement,
    ConvertedFile,
    Document,
    DocumentType,
    Enhancement,
    EnhanceDocument,
    FollowedEvent,
    Job,
    PatchDocument,
    PatchTemplate,
    Template,
    TextAnalysis,
    WebhookEvent,
)

if TYPE_CHECKING:
    from typing_extensions import Literal, Unpack

_FIRST_LOOK = 0.2
_LONGEST_LOOK = 5.0
_STREAM_SILENCE = 45.0
"""Timeout of a silent stream in seconds: more than two heartbeats of the service."""


class EnhancementMessage(TypedDict):
    type: str
    data: Any


class Jobs(_operations.Jobs):
    def wait(
        self, id: str, *, max_wait: Optional[float] = None, **options: Unpack[CallOptions]
    ) -> Job:
        """Waits until the job succeeds.

        Args:
            max_wait: Maximum time to wait in seconds. Then raises `TimeoutError`; the job continues.
                Unlimited by default.

        Raises:
            JobFailedError: The job failed or was cancelled.
        """
        end = float("inf") if max_wait is None else time.monotonic() + max_wait
        seconds = _FIRST_LOOK
        while True:
            job = self.get(id, **options)
            if job["status"] == "succeeded":
                return job
            if job["status"] in ("failed", "cancelled"):
                raise JobFailedError(job)
            left = end - time.monotonic()
            if left <= 0:
                raise TimeoutError(
                    f"The job {id} is still {job['status']} after {max_wait:g} s. "
                    f'To wait longer, call client.jobs.wait("{id}").'
                )
            time.sleep(min(seconds, left))
            seconds = min(seconds * 1.5, _LONGEST_LOOK)

    def download(
        self, id: str, path: Union[str, os.PathLike[str]], **options: Unpack[CallOptions]
    ) -> None:
        """Writes the result file of the job to `path`. Replaces the file when the download is complete.

        `timeout` limits the whole download.
        """
        part = f"{os.fspath(path)}.{uuid.uuid4().hex}.part"
        opened = self._api.stream("/v1/jobs/{id}/result", path_params={"id": id}, **options)
        try:
            with open(part, "xb") as file:
                for block in opened.blocks():
                    file.write(block)
            os.replace(part, path)
        finally:
            opened.close()
            if os.path.exists(part):
                os.remove(part)


class Documents(_operations.Documents):
    def __init__(self, api: Api) -> None:
        super().__init__(api)
        self._jobs = Jobs(api)
        self.enhancements = Enhancements(api)
        self.presence = Presence(api)

    def update(
        self,
        id: str,
        change: Union[PatchDocument, Callable[[Document], Optional[PatchDocument]]],
        *,
        if_match: Version = None,
        retry_on_conflict: Union[bool, int, None] = None,
        **options: Unpack[CallOptions],
    ) -> Document:
        """Changes some fields.

        Args:
            change: The changed fields. Or a function that receives the stored document and returns
                the changed fields, or None to change nothing. If another client changes the document
                first, the function is called again with the current version.
            if_match: The version that you expect. Otherwise raises `ConflictError`.
            retry_on_conflict: Maximum number of retries after such a conflict. Each reads the document
                again and applies the change to it. True means 10. Default: True for a function, False
                for a dict.

        Scope: `documents:write`.
        """

        def write(patch: Any, version: Version) -> Any:
            return self._api.request(
                "PATCH",
                "/v1/documents/{id}",
                path_params={"id": id},
                body=patch,
                if_match=version,
                **options,
            )

        return update_with(
            lambda: self.get(id, **options), write, cast(Any, change), if_match, retry_on_conflict
        )

    def import_(
        self,
        file: RawBody,
        *,
        file_name: Optional[str] = None,
        title: Optional[str] = None,
        type: Optional[DocumentType] = None,
        external_id: Optional[str] = None,
        format: Optional[Literal["md", "html", "docx"]] = None,
        idempotency_key: Optional[str] = None,
        **options: Unpack[CallOptions],
    ) -> Document:
        """Creates a document from Markdown, HTML or DOCX.

        Args:
            file: Text, bytes, an open file, or a path as `pathlib.Path`.
            file_name: Its extension determines the format. Default: the name of the file.
            format: Default: determined by the file name.

        Scope: `documents:write`.
        """
        fields = {"title": title, "type": type, "externalId": external_id, "format": format}
        return self._send_file(file, file_name, fields, None, idempotency_key, options)

    def convert(
        self,
        file: RawBody,
        *,
        file_name: Optional[str] = None,
        format: Optional[Literal["md", "html", "docx"]] = None,
        **options: Unpack[CallOptions],
    ) -> ConvertedFile:
        """Converts Markdown, HTML or DOCX to Markdown. Stores nothing."""
        return self._send_file(file, file_name, {"format": format}, True, None, options)

    def _send_file(
        self,
        file: RawBody,
        file_name: Optional[str],
        fields: Mapping[str, Optional[str]],
        dry_run: Optional[bool],
        idempotency_key: Optional[str],
        options: CallOptions,
    ) -> Any:
        body, content_type = _multipart(fields, file, file_name)
        return self._api.request(
            "POST",
            "/v1/documents/import",
            query={"dryRun": dry_run},
            body=body,
            content_type=content_type,
            idempotency_key=idempotency_key,
            **options,
        )

    @overload
    def export(
        self,
        id: str,
        *,
        format: Literal["md", "html", "docx", "pdf"],
        if_none_match: None = None,
        **options: Unpack[CallOptions],
    ) -> bytes: ...
    @overload
    def export(
        self,
        id: str,
        *,
        format: Literal["md", "html", "docx", "pdf"],
        if_none_match: Version,
        **options: Unpack[CallOptions],
    ) -> Optional[bytes]: ...
    def export(
        self,
        id: str,
        *,
        format: Literal["md", "html", "docx", "pdf"],
        if_none_match: Version = None,
        **options: Unpack[CallOptions],
    ) -> Optional[bytes]:
        """Returns the document as a file. Waits for a job if the export takes long.

        Returns None if the `if_none_match` version is still current.

        Scope: `documents:read`.
        """
        data, response = self._api.exchange(
            "GET",
            "/v1/documents/{id}/export",
            path_params={"id": id},
            query={"format": format},
            if_none_match=if_none_match,
            **options,
        )
        if response.status != 202:
            return data
        job = self._jobs.wait(data["id"], **options)
        return self._jobs.result(job["id"], **options)

    def analyze_and_wait(
        self,
        id: str,
        body: Optional[AnalyzeDocument] = None,
        *,
        max_wait: Optional[float] = None,
        **options: Unpack[CallOptions],
    ) -> StoredAnalysis:
        """Analyzes the text, and waits for the job of a long text."""
        made = self.analyze(id, body, **options)
        if "documentVersion" in made:
            return made
        job = self._jobs.wait(made["id"], max_wait=max_wait, **options)
        return self.analyses.get(id, cast(Any, job["result"])["analysisId"], **options)

    def enhance_and_wait(
        self,
        id: str,
        body: Optional[EnhanceDocument] = None,
        *,
        max_wait: Optional[float] = None,
        **options: Unpack[CallOptions],
    ) -> Enhancement:
        """Suggests changes, and waits for the job of a long text or a model.

        Apply them with `documents.enhancements.apply_safe` or `documents.enhancements.apply`.
        """
        made = self.enhance(id, body, **options)
        if "suggestions" in made:
            return made
        self._jobs.wait(made["id"], max_wait=max_wait, **options)
        return self.enhancements.get(id, cast(Any, made)["enhancementId"], **options)


class Enhancements(_operations.DocumentsEnhancements):
    def apply_safe(
        self, id: str, enhancement_id: str, **options: Unpack[CallOptions]
    ) -> AppliedEnhancement:
        """Applies all open suggestions that are `safe`, as one version. Repeating it is safe."""
        return self.apply(id, enhancement_id, {"suggestionIds": "all", "safe": True}, **options)

    def stream(
        self, id: str, enhancement_id: str, **options: Unpack[CallOptions]
    ) -> Following[EnhancementMessage]:
        """Streams the progress of a language model until its suggestions are complete."""

        def start(stop: Stop) -> Iterator[EnhancementMessage]:
            opened = self._api.stream(
                "/v1/documents/{id}/enhancements/{enhancementId}/stream",
                path_params={"id": id, "enhancementId": enhancement_id},
                stop=stop,
                **options,
            )
            for message in messages_of(opened, _STREAM_SILENCE):
                if message.data:
                    yield {"type": message.type, "data": json.loads(message.data)}

        return Following(start)


class Presence(_operations.DocumentsPresence):
    def hold(
        self, id: str, state: Literal["viewing", "editing"], **options: Unpack[CallOptions]
    ) -> types.Presence:
        """Counts this key as viewing or editing for 60 seconds."""
        return self._api.request(
            "PUT",
            "/v1/documents/{id}/presence",
            path_params={"id": id},
            body={"state": state},
            **options,
        )


class Templates(_operations.Templates):
    def update(
        self,
        id: str,
        change: Union[PatchTemplate, Callable[[Template], Optional[PatchTemplate]]],
        *,
        if_match: Version = None,
        retry_on_conflict: Union[bool, int, None] = None,
        **options: Unpack[CallOptions],
    ) -> Template:
        """Changes some fields. A function works as in `documents.update`.

        Scope: `templates:write`.
        """

        def write(patch: Any, version: Version) -> Any:
            return self._api.request(
                "PATCH",
                "/v1/templates/{id}",
                path_params={"id": id},
                body=patch,
                if_match=version,
                **options,
            )

        return update_with(
            lambda: self.get(id, **options), write, cast(Any, change), if_match, retry_on_conflict
        )


class Analysis(_operations.Analysis):
    """Analyzes texts that are not stored, and configures analysis for the account."""

    def analyze_and_wait(
        self,
        body: AnalyzeText,
        *,
        max_wait: Optional[float] = None,
        **options: Unpack[CallOptions],
    ) -> TextAnalysis:
        """Analyzes the text, and waits for the job of a long text."""
        made = self.analyze(body, **options)
        if "scores" in made:
            return made
        job = Jobs(self._api).wait(made["id"], max_wait=max_wait, **options)
        return cast(TextAnalysis, job["result"])


class Events(_operations.Events):
    def follow(
        self,
        *,
        after: Optional[str] = None,
        types: Optional[Sequence[str]] = None,
        document_id: Optional[str] = None,
        limit: int = 100,
        poll_seconds: float = 1.0,
        max_poll_seconds: float = 10.0,
        on_cursor: Optional[Callable[[str], object]] = None,
    ) -> Following[FollowedEvent]:
        """Polls events in commit order, oldest first, without loss: each event is returned at least once.

        Retries failed requests and respects `Retry-After`. After you have processed an event, store
        `event["cursor"]`, and continue there after a restart.

        Args:
            after: Where to start: `start` (the oldest stored event, the default), `now`, the cursor
                of the last processed event, or the ID of an event.
            types: Names such as `document.created`, or patterns such as `document.*`. A cursor is
                only valid with its types.
            document_id: Returns only events of this document.
            limit: Maximum number of events per request, 1 to 100.
            poll_seconds: Delay after a request that found nothing. Doubles up to `max_poll_seconds`.
            on_cursor: Called when all events up to this cursor were processed, even if none had
                these types. Store the cursor: one that advances with other events does not expire.

        Raises:
            ExpiredCursorError: Events after `after` are gone.
            ApiError: A permanent error, such as a revoked key.
        """
        return Following(
            lambda stop: follow(
                self._api,
                stop,
                after=after or "start",
                types=types,
                document_id=document_id,
                limit=limit,
                poll_seconds=poll_seconds,
                max_poll_seconds=max_poll_seconds,
                on_cursor=on_cursor,
            )
        )

    def stream(
        self,
        *,
        types: Optional[Sequence[str]] = None,
        payload: Optional[Literal["full", "thin"]] = None,
        last_event_id: Optional[str] = None,
        silence: float = _STREAM_SILENCE,
    ) -> Following[WebhookEvent]:
        """Yields events as they happen, each once and in order.

        Reconnects after an interruption and continues after the last event. Raises only permanent
        errors, such as a revoked key.

        Args:
            types: Names such as `document.created`, or patterns such as `document.*`.
            payload: `thin` leaves out the content of documents.
            last_event_id: Starts after this event, or at a cursor of `follow`. Default: new events only.
            silence: Reconnects after this time without data, in seconds. The service sends a
                heartbeat every 15 seconds.
        """
        return Following(
            lambda stop: stream(
                self._api,
                stop,
                types=types,
                payload=payload,
                last_event_id=last_event_id,
                silence=silence,
            )
        )


def _multipart(
    fields: Mapping[str, Optional[str]], file: RawBody, file_name: Optional[str]
) -> Tuple[bytes, str]:
    """Returns the body of a form with a file, and its content type."""
    name = file_name or os.path.basename(str(_name_of(file)))
    content = _bytes_of(file)
    boundary = uuid.uuid4().hex
    parts: list[bytes] = []
    for field, value in fields.items():
        if value is not None:
            head = f'--{boundary}\r\nContent-Disposition: form-data; name="{field}"\r\n\r\n'
            parts.append(head.encode() + value.encode() + b"\r\n")
    quoted = name.replace("\\", "\\\\").replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{quoted}"\r\n'
    parts.append(f"{head}Content-Type: application/octet-stream\r\n\r\n".encode() + content + b"\r\n")
    parts.append(f"--{boundary}--\r\n".encode())
    return b"".join(parts), f"multipart/form-data; boundary={boundary}"


def _name_of(file: RawBody) -> object:
    if isinstance(file, os.PathLike):
        return os.fspath(file)
    name = getattr(file, "name", None)
    return name if isinstance(name, str) else "document"


def _bytes_of(file: RawBody) -> bytes:
    if isinstance(file, str):
        return file.encode()
    if isinstance(file, (bytes, bytearray, memoryview)):
        return bytes(file)
    if isinstance(file, os.PathLike):
        with open(file, "rb") as opened:
            return opened.read()
    content: Any = file.read()
    return content.encode() if isinstance(content, str) else content
