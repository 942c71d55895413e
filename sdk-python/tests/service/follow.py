"""Follows created documents, prints their IDs, and ends after COUNT different ones: follow.py COUNT"""

from __future__ import annotations

import sys

from document_service import DocumentService

client = DocumentService(timeout=5)
seen: set[str] = set()
with client.events.follow(types=["document.created"], limit=3, max_poll_seconds=1) as events:
    for event in events:
        if event["type"] == "document.created":
            seen.add(event["data"]["document"]["id"])
            print(event["data"]["document"]["id"], flush=True)
        if len(seen) == int(sys.argv[1]):
            break
