"""Tests against the service at IDS_URL, with the keys in variables."""

import http.server
import importlib.util
import itertools
import json
import os
import tempfile
import threading
import unittest
from datetime import datetime, timezone
from typing import Any
from unittest import mock

import ids_client
from ids_client import Client
from ids_client.calls import PageWalk
from ids_client.tables import PagedTableRead

URL = os.environ.get("IDS_URL", "")
NOW = datetime.fromisoformat(os.environ.get("IDS_TIME", "2026-11-18T12:00:00Z").replace("Z", "+00:00")).timestamp()
SIXTY_DAYS_AGO = int((NOW - 60 * 86_400) * 1_000)


def started(variable: str, **options: Any) -> Client:
    client = Client(URL, api_key=os.environ.get(variable), **options)
    unittest.addModuleCleanup(client.close)
    return client


@unittest.skipUnless(URL, "IDS_URL names no started service")
class Calls(unittest.TestCase):
    def test_a_filter_narrows_what_is_listed_and_the_answer_tells_how_it_came(self) -> None:
        client = started("IDS_API_KEY")
        answer = client.list_internet_outages.with_response(country="SY")
        self.assertTrue(answer.data["outages"])
        self.assertEqual({outage["country"] for outage in answer.data["outages"]}, {"SY"})
        self.assertEqual((answer.response.status, answer.response.attempts), (200, 1))
        self.assertTrue(answer.response.request_id)
        self.assertTrue(answer.response.data.sample)
        self.assertFalse(answer.response.data.stale)
        self.assertEqual(client.list_internet_outages(country="SY"), answer.data)
        titles = client.list_internet_outages.project("outages[].title", country="SY")
        self.assertEqual(titles, [outage["title"] for outage in answer.data["outages"]])

    def test_a_read_returns_earlier_data_and_its_citation(self) -> None:
        client = started("IDS_API_KEY")
        today = datetime.fromtimestamp(NOW, timezone.utc).date()
        answer = client.list_internet_outages.with_response(country="SY", as_of=today)
        self.assertTrue(answer.data["outages"])
        self.assertIn("x-as-of", answer.response.headers)
        self.assertIn("list-internet-outages?country=SY", client.list_internet_outages.cite("text", country="SY"))
        self.assertTrue(client.list_internet_outages.cite("bibtex").startswith("@"))

    def test_an_enum_is_said_and_answered_by_its_name(self) -> None:
        outages = started("IDS_API_KEY").list_internet_outages(severity=["OUTAGE_SEVERITY_TOTAL"])["outages"]
        self.assertEqual({outage["severity"] for outage in outages}, {"OUTAGE_SEVERITY_TOTAL"})

    def test_an_int64_is_a_number_both_ways(self) -> None:
        client = started("IDS_OPERATOR_KEY")
        events = client.list_conflict_events(limit=1, sort="oldest")["events"]
        at = events[0]["occurredAt"]
        self.assertIsInstance(at, int)
        later = client.list_conflict_events(start=at + 1, limit=1, sort="oldest")["events"]
        self.assertGreater(later[0]["occurredAt"], at)
        snapshot = client.list_company_event_impacts()["snapshot"]
        self.assertIsInstance(snapshot["snapshotGeneration"], int)

    def test_a_country_is_understood_by_its_name(self) -> None:
        client = started("IDS_API_KEY")
        self.assertEqual(
            client.get_energy_crisis_policies(country="Germany"), client.get_energy_crisis_policies(country_code="DE")
        )

    def test_each_refusal_is_an_exception_of_its_own(self) -> None:
        with self.assertRaises(ids_client.ValidationError) as broken:
            started("IDS_API_KEY").reverse_geocode(lat=91, lon=0)
        self.assertEqual([each.field for each in broken.exception.violations], ["lat"])
        self.assertTrue(broken.exception.violations[0].description)
        self.assertIn("lat: ", str(broken.exception))
        with self.assertRaises(ids_client.UnauthorizedError) as stranger:
            started("IDS_NO_KEY").list_internet_outages()
        self.assertEqual(stranger.exception.status, 401)
        with self.assertRaises(ids_client.ForbiddenError) as low:
            started("IDS_FREE_KEY").list_global_tenders()
        self.assertEqual((low.exception.required_tier, low.exception.current_tier), (1, 0))
        with self.assertRaises(ids_client.NotFoundError) as absent:
            started("IDS_API_KEY").get_webhook(subscriber_id="wh_000102030405060708090a0b")
        self.assertTrue(absent.exception.request_id)

    def test_a_limit_says_when_to_come_back(self) -> None:
        client = started("IDS_FREE_KEY", retries=0)
        with self.assertRaises(ids_client.RateLimitError) as limited:
            for _ in range(1_000):
                client.list_internet_outages(country="SY")
        self.assertEqual(limited.exception.status, 429)
        self.assertGreater(limited.exception.retry_after or 0, 0)
        self.assertGreater(limited.exception.limit or 0, 0)
        self.assertEqual(limited.exception.remaining, 0)
        self.assertIsNotNone(limited.exception.reset)

    def test_without_a_key_all_pages_name_the_way_to_the_first_page(self) -> None:
        keyless = Client(URL)
        self.addCleanup(keyless.close)
        with self.assertRaisesRegex(ids_client.UnauthorizedError, r"with_options\(all_pages=False\)"):
            keyless.list_conflict_events.file("csv", country="SD")
        with keyless.with_options(all_pages=False).list_conflict_events.file("csv", country="SD") as file:
            self.assertTrue(b"".join(file).startswith(b"id,"))

    def test_a_write_that_is_sent_twice_is_done_once(self) -> None:
        client = started("IDS_OPERATOR_KEY").with_options(idempotency_key="python-once")
        for replayed in ("false", "true"):
            answer = client.create_account.with_response(id="python-once")
            self.assertEqual(answer.data.get("account", {}).get("id"), "python-once")
            self.assertEqual(answer.response.headers["idempotent-replayed"], replayed)

    def test_a_batch_answers_each_read(self) -> None:
        path = "/api/conflict/v1/list-conflict-events?country=SD&limit=1"
        answers = started("IDS_API_KEY").run_batch(requests=[{"id": "a", "path": path}, {"path": "/api/none"}])
        self.assertEqual([each["status"] for each in answers["responses"]], [200, 404])

    def test_parameters_that_do_not_exist_or_lack_are_type_errors(self) -> None:
        client: Any = started("IDS_API_KEY")
        for wrong in ({"land": "SY"}, {"job_id": "a", "jobId": "b"}, {}):
            with self.assertRaises(TypeError):
                client.get_scenario_status(**wrong)

    def test_a_scenario_is_run_and_waited_for(self) -> None:
        client = started("IDS_API_KEY")
        job = client.run_scenario(scenario_id="panama-drought-50pct")
        result = client.wait_for_scenario(job["jobId"], timeout=25)
        self.assertEqual(result["scenarioId"], "panama-drought-50pct")

    def test_a_delivery_is_unwrapped_by_the_old_secret_and_the_new(self) -> None:
        with Receiver() as receiver:
            client = started("IDS_API_KEY")
            made = client.register_webhook(callback_url=receiver.url, chokepoint_ids=["suez"])
            rotated = client.rotate_webhook_secret(subscriber_id=made["subscriberId"])
            client.test_webhook(subscriber_id=made["subscriberId"])
            self.assertTrue(receiver.arrived.wait(20))
            client.delete_webhook(subscriber_id=made["subscriberId"])
        for secret in (made["secret"], rotated["secret"]):
            event = ids_client.unwrap_webhook(receiver.body, receiver.headers, secret, now=lambda: NOW)
            assert event["type"] == "webhook.test"
            self.assertEqual(event["data"]["chokepointId"], "suez")


@unittest.skipUnless(URL, "IDS_URL names no started service")
class Lists(unittest.TestCase):
    def test_every_paged_read_is_walked_to_its_end_once_and_in_order(self) -> None:
        client = started("IDS_OPERATOR_KEY")
        paged = [name for name in dir(type(client)) if isinstance(getattr(client, name), PageWalk)]
        # Reading the first list adds requests to it, and the second is not a table.
        for other in ("list_requests", "list_changes"):
            paged.remove(other)
        self.assertGreater(len(paged), 5)
        for name in paged:
            with self.subTest(name):
                read: PagedTableRead[..., Any, Any] = getattr(client, name)
                said = {}
                if name == "list_company_event_changes":
                    said["cursor"] = os.environ["IDS_POLL_CURSOR"]
                rows = [json.loads(line) for line in read.file("ndjson", **said).read().splitlines()]
                self.assertGreater(len(rows), 2)
                size = "limit" if name == "list_conflict_events" else "page_size"
                items = list(read.items(**said, **{size: min(len(rows) // 3, 100)}))
                self.assertEqual(len(items), len(rows))
                for item, row in zip(items, rows, strict=True):
                    texts = {
                        member: value
                        for member, value in item.items()
                        if isinstance(value, str) and isinstance(row.get(member), str) and not member.endswith("At")
                    }
                    self.assertTrue(texts)
                    self.assertEqual(texts, {member: row[member] for member in texts})

    def test_the_log_of_changes_is_walked_to_its_end_and_followed(self) -> None:
        client = started("IDS_OPERATOR_KEY")
        whole = client.list_changes(limit=1_000)
        self.assertFalse(whole["more"])
        self.assertGreater(len(whole["changes"]), 2)
        self.assertEqual(list(client.list_changes.items(limit=1)), whole["changes"])
        pages = list(client.list_changes.pages(limit=1))
        self.assertEqual([page["nextPosition"] for page in pages], [each["position"] for each in whole["changes"]])
        followed = client.changes(after=0)
        self.assertEqual(list(itertools.islice(followed, 3)), whole["changes"][:3])
        country = client.changes(country="Atlantis")
        with self.assertRaises(ids_client.ValidationError):
            next(country)

    def test_all_tenders_are_those_of_the_total_and_fewer_where_fewer_are_wanted(self) -> None:
        client = started("IDS_API_KEY")
        pages = list(client.list_global_tenders.pages(page_size=100))
        ids = [tender["id"] for page in pages for tender in page["tenders"]]
        self.assertEqual(len(set(ids)), pages[0]["total"])
        self.assertGreater(len(pages), 1)
        some = itertools.islice(client.list_global_tenders.items(page_size=7), 10)
        self.assertEqual([tender["id"] for tender in some], ids[:10])

    def test_files_have_all_rows_unless_one_page_is_wanted(self) -> None:
        client = started("IDS_OPERATOR_KEY")
        total = client.list_global_tenders()["total"]
        with client.list_global_tenders.file("ndjson") as file:
            self.assertEqual(b"".join(file).count(b"\n"), total)
            self.assertTrue(file.response.data.sample)
            self.assertEqual(file.next_cursor, "")
        one_page = client.with_options(all_pages=False).list_global_tenders
        page = one_page.file("ndjson", page_size=3)
        first = page.read()
        self.assertEqual(first.count(b"\n"), 3)
        self.assertNotEqual(one_page.file("ndjson", page_size=3, cursor=page.next_cursor).read(), first)
        statuses = client.list_global_tenders.rows("sourceStatuses").file("ndjson").read()
        self.assertEqual(statuses.count(b"\n"), len(client.list_global_tenders()["sourceStatuses"]))
        renamed = client.list_global_tenders.rows("sourceStatuses").snake_case().file("csv").read()
        self.assertIn(b",last_successful_at,", renamed)
        self.assertTrue(client.list_conflict_events.file("xlsx", country="SD").read().startswith(b"PK"))

    def test_a_file_has_its_name_only_when_it_is_whole(self) -> None:
        client = started("IDS_EXPORT_KEY")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "events.csv")
            client.list_conflict_events.file("csv", country="SD").save(path)
            self.assertEqual(os.listdir(folder), ["events.csv"])
            # The plan permits fewer rows per day.
            after = client.list_conflict_events(start=SIXTY_DAYS_AGO, limit=1)["nextAfter"]
            with self.assertRaises(ids_client.RateLimitError):
                client.list_conflict_events.file("ndjson", start=SIXTY_DAYS_AGO, after=after).save(path + ".all")
            self.assertEqual(os.listdir(folder), ["events.csv"])
        with self.assertRaises(ids_client.RateLimitError):
            client.list_conflict_events.file("ndjson", start=SIXTY_DAYS_AGO)

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "pandas is not there")
    def test_a_frame_has_all_rows_and_a_rejected_one_is_an_error(self) -> None:
        client = started("IDS_OPERATOR_KEY")
        frame = client.list_global_tenders.to_pandas()
        self.assertEqual(list(frame["id"]), [tender["id"] for tender in client.list_global_tenders.items()])
        with mock.patch("importlib.util.find_spec", return_value=None):
            by_csv = client.list_global_tenders.to_pandas()
        self.assertEqual(list(by_csv["id"]), list(frame["id"]))
        for keys in (["SD"], ["SD", "UA"]):
            with self.assertWarnsRegex(UserWarning, "SD is not one of them"):
                client.get_series.to_pandas(series="risk.score", keys=keys)
        with self.assertWarnsRegex(UserWarning, "missing in the data: events before 20"):
            client.list_conflict_events.to_pandas(country="SD", start="2020-01-01")
        with self.assertRaisesRegex(ids_client.NotFoundError, "A box is required"):
            client.list_military_bases.to_pandas(country="DE")
        limited = started("IDS_FRAME_KEY").list_conflict_events
        after = limited(start=SIXTY_DAYS_AGO, limit=1)["nextAfter"]
        with self.assertRaises(ids_client.RateLimitError):
            limited.to_pandas(start=SIXTY_DAYS_AGO, after=after)


class Receiver:
    """Receives one delivery."""

    def __init__(self) -> None:
        receiver = self
        self.body = b""
        self.headers: dict[str, str] = {}
        self.arrived = threading.Event()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                receiver.headers = dict(self.headers.items())
                receiver.body = self.rfile.read(int(self.headers["content-length"]))
                self.send_response(204)
                self.end_headers()
                receiver.arrived.set()

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/hook"

    def __enter__(self) -> "Receiver":
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


if __name__ == "__main__":
    unittest.main()
