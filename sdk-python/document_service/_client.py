"""The client: all resources of the API."""

from __future__ import annotations

import ssl
from typing import TYPE_CHECKING, Mapping, Optional

from . import _operations, _resources
from ._api import Api, ApiKey, CallOptions
from .types import Me

if TYPE_CHECKING:
    from typing_extensions import Unpack


class DocumentService(Api):
    """A client for one account. Threads can share it. `with` and `close()` close its idle connections."""

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
        """Creates a client.

        Args:
            base_url: URL of the service, such as `https://documents.example.com`, with or without
                `/v1`. Default: the environment variable `DOCUMENT_SERVICE_URL`.
            api_key: `ds_live_…`, or a function that is called before every request. Default: the
                environment variable `DOCUMENT_SERVICE_KEY`.
            timeout: Seconds for an attempt, including its whole response. 0 means no limit.
            max_retries: Maximum number of retries.
            retry_delay: Seconds before the first retry. Doubles with each retry.
            max_retry_delay: Maximum `Retry-After` to wait for, in seconds.
            headers: Sent with every request.
            ssl_context: For certificates that Python does not trust by default.
        """
        super().__init__(
            base_url,
            api_key,
            timeout=timeout,
            max_retries=max_retries,
            retry_delay=retry_delay,
            max_retry_delay=max_retry_delay,
            headers=headers,
            ssl_context=ssl_context,
        )
        self.documents = _resources.Documents(self)
        self.proposals = _operations.Proposals(self)
        self.collections = _operations.Collections(self)
        self.releases = _operations.Releases(self)
        self.templates = _resources.Templates(self)
        self.webhooks = _operations.Webhooks(self)
        self.deliveries = _operations.Deliveries(self)
        self.events = _resources.Events(self)
        self.keys = _operations.Keys(self)
        self.service_accounts = _operations.ServiceAccounts(self)
        self.members = _operations.Members(self)
        self.tokens = _operations.Tokens(self)
        self.account = _operations.Account(self)
        self.analysis = _resources.Analysis(self)
        self.dictionary = _operations.Dictionary(self)
        self.style_rules = _operations.StyleRules(self)
        self.jobs = _resources.Jobs(self)
        self.usage = _operations.Usage(self)
        self.requests = _operations.Requests(self)
        self.audit = _operations.Audit(self)
        self.service = _operations.Service(self)

    def __enter__(self) -> DocumentService:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def me(self, **options: Unpack[CallOptions]) -> Me:
        """Returns the API key with its scopes, account and plan."""
        return self.request("GET", "/v1/me", **options)
