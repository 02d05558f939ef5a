"""Requests, their retries, and the results of responses."""

import inspect
import json
import logging
import pydoc
import unittest
from datetime import date, datetime, timezone
from typing import Any

import httpx
from ids_client import (
    CallTimeoutError,
    Client,
    ForbiddenError,
    IdsError,
    NetworkError,
    PagingError,
    ScenarioFailedError,
    ServerError,
    ValidationError,
)
from ids_client.errors import retry_after
from scripted import Reply, answer, scripted


def read(client: Client) -> Any:
    return client.get_caller()


def write(client: Client) -> Any:
    return client.create_account(id="acme")


def streamed(*events: str) -> httpx.Response:
    return httpx.Response(200, content="".join(f"{event}\n\n" for event in events).encode())


class Following(unittest.TestCase):
    def test_a_stream_that_breaks_is_opened_again_where_it_was(self) -> None:
        server = scripted(
            streamed("retry: 2000\nid: 3", "event: appeared\nid: 4\ndata: {\"subject\": \"a\u2028b\"}", ": alive"),
            httpx.ReadError("gone"),
            answer(503, Retry_After="5"),
            streamed("id: 6", 'event: changed\nid: 7\ndata: {"subject": "c"}', "event: end\nid: 7"),
        )
        positions: list[int] = []
        followed = server.client().changes(country="UA", kinds=["appeared"], after=2, on_position=positions.append)
        subjects = [next(followed)["subject"], next(followed)["subject"]]
        followed.close()  # type: ignore[attr-defined]
        self.assertEqual((subjects, positions), (["a\u2028b", "c"], [3, 4, 6]))
        first, *again = server.requests
        self.assertEqual(first.url.query, b"countries=UA&kinds=appeared&after=2")
        self.assertNotIn("last-event-id", first.headers)
        self.assertEqual([each.headers["last-event-id"] for each in again], ["4"] * 3)
        self.assertEqual(server.waits, [1.5, 0.25, 5.5])

    def test_what_coming_back_does_not_mend_ends_it(self) -> None:
        for status in (400, 401, 403, 410):
            server = scripted(answer(status))
            with self.assertRaises(IdsError) as ended:
                next(server.client().changes())
            self.assertEqual((ended.exception.status, len(server.requests)), (status, 1))


class Refusing(unittest.TestCase):
    def test_a_key_that_no_header_can_hold_is_refused_before_any_call(self) -> None:
        for key in ("ключ", "ids_\nx"):
            with self.assertRaisesRegex(ValueError, "api_key must contain only printable ASCII"):
                Client("https://ids.example.org", api_key=key)

    def test_a_bad_expression_tells_what_is_wrong_with_it(self) -> None:
        server = scripted(answer(400, {"_jmespath_error": "invalid_expression: Syntax error", "original_keys": []}))
        with self.assertRaisesRegex(ValidationError, "invalid_expression: Syntax error"):
            server.client().list_internet_outages.project("[")


class Sending(unittest.TestCase):
    def test_a_time_may_be_a_date_or_a_datetime(self) -> None:
        server = scripted(answer(), answer())
        client = server.client()
        client.list_conflict_events(start=date(2026, 11, 1), end=datetime(2026, 11, 2, tzinfo=timezone.utc))
        client.list_conflict_events(start=1793491200000)
        first, second = server.requests
        self.assertEqual(first.url.params["start"], "2026-11-01")
        self.assertEqual(first.url.params["end"], "2026-11-02T00:00:00+00:00")
        self.assertEqual(second.url.params["start"], "1793491200000")

    def test_a_read_accepts_an_earlier_time_and_a_parameter_that_python_reserves(self) -> None:
        server = scripted(answer())
        client = server.client()
        client.get_series(series="gas.fill", keys=["EU"], from_=date(2026, 11, 1), as_of=date(2026, 11, 2))
        client.list_internet_outages(as_of="2026-11-02", updated_after=date(2026, 11, 1))
        first, second = server.requests
        self.assertEqual(first.url.query, b"series=gas.fill&keys=EU&from=2026-11-01&as_of=2026-11-02")
        self.assertEqual(second.url.query, b"as_of=2026-11-02&updated_after=2026-11-01")

    def test_a_read_is_in_its_address_and_a_write_in_its_body(self) -> None:
        server = scripted(answer())
        client = server.client(api_key="ids_secret", user_agent="watch/2", headers={"X-Team": "sea"})
        client.list_conflict_events(start=5, event_type=["battles", "non-state conflict"], limit=None)
        client.get_webhook(subscriber_id="a/b")
        client.run_scenario(scenario_id="s", disruption_pct=0)
        client.delete_webhook(subscriber_id="w")
        listed, got, ran, deleted = server.requests
        self.assertEqual(
            str(listed.url),
            "https://ids.example.org/api/conflict/v1/list-conflict-events"
            "?start=5&event_type=battles&event_type=non-state%20conflict".replace("%20", "+"),
        )
        self.assertEqual(got.url.raw_path, b"/api/v2/shipping/webhooks/a%2Fb")
        self.assertEqual((ran.method, json.loads(ran.content)), ("POST", {"scenarioId": "s", "disruptionPct": 0}))
        self.assertEqual((deleted.method, deleted.url.path), ("DELETE", "/api/v2/shipping/webhooks/w"))
        for request in server.requests:
            self.assertEqual(request.headers["x-service-key"], "ids_secret")
            self.assertEqual(request.headers["x-team"], "sea")
            self.assertRegex(request.headers["user-agent"], r"^watch/2 ids-python/1\.0\.0 \(Python 3")
            self.assertEqual("idempotency-key" in request.headers, request.method != "GET")
        self.assertNotEqual(ran.headers["idempotency-key"], deleted.headers["idempotency-key"])

    def test_what_is_said_for_one_call_holds_for_that_one(self) -> None:
        server = scripted(answer(500))
        client = server.client(headers={"X-Team": "sea", "X-Own": "1"})
        one = client.with_options(retries=0, headers={"X-Team": "air"}, idempotency_key="once", api_key="k", timeout=5)
        for call, caller in ((write, one), (read, client)):
            with self.assertRaises(ServerError):
                call(caller)
        first, *others = server.requests
        self.assertEqual(len(others), 3)
        self.assertEqual((first.headers["x-team"], first.headers["x-own"]), ("air", "1"))
        self.assertEqual((first.headers["idempotency-key"], first.headers["x-service-key"]), ("once", "k"))
        self.assertEqual(first.extensions["timeout"]["read"], 5)
        self.assertEqual((others[0].headers["x-team"], others[0].extensions["timeout"]["read"]), ("sea", 30))
        self.assertNotIn("x-service-key", others[0].headers)

    def test_operations_tell_their_documentation_of_the_class_and_of_a_client(self) -> None:
        client = scripted(answer()).client()
        for operation in (Client.list_global_tenders, client.list_global_tenders):
            self.assertIn("procurement notices", operation.__doc__ or "")
        self.assertIn("page_size", inspect.signature(client.list_global_tenders).parameters)
        self.assertIn("procurement notices", pydoc.render_doc(Client))

    def test_an_address_that_is_none_is_refused(self) -> None:
        for url in ("", "127.0.0.1:8080", "ftp://ids.example.org", "https://"):
            with self.assertRaises(ValueError):
                Client(url)

    def test_the_log_tells_of_each_attempt_and_of_no_key(self) -> None:
        server = scripted(answer(503, retry_after="2"), answer())
        with self.assertLogs("ids_client", logging.DEBUG) as log:
            read(server.client(api_key="ids_secret", headers={"Authorization": "Bearer ids_secret"}))
        text = "\n".join(log.output)
        self.assertEqual(len(log.output), 3)
        self.assertIn("get-caller: 503 in", text)
        self.assertIn("retry after 2.25 s", text)
        self.assertNotIn("ids_secret", text)


class Retries(unittest.TestCase):
    def attempts(self, reply: Reply, reads: int, writes: int) -> None:
        for call, want in ((read, reads), (write, writes)):
            server = scripted(reply)
            with self.subTest(call.__name__, reply=reply), self.assertRaises(IdsError):
                call(server.client())
            self.assertEqual(len(server.requests), want, (call.__name__, reply))

    def test_reads_are_retried_after_faults_and_writes_when_the_service_says_when(self) -> None:
        for status in (429, 503):
            self.attempts(answer(status, retry_after="7"), 3, 3)
        for status in (408, 429, 500, 502, 503, 504):
            self.attempts(answer(status), 3, 1)
        for status in (400, 401, 403, 404, 409, 422):
            self.attempts(answer(status), 1, 1)
        self.attempts(answer(429, retry_after="3600"), 1, 1)
        self.attempts(answer(500, x_should_retry="false"), 1, 1)
        self.attempts(answer(429, retry_after="1", x_should_retry="false"), 1, 1)
        self.attempts(answer(409, x_should_retry="true"), 3, 3)
        self.attempts(httpx.RemoteProtocolError("cut"), 3, 1)
        self.attempts(httpx.ReadTimeout("late"), 1, 1)

    def test_waits_grow_and_begin_with_what_the_service_asks_for(self) -> None:
        server = scripted(answer(503, retry_after="2"), answer(503), answer(503), answer(503), answer(503), answer(503), answer())
        read(server.client(retries=6))
        self.assertEqual(server.waits, [2.25, 0.5, 1.0, 2.0, 4.0, 4.0])

    def test_attempts_of_a_write_are_one_write(self) -> None:
        server = scripted(answer(503, retry_after="1"), answer(body={"account": {"id": "acme"}}, x_request_id="r"))
        answered = server.client().create_account.with_response(id="acme")
        first, second = (request.headers["idempotency-key"] for request in server.requests)
        self.assertEqual(first, second)
        self.assertEqual((answered.response.attempts, answered.response.request_id), (2, "r"))

    def test_a_date_is_understood_as_a_time_to_come_back(self) -> None:
        now = datetime(2026, 11, 18, 12, tzinfo=timezone.utc)
        for text, seconds in (
            ("7", 7.0),
            ("Wed, 18 Nov 2026 12:00:30 GMT", 30.0),
            ("Wed, 18 Nov 2026 11:00:00 GMT", 0.0),
            ("soon", None),
            (None, None),
        ):
            self.assertEqual(retry_after(text, now), seconds)


class Failures(unittest.TestCase):
    def test_a_failure_tells_what_its_body_says(self) -> None:
        body = {"error": "Upgrade required", "code": "subscription_lapsed", "requiredTier": 2, "currentTier": 0}
        with self.assertRaises(ForbiddenError) as caught:
            read(scripted(answer(403, {**body, "planKey": "free", "upgradeUrl": "/p"}, x_request_id="r-1")).client())
        error = caught.exception
        self.assertEqual((error.required_tier, error.current_tier, error.plan_key), (2, 0, "free"))
        self.assertEqual((error.code, error.upgrade_url, error.request_id), ("subscription_lapsed", "/p", "r-1"))
        self.assertEqual((str(error), error.status), ("403: Upgrade required", 403))
        nested = {"error": {"message": "Upgrade required", "data": {"requiredTier": 1, "planKey": "free"}}}
        with self.assertRaisesRegex(ForbiddenError, "403: Upgrade required"):
            read(scripted(answer(403, nested)).client())

    def test_what_a_proxy_writes_is_a_failure_too(self) -> None:
        for content in (b"<h1>Oh</h1>", b"", b"\xff", b"[1]", b'{"violations": [3, {}], "error": {}}'):
            reply = httpx.Response(400, content=content)
            with self.assertRaises(ValidationError) as caught:
                read(scripted(reply).client())
            self.assertTrue(caught.exception.request_id)

    def test_an_answer_that_is_no_json_is_a_failure(self) -> None:
        with self.assertRaises(IdsError) as caught:
            read(scripted(httpx.Response(200, content=b"<h1>Log in</h1>")).client())
        self.assertEqual(caught.exception.status, 200)

    def test_no_answer_is_a_network_error_and_silence_a_timeout(self) -> None:
        with self.assertRaises(NetworkError) as lost:
            read(scripted(httpx.ConnectError("refused")).client(retries=0))
        self.assertEqual(lost.exception.status, 0)
        with self.assertRaises(TimeoutError) as late:
            read(scripted(httpx.ReadTimeout("")).client())
        self.assertIsInstance(late.exception, CallTimeoutError)


class Pages(unittest.TestCase):
    def test_each_kind_of_cursor_is_followed(self) -> None:
        kinds: tuple[tuple[str, str, str, list[dict[str, Any]]], ...] = (
            ("list_global_tenders", "tenders", "cursor", [{"nextCursor": "a"}, {"nextCursor": ""}]),
            ("list_accounts", "accounts", "cursor", [{"pagination": {"nextCursor": "a"}}, {"pagination": {"nextCursor": ""}}]),
            ("list_conflict_events", "events", "after", [
                {"nextAfter": "a", "pagination": {"nextCursor": ""}},
                {"nextAfter": "", "pagination": {"nextCursor": "z"}},
            ]),
        )
        for name, items, cursor, pages in kinds:
            server = scripted(*(answer(body={items: [{"id": n}], **page}) for n, page in enumerate(pages)))
            found = list(getattr(server.client(), name).items())
            self.assertEqual(found, [{"id": 0}, {"id": 1}])
            self.assertEqual([r.url.params.get(cursor) for r in server.requests], [None, "a"])

    def test_an_answer_that_does_not_lead_on_is_an_error_and_no_end(self) -> None:
        silent: list[Any] = [{}, {"tenders": []}, {"tenders": [], "nextCursor": None}, [], {"nextCursor": ""}]
        for body in silent:
            with self.assertRaises(PagingError):
                list(scripted(answer(body=body)).client().list_global_tenders.items())
        with self.assertRaises(PagingError):
            list(scripted(answer(body={"accounts": [], "nextCursor": ""})).client().list_accounts.items())
        endless = scripted(answer(body={"tenders": [], "nextCursor": "a"}))
        with self.assertRaises(PagingError):
            list(endless.client().list_global_tenders.pages())
        self.assertEqual(len(endless.requests), 2)


class Scenarios(unittest.TestCase):
    def test_a_scenario_is_waited_for_at_growing_intervals_or_as_the_service_says(self) -> None:
        pending = answer(body={"status": "pending", "error": ""})
        done = answer(body={"status": "done", "error": "", "result": {"scenarioId": "s"}})
        told = answer(body={"status": "processing", "error": ""}, retry_after="30")
        server = scripted(pending, told, pending, pending, pending, pending, done)
        self.assertEqual(server.client().wait_for_scenario("scenario:1")["scenarioId"], "s")
        self.assertEqual(server.waits, [1.0, 30.0, 4.0, 8.0, 10.0, 10.0])
        with self.assertRaises(CallTimeoutError):
            scripted(pending).client().wait_for_scenario("scenario:1", timeout=5)
        with self.assertRaises(ScenarioFailedError):
            failed = answer(body={"status": "failed", "error": "computation_error"})
            scripted(failed).client().wait_for_scenario("scenario:1")


if __name__ == "__main__":
    unittest.main()
