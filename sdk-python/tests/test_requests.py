from __future__ import annotations

import copy
import json
import os
import pickle
import tempfile
import threading
import time
import traceback
import unittest
from datetime import date, datetime, timedelta, timezone
from email.utils import format_datetime
from pathlib import Path
from typing import Any, List
from unittest import mock

from document_service import (
    __version__,
    ApiError,
    ConflictError,
    ConnectionError,
    DocumentService,
    DocumentServiceError,
    ExpiredCursorError,
    ForbiddenError,
    InternalError,
    InvalidRequestError,
    NotFoundError,
    RateLimitError,
    Response,
    TimeoutError,
    UnauthorizedError,
)

from .support import StubResponse, Seen, Server, data, failure, page


class Settings(unittest.TestCase):
    def test_url_and_key_come_from_the_environment(self) -> None:
        with Server(data({"id": "key_1"})) as server:
            variables = {"DOCUMENT_SERVICE_URL": f" {server.url}/v1/ ", "DOCUMENT_SERVICE_KEY": " k\n"}
            with mock.patch.dict(os.environ, variables):
                self.assertEqual(dict(DocumentService().me()), {"id": "key_1"})
            self.assertEqual(server.seen[0].path, "/v1/me")
            self.assertEqual(server.seen[0].headers["authorization"], "Bearer k")

    def test_missing_settings_are_named(self) -> None:
        with mock.patch.dict(os.environ, {}, clear=True):
            with self.assertRaisesRegex(DocumentServiceError, "_URL.* and .*DOCUMENT_SERVICE_KEY"):
                DocumentService()
            with self.assertRaisesRegex(DocumentServiceError, "^[^_]*_KEY|DOCUMENT_SERVICE_KEY"):
                DocumentService("http://localhost:3000")

    def test_invalid_urls_and_keys_are_refused_without_printing_secrets(self) -> None:
        for url in ["localhost:3000", "ftp://x", "http://", "http://a:b@host", "http://h:x", "http://h?q"]:
            with self.assertRaisesRegex(DocumentServiceError, "URL of the service is invalid") as raised:
                DocumentService(url, "key")
            self.assertNotIn("a:b", str(raised.exception))
        with self.assertRaises(DocumentServiceError) as raised:
            DocumentService("http://localhost", "sécret key")
        self.assertNotIn("cret", str(raised.exception))

    def test_the_key_is_not_in_repr_or_errors(self) -> None:
        with Server(failure(401, "UNAUTHORIZED"), StubResponse(fault="reset")) as server:
            client = server.client(max_retries=0)
            texts = [repr(client), repr(client.documents)]
            for _ in range(2):
                try:
                    client.me()
                except DocumentServiceError as error:
                    texts += [str(error), repr(error), repr(vars(error)), traceback.format_exc()]
            self.assertEqual(len(texts), 10)
            self.assertNotIn("secret", "".join(texts))

    def test_the_key_may_be_a_function(self) -> None:
        keys = iter(["one", "two"])
        with Server(data({})) as server:
            client = DocumentService(server.url, lambda: next(keys))
            client.me()
            client.me()
            sent = [seen.headers["authorization"] for seen in server.seen]
            self.assertEqual(sent, ["Bearer one", "Bearer two"])

    def test_a_path_before_v1_is_kept(self) -> None:
        with Server(data({})) as server:
            for path, sent in (("/api/v1", "/api"), ("/a b/ü%20/", "/a%20b/%C3%BC%20"), ("//v1//", "")):
                DocumentService(server.url + path, "k").me()
                self.assertEqual(server.seen[-1].path, f"{sent}/v1/me")


class Requests(unittest.TestCase):
    def test_sends_json_and_returns_data_with_unknown_fields(self) -> None:
        with Server(data({"id": "doc_1", "future": {"a": 1}}, 201)) as server:
            made = server.client().documents.create({"title": "Ümlaut 漢字"})
            self.assertEqual(dict(made), {"id": "doc_1", "future": {"a": 1}})
            [seen] = server.seen
            self.assertEqual(json.loads(seen.body), {"title": "Ümlaut 漢字"})
            self.assertIn("漢字".encode(), seen.body)
            self.assertEqual(seen.headers["content-type"], "application/json")
            agent = f"document-service-python/{__version__} Python/3."
            self.assertTrue(seen.headers["user-agent"].startswith(agent))

    def test_encodes_paths_and_queries(self) -> None:
        with Server(page([])) as server:
            client = server.client()
            client.documents.by_external_id.get("crm/7 ü?#%2F")
            client.documents.list(
                metadata={"region": "eu & us", "client": {"name": "Ü"}, "n": [1, "1"]},
                status=["draft", "published"],
                tag="a",
                deleted=True,
                created_after=date(2026, 11, 1),
                created_before=datetime(2026, 11, 2, tzinfo=timezone.utc),
            ).page()
            client.keys.create({"name": "x", "scopes": ["*"]})
            one, two, three = (seen.path for seen in server.seen)
            self.assertEqual(one, "/v1/documents/by-external-id/crm%2F7%20%C3%BC%3F%23%252F")
            self.assertEqual(
                two.split("?")[1].split("&"),
                [
                    "status=draft",
                    "status=published",
                    "tag=a",
                    "metadata.region=eu%20%26%20us",
                    "metadata.client.name=%C3%9C",
                    "metadata.n=1",
                    "metadata.n=1",
                    "createdAfter=2026-11-01",
                    "createdBefore=2026-11-02T00%3A00%3A00%2B00%3A00",
                    "deleted=true",
                ],
            )
            self.assertEqual(three, "/v1/keys")
            with self.assertRaisesRegex(ValueError, "time zone"):
                client.documents.list(created_after=datetime(2026, 11, 1)).page()
            for name in ("", ".", ".."):
                with self.assertRaises(ValueError):
                    client.documents.get(name)

    def test_reports_metadata(self) -> None:
        response = data({"id": "doc_1"})
        limits = {"X-RateLimit-Limit": "10", "X-RateLimit-Remaining": "9", "X-RateLimit-Reset": "60"}
        response.headers.update({"ETag": '"3"', **limits})
        with Server(response) as server:
            seen: List[Response] = []
            server.client().documents.get("doc_1", on_response=seen.append)
            [response] = seen
            self.assertEqual((response.status, response.etag), (200, '"3"'))
            self.assertEqual((response.request_id, response.headers["etag"]), ("req_1", '"3"'))
            assert response.rate_limit is not None
            self.assertEqual(response.rate_limit.remaining, 9)
            self.assertEqual(response.rate_limit.reset, datetime(1970, 1, 1, 0, 1, tzinfo=timezone.utc))

    def test_unchanged_is_none(self) -> None:
        with Server(StubResponse(304, headers={"ETag": '"3"'})) as server:
            client = server.client()
            self.assertIsNone(client.documents.get("doc_1", if_none_match=3))
            self.assertEqual(server.seen[0].headers["if-none-match"], '"3"')

    def test_connections_are_reused_and_closed_ones_replaced(self) -> None:
        with Server(data({})) as server:
            client = server.client()
            for _ in range(3):
                client.me()
            self.assertEqual(len({id(seen.connection) for seen in server.seen}), 1)
        url = server.url
        with Server(data({})) as again:
            self.assertNotEqual(again.url, url)

    def test_a_connection_that_the_service_closed_costs_no_attempt(self) -> None:
        closing = data({})
        with Server(closing) as server:
            client = server.client(max_retries=0)
            client.me()
            connection: Any = server.seen[0].connection
            connection.shutdown(2)
            time.sleep(0.05)
            client.me()
            self.assertEqual(len(server.seen), 2)

    def test_threads_share_a_client(self) -> None:
        def echo(seen: Seen) -> StubResponse:
            time.sleep(0.002)
            return data({"id": seen.path.rsplit("/", 1)[1]})

        with Server(echo) as server:
            client = server.client()
            wrong: List[str] = []

            def work(thread: int) -> None:
                for n in range(20):
                    name = f"doc_{thread}_{n}"
                    if client.documents.get(name)["id"] != name:
                        wrong.append(name)

            threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual((wrong, len(server.seen)), ([], 160))
            self.assertLessEqual(len({id(seen.connection) for seen in server.seen}), 8)

    @unittest.skipUnless(hasattr(os, "fork"), "This system has no fork.")
    def test_a_forked_process_opens_its_own_connection(self) -> None:
        with Server(lambda seen: data({"id": seen.path})) as server:
            client = server.client()
            client.me()
            child = os.fork()
            if child == 0:
                try:
                    os._exit(0 if client.documents.get("x")["id"] == "/v1/documents/x" else 1)
                finally:
                    os._exit(2)
            _, status = os.waitpid(child, 0)
            client.me()
            self.assertEqual(status, 0)
            first, forked, last = (id(seen.connection) for seen in server.seen)
            self.assertEqual(first, last)
            self.assertNotEqual(first, forked)

    def test_a_redirect_is_not_followed(self) -> None:
        with Server(data({})) as other, Server(StubResponse(308, headers={"Location": other.url})) as server:
            with self.assertRaisesRegex(DocumentServiceError, "redirects to .*DOCUMENT_SERVICE_URL"):
                server.client().me()
            self.assertEqual((len(server.seen), len(other.seen)), (1, 0))

    def test_a_response_of_another_server_is_an_error(self) -> None:
        with Server(StubResponse(200, "<html>Sign in</html>", {"Content-Type": "text/html"})) as server:
            with self.assertRaisesRegex(ConnectionError, "text/html.*base_url"):
                server.client().me()

    def test_odd_responses_have_one_clear_error(self) -> None:
        json_type = {"Content-Type": "application/json"}
        for body in ("", '{"success":true,"da', "[" * 200_000, "null", "[1]", '{"message":"hi"}'):
            with self.subTest(body=body[:20]), Server(StubResponse(200, body, json_type)) as server:
                for call in (server.client().me, server.client().documents.list().page):
                    with self.assertRaisesRegex(ConnectionError, "not valid JSON|not from the service"):
                        call()
        with Server(data({"id": "x"})) as server:
            with self.assertRaisesRegex(ConnectionError, "not a list"):
                server.client().documents.list().page()

    def test_odd_failures_are_errors_of_the_api(self) -> None:
        for body in ('{"error":{"code":["x"],"message":5,"details":1},"meta":2}', "[" * 200_000, "[]", ""):
            with self.subTest(body=body[:20]), Server(StubResponse(403, body)) as server:
                with self.assertRaisesRegex(ForbiddenError, "^HTTP 403"):
                    server.client().me()

    def test_a_header_is_sent_once_in_any_case(self) -> None:
        with Server(data({})) as server:
            client = DocumentService(server.url, "k", headers={"user-agent": "mine", "authorization": "no"})
            client.documents.create({"title": "x"}, headers={"idempotency-key": "own"})
            client.request("post", "/v1/documents", body={})
            first, second = server.seen
            self.assertEqual(first.headers["user-agent"], "mine")
            self.assertEqual(first.headers["authorization"], "Bearer k")
            self.assertEqual(first.headers["idempotency-key"], "own")
            self.assertEqual(second.method, "POST")
            self.assertIn("idempotency-key", second.headers)

    def test_calls_any_operation(self) -> None:
        with Server(data({"title": "x"})) as server:
            found = server.client().request("GET", "/v1/documents/{id}", path_params={"id": "doc_1"})
            self.assertEqual(found["title"], "x")


class Files(unittest.TestCase):
    def test_uploads_text_bytes_files_and_paths(self) -> None:
        with Server(data({"id": "doc_1"}, 201)) as server, tempfile.TemporaryDirectory() as folder:
            path = Path(folder, 'a "b" ü.md')
            path.write_bytes(b"# Hi\r\n")
            client = server.client()
            client.documents.import_("# Hi\r\n", file_name="n.md", type="report")
            client.documents.import_(b"# Hi\r\n", external_id="crm/1", format="md")
            client.documents.import_(path)
            with open(path, "rb") as file:
                client.documents.import_(file)
            for seen in server.seen:
                self.assertIn(b"\r\n\r\n# Hi\r\n\r\n--", seen.body)
            first, second, third, fourth = (seen.body.decode() for seen in server.seen)
            self.assertIn('name="type"\r\n\r\nreport\r\n', first)
            self.assertIn('filename="n.md"', first)
            self.assertIn('name="externalId"\r\n\r\ncrm/1\r\n', second)
            self.assertIn('filename="document"', second)
            for body in (third, fourth):
                self.assertIn('filename="a %22b%22 ü.md"', body)

    def test_streams_an_archive_again_after_a_failure(self) -> None:
        responses = [StubResponse(503), data({"id": "job_1"}, 202)]
        with Server(*responses) as server, tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "account.ndjson")
            path.write_bytes(b"{}\n" * 100_000)
            self.assertEqual(server.client().account.import_(path)["id"], "job_1")
            for seen in server.seen:
                self.assertEqual(len(seen.body), 300_000)
                self.assertEqual(seen.headers["content-type"], "application/x-ndjson")

    def test_downloads_a_file_or_nothing(self) -> None:
        whole = StubResponse(200, b"x" * 200_000, {"X-Request-Id": "r", "Content-Type": "application/x-ndjson"})
        cut = StubResponse(200, whole.body, whole.headers, fault="cut")
        with Server(cut, whole) as server, tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "out")
            path.write_bytes(b"old")
            with self.assertRaises(ConnectionError):
                server.client().jobs.download("job_1", path)
            self.assertEqual(path.read_bytes(), b"old")
            server.client().jobs.download("job_1", path)
            self.assertEqual(path.read_bytes(), whole.body)
            self.assertEqual(os.listdir(folder), ["out"])
            self.assertEqual(server.client().jobs.result("job_1"), whole.body)


class Retries(unittest.TestCase):
    def test_passing_failures_are_retried_with_the_same_key(self) -> None:
        cut = data({"id": "doc_1"}, 201)
        cut.fault = "cut"
        for fault in (StubResponse(fault="reset"), cut, *(StubResponse(status) for status in (429, 502, 503, 504))):
            with self.subTest(fault=fault), Server(fault, fault, data({"id": "doc_1"}, 201)) as server:
                self.assertEqual(server.client().documents.create({"title": "x"})["id"], "doc_1")
                keys = {seen.headers["idempotency-key"] for seen in server.seen}
                self.assertEqual((len(server.seen), len(keys)), (3, 1))

    def test_each_call_has_its_own_key_or_the_given_one(self) -> None:
        with Server(data({}, 201)) as server:
            client = server.client()
            client.documents.create({"title": "x"})
            client.documents.create({"title": "x"})
            client.documents.create({"title": "x"}, idempotency_key="mine")
            client.documents.get("doc_1")
            one, other, mine, none = (seen.headers.get("idempotency-key") for seen in server.seen)
            self.assertNotEqual(one, other)
            self.assertEqual((mine, none), ("mine", None))

    def test_waits_as_long_as_retry_after_says(self) -> None:
        for text in ("1", ""):
            later = datetime.now(timezone.utc) + timedelta(seconds=2)
            value = text or format_datetime(later, usegmt=True)
            with Server(StubResponse(429, headers={"Retry-After": value}), page([])) as server:
                server.client().documents.list().page()
                first, second = (seen.at for seen in server.seen)
                self.assertGreaterEqual(second - first, 0.9)

    def test_too_long_a_wait_is_an_error(self) -> None:
        for value, seconds in (("61", 61), ("99999999999999", 9_999_999_999)):
            limited = failure(429, "RATE_LIMIT_EXCEEDED", **{"Retry-After": value})
            with Server(limited) as server:
                with self.assertRaises(RateLimitError) as raised:
                    server.client().me()
                error = raised.exception
                self.assertEqual((error.retry_after, error.attempts), (seconds, 1))

    def test_other_failures_are_not_retried(self) -> None:
        for status in (400, 401, 403, 404, 409, 422, 500, 501):
            with self.subTest(status=status), Server(StubResponse(status)) as server:
                with self.assertRaises(ApiError) as raised:
                    server.client().documents.create({"title": "x"})
                self.assertEqual((raised.exception.status, raised.exception.attempts), (status, 1))
                self.assertEqual(len(server.seen), 1)

    def test_waits_for_the_request_that_still_runs_with_its_key(self) -> None:
        running = failure(409, "INVALID_REQUEST", **{"Retry-After": "0"})
        with Server(running, data({"id": "doc_1"}, 201)) as server:
            server.client().documents.create({"title": "x"})
            self.assertEqual(len(server.seen), 2)

    def test_max_retries_ends_them(self) -> None:
        with Server(StubResponse(503)) as server:
            with self.assertRaises(InternalError) as raised:
                server.client().documents.get("x", max_retries=1)
            self.assertEqual((raised.exception.attempts, raised.exception.uncertain), (2, True))
        with Server(StubResponse(fault="reset")) as server:
            with self.assertRaises(ConnectionError) as lost:
                server.client(max_retries=0).me()
            self.assertEqual((lost.exception.attempts, lost.exception.code), (1, "CONNECTION_ERROR"))

    def test_timeout_covers_the_whole_response(self) -> None:
        def slowly() -> Any:
            while True:
                yield b" "
                time.sleep(0.05)

        slow = StubResponse(200, headers={"Content-Type": "application/json"}, parts=slowly)
        for response in (StubResponse(delay=5), slow):
            with self.subTest(response=response), Server(response) as server:
                begun = time.monotonic()
                with self.assertRaises(TimeoutError) as raised:
                    server.client(timeout=0.2, max_retries=1).me()
                self.assertEqual((raised.exception.code, raised.exception.attempts), ("TIMEOUT", 2))
                self.assertLess(time.monotonic() - begun, 2)

    def test_errors_extend_those_of_python(self) -> None:
        import builtins

        with Server(data({})) as server:
            url = server.url
        with self.assertRaises(builtins.ConnectionError) as raised:
            DocumentService(url, "k", max_retries=0).me()
        self.assertIn(url, str(raised.exception))
        self.assertIsInstance(TimeoutError("late"), builtins.TimeoutError)


class Errors(unittest.TestCase):
    def raised(self, response: StubResponse) -> ApiError:
        with Server(response) as server, self.assertRaises(ApiError) as raised:
            server.client(max_retries=0).me()
        return raised.exception

    def test_class_follows_code_and_status(self) -> None:
        for status, code, kind in (
            (400, "INVALID_REQUEST", InvalidRequestError),
            (401, "UNAUTHORIZED", UnauthorizedError),
            (403, "FORBIDDEN", ForbiddenError),
            (404, "NOT_FOUND", NotFoundError),
            (409, "INVALID_REQUEST", ConflictError),
            (412, "INVALID_REQUEST", ConflictError),
            (429, "RATE_LIMIT_EXCEEDED", RateLimitError),
            (500, "INTERNAL_ERROR", InternalError),
        ):
            error = self.raised(failure(status, code))
            self.assertIs(type(error), kind)
            self.assertEqual((error.status, error.code, error.request_id), (status, code, "req_9"))

    def test_has_the_fields_of_the_response(self) -> None:
        body = {
            "error": {
                "code": "INVALID_REQUEST",
                "message": "title must not be blank.",
                "details": {"field": "title", "future": 1},
                "docUrl": "https://example.com/docs/errors/validation",
            }
        }
        error = self.raised(StubResponse(400, json.dumps(body), {"X-Request-Id": "req_2"}))
        self.assertEqual((str(error), error.message), ("title must not be blank.",) * 2)
        self.assertEqual(dict(error.details), {"field": "title", "future": 1})
        self.assertEqual(error.doc_url, "https://example.com/docs/errors/validation")
        self.assertEqual(error.request_id, "req_2")
        self.assertIsNone(self.raised(failure(404, "NOT_FOUND")).doc_url)

    def test_names_the_oldest_cursor(self) -> None:
        error = self.raised(failure(400, "INVALID_REQUEST", {"oldestCursor": "abc"}))
        assert isinstance(error, ExpiredCursorError)
        self.assertEqual(error.oldest_cursor, "abc")

    def test_is_also_made_of_the_response_of_a_proxy(self) -> None:
        html = "<html><title>Bad Gateway</title><body>nginx</body></html>"
        error = self.raised(StubResponse(502, html, {"Content-Type": "text/html"}))
        self.assertIs(type(error), InternalError)
        self.assertEqual(str(error), "HTTP 502 Bad Gateway: Bad Gateway nginx")
        for body in ("[]", '{"error": null}', '{"error": {"code": 5, "details": []}}', "null"):
            error = self.raised(StubResponse(403, body))
            self.assertEqual((type(error), dict(error.details)), (ForbiddenError, {}))

    def test_can_be_copied(self) -> None:
        error = self.raised(failure(404, "NOT_FOUND", {"field": "id"}))
        for same in (copy.copy(error), pickle.loads(pickle.dumps(error))):
            self.assertEqual((type(same), same.status, same.details), (NotFoundError, 404, error.details))
            self.assertEqual(str(same), str(error))


class Lists(unittest.TestCase):
    def test_requests_pages_when_the_loop_reaches_them(self) -> None:
        with Server(page([1, 2], "c1", True), page([3, 4], "c2", True), page([5])) as server:
            found = server.client().documents.list(limit=2, page=1)
            self.assertEqual(len(server.seen), 0)
            for item in found:
                if item == 2:
                    self.assertEqual(len(server.seen), 1)
            self.assertEqual(
                [seen.path.split("?")[1] for seen in server.seen],
                ["page=1&limit=2", "limit=2&cursor=c1", "limit=2&cursor=c2"],
            )

    def test_pages(self) -> None:
        with Server(page([1, 2], "c1", True), page([3])) as server:
            first = server.client().documents.list().page()
            self.assertEqual((len(first), first.total, first.has_more, list(first)), (2, 5, True, [1, 2]))
            second = first.next()
            assert second is not None
            self.assertEqual((second.data, second.next()), ([3], None))

    def test_orders_without_cursors_use_page_numbers(self) -> None:
        numbered = data([1], pagination={"page": 1, "limit": 1, "total": 2, "hasMore": True, "nextCursor": None})
        with Server(numbered, page([2])) as server:
            self.assertEqual(list(server.client().documents.search("x")), [1, 2])
            self.assertIn("sort=relevance", server.seen[0].path)
            self.assertIn("page=2", server.seen[1].path)

    def test_after_continues_with_after(self) -> None:
        with Server(page([{"id": "1"}], "c1", True), page([], "c2")) as server:
            self.assertEqual(len(list(server.client().events.list(after="start"))), 1)
            self.assertEqual(server.seen[1].path, "/v1/events?after=c1")

    def test_first_stops_early(self) -> None:
        with Server(page([1, 2], "c1", True), page([3, 4], "c2", True)) as server:
            found: Any = server.client().documents.list()
            self.assertEqual(found.first(3), [1, 2, 3])
            self.assertEqual(found.first(0), [])
            self.assertEqual(len(server.seen), 2)


class Updates(unittest.TestCase):
    conflict = failure(412, "INVALID_REQUEST", {"currentVersion": 2})

    def test_a_function_is_called_again_after_a_conflict(self) -> None:
        stored = [data({"version": 1, "content": "a"}), data({"version": 2, "content": "b"})]
        with Server(stored[0], self.conflict, stored[1], data({"version": 3})) as server:
            client = server.client()
            client.documents.update("doc_1", lambda old: {"content": old["content"] + "!"})
            self.assertEqual([seen.method for seen in server.seen], ["GET", "PATCH", "GET", "PATCH"])
            self.assertEqual(json.loads(server.seen[3].body), {"content": "b!"})
            self.assertEqual([seen.headers.get("if-match") for seen in server.seen], [None, '"1"', None, '"2"'])

    def test_none_changes_nothing(self) -> None:
        with Server(data({"version": 1})) as server:
            self.assertEqual(server.client().templates.update("tmpl_1", lambda _: None)["version"], 1)
            self.assertEqual(len(server.seen), 1)

    def test_a_dict_is_not_retried_unless_asked(self) -> None:
        with Server(self.conflict) as server:
            with self.assertRaises(ConflictError):
                server.client().documents.update("doc_1", {"title": "x"}, if_match=1)
            self.assertEqual(len(server.seen), 1)
        with Server(self.conflict, data({"version": 2}), data({"version": 3})) as server:
            done = server.client().documents.update(
                "doc_1", {"title": "x"}, if_match='"1"', retry_on_conflict=True
            )
            self.assertEqual(done["version"], 3)
        with Server(self.conflict, data({"version": 2}), self.conflict, data({"version": 3}), self.conflict) as server:
            with self.assertRaises(ConflictError):
                server.client().documents.update("d", lambda _: {"title": "x"}, if_match=1, retry_on_conflict=1)

    def test_a_change_whose_response_was_lost_is_found(self) -> None:
        for result, raises in (({"version": 2, "title": "x"}, False), ({"version": 3, "title": "x"}, True)):
            with Server(StubResponse(fault="reset"), self.conflict, data(result)) as server:
                client = server.client()
                if raises:
                    with self.assertRaises(ConflictError):
                        client.documents.update("doc_1", {"title": "x"}, if_match=1)
                else:
                    done = client.documents.update("doc_1", {"title": "x"}, if_match=1)
                    self.assertEqual(done["version"], 2)


if __name__ == "__main__":
    unittest.main()
