from __future__ import annotations

import json
import threading
import time
import unittest
from itertools import islice
from typing import Any, Iterator, List
from unittest import mock

from document_service import (
    ConnectionError,
    ExpiredCursorError,
    ForbiddenError,
    JobFailedError,
    TimeoutError,
)

from .support import StubResponse, Seen, Server, data, failure, page

QUICK: Any = {"poll_seconds": 0.01, "max_poll_seconds": 0.02}


def event(number: int) -> Any:
    return {"id": f"evt_{number}", "type": "document.created", "data": {"document": {"id": "d"}}}


def message(number: int) -> bytes:
    return f"id: evt_{number}\nevent: document.created\ndata: {json.dumps(event(number))}\n\n".encode()


def stream_of(*parts: bytes, hold: float = 0) -> StubResponse:
    def send() -> Iterator[bytes]:
        yield from parts
        time.sleep(hold)

    return StubResponse(200, headers={"Content-Type": "text/event-stream"}, parts=send)


class Follow(unittest.TestCase):
    def test_yields_each_event_with_the_cursor_after_it(self) -> None:
        cursors: List[str] = []
        responses = (page([event(1), event(2)], "c1", True), page([], "c2"), page([event(3)], "c3"))
        with Server(*responses) as server:
            events = server.client().events.follow(
                after="c0", types=["document.*", "webhook.test"], on_cursor=cursors.append, **QUICK
            )
            found = [(item["id"], item["cursor"]) for item in islice(events, 3)]
            self.assertEqual(found, [("evt_1", "evt_1"), ("evt_2", "c1"), ("evt_3", "c3")])
            self.assertEqual(cursors, ["c1", "c2"])
            self.assertEqual(
                server.seen[0].path,
                "/v1/events?type=document.%2A&type=webhook.test&limit=100&after=c0",
            )
            self.assertTrue(server.seen[2].path.endswith("after=c2"))

    def test_survives_outages_and_limits(self) -> None:
        quick = mock.patch("document_service._events._FIRST_PAUSE", 0.02)
        quick.start()
        self.addCleanup(quick.stop)
        limited = StubResponse(429, headers={"Retry-After": "1"})
        responses = (StubResponse(500), StubResponse(fault="reset"), limited, page([event(1)], "c1"))
        with Server(*responses) as server:
            found = next(server.client(max_retries=0).events.follow(**QUICK))
            self.assertEqual(found["id"], "evt_1")
            self.assertGreaterEqual(server.seen[3].at - server.seen[2].at, 0.99)

    def test_asks_less_often_while_it_is_quiet(self) -> None:
        with Server(*[page([], "c")] * 5, page([event(1)], "c1")) as server:
            events = server.client().events.follow(poll_seconds=0.05, max_poll_seconds=0.2)
            next(events)
            times = [seen.at for seen in server.seen]
            pauses = [later - earlier for earlier, later in zip(times, times[1:])]
            for measured, wanted in zip(pauses, (0.05, 0.1, 0.2, 0.2, 0.2)):
                self.assertGreaterEqual(measured, wanted * 0.9)

    def test_raises_permanent_errors(self) -> None:
        expired = failure(400, "INVALID_REQUEST", {"oldestCursor": "old"})
        for response, kind in ((expired, ExpiredCursorError), (failure(403, "FORBIDDEN"), ForbiddenError)):
            with Server(response) as server, self.assertRaises(kind):
                next(server.client().events.follow(**QUICK))

    def test_close_ends_it_while_it_waits_reads_or_retries(self) -> None:
        quiet = page([], "c")
        stalled = StubResponse(delay=30)
        limited = StubResponse(429, headers={"Retry-After": "30"})
        for response in (quiet, stalled, limited):
            with self.subTest(response=response), Server(response) as server:
                events = server.client().events.follow(poll_seconds=30, max_poll_seconds=30)
                threading.Timer(0.2, events.close).start()
                begun = time.monotonic()
                self.assertEqual(list(events), [])
                self.assertLess(time.monotonic() - begun, 3)
                self.assertEqual(list(events), [])


class Stream(unittest.TestCase):
    def test_reconnects_after_the_last_event(self) -> None:
        responses = (
            page([], "now1"),
            stream_of(b"retry: 10\n: open\n\n", message(1), message(2)[:20]),
            stream_of(message(2), b": heartbeat\n\n", message(3), hold=30),
        )
        with Server(*responses) as server:
            with server.client().events.stream(types=["document.*"], payload="thin") as events:
                found = [item["id"] for item in islice(events, 3)]
            self.assertEqual(found, ["evt_1", "evt_2", "evt_3"])
            self.assertEqual(server.seen[1].path, "/v1/events/stream?types=document.%2A&payload=thin")
            self.assertEqual(
                [seen.headers.get("last-event-id") for seen in server.seen], [None, "now1", "evt_1"]
            )

    def test_reconnects_when_it_is_silent(self) -> None:
        responses = (stream_of(b"retry: 10\n\n", hold=30), stream_of(message(1), hold=30))
        with Server(*responses) as server:
            events = server.client().events.stream(last_event_id="evt_0", silence=0.2)
            self.assertEqual(next(events)["id"], "evt_1")
            events.close()

    def test_outlives_the_timeout_of_requests(self) -> None:
        def slowly() -> Iterator[bytes]:
            for _ in range(4):
                time.sleep(0.1)
                yield b": heartbeat\n\n"
            yield message(1)

        with Server(StubResponse(200, parts=slowly)) as server:
            events = server.client(timeout=0.2).events.stream(last_event_id="evt_0")
            self.assertEqual(next(events)["id"], "evt_1")
            self.assertEqual(len(server.seen), 1)

    def test_close_ends_it_from_another_thread(self) -> None:
        with Server(stream_of(b": open\n\n", hold=30)) as server:
            events = server.client().events.stream(last_event_id="evt_0")
            threading.Timer(0.2, events.close).start()
            begun = time.monotonic()
            self.assertEqual(list(events), [])
            self.assertLess(time.monotonic() - begun, 3)

    def test_raises_permanent_errors(self) -> None:
        with Server(failure(403, "FORBIDDEN")) as server, self.assertRaises(ForbiddenError):
            next(server.client().events.stream(last_event_id="evt_0"))

    def test_an_enhancement_ends(self) -> None:
        with Server(stream_of(b'event: progress\ndata: {"done": 1}\n\nevent: done\ndata: {}\n\n')) as server:
            found = list(server.client().documents.enhancements.stream("doc_1", "enh_1"))
            self.assertEqual(found[0], {"type": "progress", "data": {"done": 1}})
            self.assertEqual(len(found), 2)

    def test_joins_lines_of_data(self) -> None:
        with Server(stream_of(b"data:[1,\r\ndata: 2]\r\nignored: x\r\n\r\n")) as server:
            [found] = server.client().documents.enhancements.stream("doc_1", "enh_1")
            self.assertEqual(found, {"type": "message", "data": [1, 2]})


class Jobs(unittest.TestCase):
    def job(self, status: str, **fields: Any) -> StubResponse:
        return data({"id": "job_1", "status": status, "error": None, "result": None, **fields})

    def test_waits_for_the_result(self) -> None:
        started = self.job("queued")
        started.status = 202
        succeeded = self.job("succeeded", result={"analysisId": "anl_1"})
        responses = (started, self.job("running"), succeeded, data({"id": "anl_1"}))
        with Server(*responses) as server:
            self.assertEqual(server.client().documents.analyze_and_wait("doc_1")["id"], "anl_1")
            self.assertEqual(server.seen[0].body, b"{}")
            self.assertEqual(
                [seen.path for seen in server.seen[1:]],
                ["/v1/jobs/job_1"] * 2 + ["/v1/documents/doc_1/analyses/anl_1"],
            )

    def test_returns_at_once_without_a_job(self) -> None:
        with Server(data({"id": "enh_1", "suggestions": []}, 201)) as server:
            server.client().documents.enhance_and_wait("doc_1", {"goals": ["correct"]})
            self.assertEqual(len(server.seen), 1)

    def test_reports_failed_jobs_and_long_ones(self) -> None:
        for status, error, words in (
            ("failed", {"message": "No space."}, "failed: No space."),
            ("cancelled", None, "was cancelled."),
        ):
            with Server(self.job(status, error=error)) as server:
                with self.assertRaisesRegex(JobFailedError, words) as raised:
                    server.client().jobs.wait("job_1")
                self.assertEqual(raised.exception.job["status"], status)
        with Server(self.job("running")) as server, self.assertRaisesRegex(TimeoutError, "running"):
            server.client().jobs.wait("job_1", max_wait=0.3)

    def test_an_export_waits_for_its_job(self) -> None:
        started = self.job("queued")
        started.status = 202
        file = StubResponse(200, b"PK", {"X-Request-Id": "r", "Content-Type": "application/pdf"})
        with Server(started, self.job("succeeded"), file) as server:
            self.assertEqual(server.client().documents.export("doc_1", format="docx"), b"PK")


class Broken(unittest.TestCase):
    def test_a_broken_enhancement_stream_is_an_error(self) -> None:
        def cut(seen: Seen) -> StubResponse:
            def send() -> Iterator[bytes]:
                yield b"5\r\ndata"

            headers = {"Transfer-Encoding": "chunked"}
            return StubResponse(200, headers=headers, parts=send)

        with Server(cut) as server, self.assertRaises(ConnectionError):
            list(server.client().documents.enhancements.stream("doc_1", "enh_1"))


if __name__ == "__main__":
    unittest.main()
