"""Uses all resources of a running service, and exits with 0 if every response is right."""

from __future__ import annotations

import hashlib
import os
import tempfile
import threading
import time
from datetime import datetime, timedelta, timezone
from itertools import islice
from pathlib import Path
from typing import Callable, List, TypeVar

from document_service import (
    ConflictError,
    DocumentService,
    ForbiddenError,
    InvalidRequestError,
    NotFoundError,
    Response,
    UnauthorizedError,
)

T = TypeVar("T")

client = DocumentService()


def check(condition: object, words: str) -> None:
    if not condition:
        raise AssertionError(words)


def eventually(read: Callable[[], List[T]]) -> List[T]:
    """The service adds documents to its search index in the background."""
    end = time.monotonic() + 30
    while not (found := read()) and time.monotonic() < end:
        time.sleep(0.1)
    return found


def documents() -> str:
    made = client.documents.create(
        {"title": "Plan", "content": "one two", "metadata": {"tags": ["a"], "region": "eu & us"}}
    )
    id = made["id"]
    check((made["status"], made["version"], made["wordCount"]) == ("draft", 1, 2), "create")
    check(client.documents.get(id) == made, "get")
    check(client.documents.get(id, if_none_match=1) is None, "unchanged")
    check(set(client.documents.get(id, fields=["title"])) == {"id", "title"}, "fields")
    responses: List[Response] = []
    client.documents.get(id, on_response=responses.append)
    check(responses[0].etag == '"1"' and responses[0].request_id, "metadata of the response")
    found = client.documents.list(metadata={"region": ["x", "eu & us"]}, tag="a", status="draft")
    check([item["id"] for item in found] == [id], "filters")
    yesterday = datetime.now(timezone.utc) - timedelta(days=1)
    check(client.documents.list(created_after=yesterday).page().total >= 1, "times")
    check(eventually(lambda: client.documents.search("two").first(1))[0].get("highlight"), "search")
    check(client.documents.facets(), "facets")
    replaced = client.documents.replace(id, {"title": "Plan B", "content": "one"}, if_match=1)
    check(replaced["version"] == 2, "replace")
    edited = client.documents.edit(id, {"edits": [{"op": "replace", "find": "one", "with": "1"}]})
    check(edited["content"] == "1", "edit")
    check([each["number"] for each in client.documents.versions.list(id)] == [3, 2, 1], "versions")
    check(client.documents.versions.get(id, 1)["content"] == "one two", "version")
    check(client.documents.versions.diff(id, 2, against=1), "diff")
    check(client.documents.versions.restore(id, 1)["content"] == "one two", "restore version")
    copy = client.documents.copy(id, {"title": "Copy"})
    check(copy["title"] == "Copy", "copy")
    check(client.documents.delete(copy["id"])["deleted"], "delete")
    check(client.documents.restore(copy["id"])["id"] == copy["id"], "restore")
    check(client.documents.delete(copy["id"], permanent=True)["permanent"], "permanent")
    check(client.documents.presence.hold(id, "editing")["documentId"] == id, "presence")
    client.documents.presence.get(id)
    client.documents.presence.leave(id)
    put = client.documents.by_external_id.put("crm/7 ü?#%2F", {"title": "External"})
    check(client.documents.by_external_id.get("crm/7 ü?#%2F")["id"] == put["id"], "external ID")
    client.documents.by_external_id.delete("crm/7 ü?#%2F", permanent=True)
    results = client.documents.batch(
        {
            "operations": [
                {"op": "upsert", "externalId": name, "document": {"title": name}}
                for name in ("b/1", "b/2")
            ]
        }
    )
    check([result["status"] for result in results["results"]] == [201, 201], "batch")
    return id


def concurrent_updates() -> None:
    id = client.documents.create({"title": "Shared", "content": ""})["id"]

    def append(letter: str) -> None:
        client.documents.update(
            id, lambda stored: {"content": stored["content"] + letter}, retry_on_conflict=50
        )

    threads = [threading.Thread(target=append, args=(letter,)) for letter in "abcdef"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check(sorted(client.documents.get(id)["content"]) == list("abcdef"), "concurrent updates")


def errors() -> None:
    try:
        client.documents.create({"title": ""})
        raise AssertionError("a blank title is invalid")
    except InvalidRequestError as error:
        check((error.code, error.status) == ("INVALID_REQUEST", 400), "code")
        check(error.details.get("field") == "title" and error.request_id, "details")
    id = client.documents.create({"title": "x"})["id"]
    try:
        client.documents.update(id, {"title": "y"}, if_match=9)
        raise AssertionError("a wrong version conflicts")
    except ConflictError as error:
        check((error.status, error.details.get("currentVersion")) == (412, 1), "conflict")
    made = client.keys.create({"name": "reader", "scopes": ["documents:read"]})
    reader = DocumentService(api_key=made["key"])
    try:
        reader.documents.create({"title": "x"})
        raise AssertionError("a reader must not write")
    except ForbiddenError as error:
        check(error.details.get("requiredScopes") == ["documents:write"], "scopes")
    check(client.keys.revoke(made["id"])["id"] == made["id"], "revoke")
    for key, kind in ((made["key"], UnauthorizedError), ("nobody", UnauthorizedError)):
        try:
            DocumentService(api_key=key).me()
            raise AssertionError("a revoked key is not valid")
        except kind:
            pass
    try:
        client.documents.get("doc_1")
        raise AssertionError("an unknown document is not found")
    except NotFoundError:
        pass


def texts() -> None:
    id = client.documents.create({"title": "Notes", "content": "We recieve the results tomorrow."})["id"]
    analysis = client.documents.analyze_and_wait(id)
    check(any(issue["category"] == "spelling" for issue in analysis["issues"]), "issues")
    check(client.documents.analyses.get(id, analysis["id"])["id"] == analysis["id"], "analysis")
    check(client.documents.analyses.list(id).page().total == 1, "analyses")
    client.documents.quality(id).page()
    enhancement = client.documents.enhance_and_wait(id, {"goals": ["correct"]})
    check(enhancement["suggestions"], "suggestions")
    listed = [item["id"] for item in client.documents.enhancements.list(id)]
    check(enhancement["id"] in listed, "enhancements")
    applied = client.documents.enhancements.apply_safe(id, enhancement["id"])
    check("We receive" in client.documents.get(id)["content"], "apply")
    check(applied, "applied")
    proposal = client.documents.propose(id, {"title": "Results", "message": "Clearer"})
    check([item["id"] for item in client.proposals.list(document_id=id)] == [proposal["id"]], "inbox")
    withdrawn = client.documents.enhancements.withdraw(id, proposal["id"])
    check(withdrawn["status"] == "stale", "withdrawn")
    long_text = "This is teh plan. We has a goal, and it is clear. " * 3_000
    result = client.analysis.analyze_and_wait({"content": long_text})
    check(result["statistics"]["words"] > 10_000, "a long text takes a job")
    check(client.analysis.rules().page().total > 10, "rules")
    check(client.analysis.settings(), "settings")
    client.dictionary.add({"words": ["teh"]})
    check("teh" in str(client.dictionary.get()), "dictionary")
    client.dictionary.remove({"words": ["teh"]})
    rules = client.style_rules.create(
        {"rules": [{"id": "x", "kind": "banned", "phrases": ["synergy"], "message": "No."}]}
    )
    check(client.style_rules.get(rules["version"])["version"] == rules["version"], "style rules")
    client.style_rules.activate(rules["version"])
    client.jobs.wait(client.style_rules.dry_run(rules["version"])["id"])
    client.style_rules.deactivate()


def files(folder: str) -> None:
    path = Path(folder, "notes ü.md")
    path.write_text("# Heading\n\nSome *text*.\n", "utf-8")
    made = client.documents.import_(path, type="article", external_id="file/1")
    check((made["title"], made["type"], made["externalId"]) == ("Heading", "article", "file/1"), "import")
    check(client.documents.convert("<h1>A</h1><p>b", file_name="a.html")["title"] == "A", "convert")
    docx = client.documents.export(made["id"], format="docx")
    check(docx[:2] == b"PK", "docx")
    check(client.documents.import_(docx, file_name="again.docx")["title"] == "Heading", "import docx")
    check(b"*text*" in client.documents.export(made["id"], format="md"), "md")
    job = client.jobs.wait(client.account.export()["id"], max_wait=60)
    archive = Path(folder, "account.ndjson")
    client.jobs.download(job["id"], archive)
    whole = client.jobs.result(job["id"])
    check(hashlib.sha256(whole).digest() == hashlib.sha256(archive.read_bytes()).digest(), "archive")
    other = DocumentService(api_key=os.environ["OTHER_KEY"])
    other.jobs.wait(other.account.import_(archive)["id"], max_wait=60)
    check(other.documents.list().page().total == client.documents.list().page().total, "import archive")


def others() -> None:
    reports = client.collections.create({"name": "Reports"})
    july = client.documents.create({"title": "July", "collectionId": reports["id"]})
    check(client.documents.list(collection=[reports["id"]]).page().total == 1, "documents of a collection")
    renamed = client.collections.update(reports["id"], {"name": "Old reports"})
    check((renamed["name"], client.collections.get(reports["id"])["version"]) == ("Old reports", 2), "collection")
    check(client.collections.list(include="counts").first(1)[0].get("documentCount") == 1, "counts")
    exported = client.jobs.wait(client.collections.export(reports["id"])["id"])
    check(client.jobs.result(exported["id"])[:2] == b"PK", "zip of a collection")
    private = {"access": {"everyone": None, "people": []}}
    check(client.collections.set_access(reports["id"], private)["access"], "own access")
    check(client.collections.access(reports["id"])["inheritedFrom"] is None, "access")
    check(client.collections.get(reports["id"])["isRestricted"], "restricted")
    check(client.members.list().first(1)[0]["role"] == "owner", "members")
    limited = client.keys.create({"name": "Reader", "scopes": ["documents:read"], "collections": [reports["id"]]})
    check(limited["collections"] == [reports["id"]], "key of a collection")
    client.keys.revoke(limited["id"])
    client.documents.update(july["id"], {"collectionId": None})
    check(client.collections.delete(reports["id"])["deleted"], "delete a collection")
    template = client.templates.create({"name": "Letter", "title": "Dear {{name}}", "content": "Hi {{name}}"})
    changed = client.templates.update(template["id"], lambda stored: {"name": stored["name"] + "!"})
    check((changed["name"], changed["version"]) == ("Letter!", 2), "template")
    body = client.documents.create({"templateId": template["id"], "templateVariables": {"name": "Ada"}})
    check(body["title"] == "Dear Ada", "document from a template")
    check(client.templates.preview(template["id"], {"templateVariables": {"name": "A"}}), "preview")
    check(client.templates.versions.list(template["id"]).page().total == 2, "template versions")
    webhook = client.webhooks.create({"url": "https://example.com/", "events": ["document.*"]})
    check(webhook.get("secret"), "secret")
    check(client.webhooks.rotate_secret(webhook["id"]).get("secret"), "rotate secret")
    client.webhooks.update(webhook["id"], {"description": "Mine"})
    test = client.webhooks.test(webhook["id"])
    check(client.webhooks.deliveries.get(webhook["id"], test["id"])["id"] == test["id"], "delivery")
    check(client.deliveries.list(webhook_id=webhook["id"]).page().total >= 1, "deliveries")
    client.webhooks.delete(webhook["id"])
    check(client.me()["account"], "me")
    check(client.account.update({"name": "Renamed"})["name"] == "Renamed", "account")
    check(client.usage.get() and client.usage.series(metric="requests", step="hour"), "usage")
    check(client.requests.list(limit=1).page().total >= 0, "requests")
    check(client.audit.list(limit=1).first(1)[0]["id"], "audit")
    check(client.service.live() and client.service.ready(), "health")
    check(client.service.api_document()["openapi"] == "3.1.0", "API document")
    check("document.created" in [each["type"] for each in client.events.types()], "event types")
    all_ids = [event["id"] for event in client.events.list(order="asc", limit=100)]
    check(all_ids and client.events.get(all_ids[0])["id"] == all_ids[0], "event")
    with client.events.follow(types=["*"], limit=7) as events:
        followed = [event["id"] for event in islice(events, len(all_ids))]
    check(sorted(followed) == sorted(all_ids), "follow returns all events")
    with client.events.stream(last_event_id=all_ids[0]) as stream:
        streamed = [event["id"] for event in islice(stream, len(all_ids) - 1)]
    check(sorted(streamed) == sorted(all_ids[1:]), "stream returns all events")


with tempfile.TemporaryDirectory() as directory:
    documents()
    concurrent_updates()
    errors()
    texts()
    files(directory)
    others()
print("everything works")
