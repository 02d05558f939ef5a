"""Interrupted files, and invalid deliveries."""

import base64
import json
import os
import socket
import tempfile
import threading
import unittest
from collections.abc import Iterator
from contextlib import contextmanager

from ids_client import Client, NetworkError, WebhookSignatureError, WebhookTimeError, unwrap_webhook

# This is the example of Standard Webhooks 1.0.
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
BODY = b'{"test": 2432232314}'
AT = 1614265330
OTHER = "whsec_" + base64.b64encode(b"another secret of thirty-two by..").decode()


def headers(signature: str) -> dict[str, str]:
    return {
        "Webhook-Id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "Webhook-Timestamp": str(AT),
        "Webhook-Signature": signature,
    }


class Webhooks(unittest.TestCase):
    def test_one_signature_by_one_of_the_secrets_will_do(self) -> None:
        for secrets, signature in (
            (SECRET, SIGNATURE),
            ([SECRET], f"v1,AAAA {SIGNATURE}"),
            ([OTHER, SECRET], SIGNATURE),
        ):
            event = unwrap_webhook(BODY, headers(signature), secrets, now=lambda: AT)
            self.assertEqual(event, json.loads(BODY))
        unwrap_webhook(BODY.decode(), headers(SIGNATURE), SECRET, now=lambda: AT)

    def test_any_other_is_refused(self) -> None:
        for secret, signature in (
            (OTHER, SIGNATURE),
            (SECRET, "v1a" + SIGNATURE[2:]),
            (SECRET, ""),
            (SECRET, SIGNATURE[:20]),
            (SECRET, "v1,ö"),
        ):
            with self.assertRaises(WebhookSignatureError):
                unwrap_webhook(BODY, headers(signature), secret, now=lambda: AT)
        with self.assertRaises(WebhookSignatureError):
            unwrap_webhook(BODY + b" ", headers(SIGNATURE), SECRET, now=lambda: AT)
        with self.assertRaises(WebhookSignatureError):
            unwrap_webhook(BODY, {}, SECRET, now=lambda: AT)
        none: list[str] = []
        for secrets in (none, "", "whsec_", "whsec_%"):
            with self.assertRaises(ValueError):
                unwrap_webhook(BODY, headers(SIGNATURE), secrets, now=lambda: AT)

    def test_one_of_another_time_is_refused(self) -> None:
        for shift in (-300, 300):
            unwrap_webhook(BODY, headers(SIGNATURE), SECRET, now=lambda: AT + shift)
        for shift, tolerance in ((-301, 300), (301, 300), (2, 1)):
            with self.assertRaises(WebhookTimeError):
                unwrap_webhook(BODY, headers(SIGNATURE), SECRET, tolerance=tolerance, now=lambda: AT + shift)


@contextmanager
def breaking(head: bytes, body: bytes) -> Iterator[str]:
    """A server that closes the connection after these bytes."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                with connection:
                    connection.recv(65_536)
                    connection.sendall(b"HTTP/1.1 200 OK\r\n" + head + b"\r\n\r\n" + body)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
        server.shutdown(socket.SHUT_RDWR)
        thread.join()


class Files(unittest.TestCase):
    def test_a_file_that_breaks_off_is_an_error_however_it_is_read(self) -> None:
        for head, body in (
            (b"Transfer-Encoding: chunked", b"8\r\nid\n1\n2\n3\r\n"),
            (b"Content-Length: 100", b"id\n1\n"),
        ):
            with breaking(head, body) as url, Client(url) as client, tempfile.TemporaryDirectory() as folder:
                read = client.list_conflict_events
                for way in (
                    lambda: read.file("csv").read(),
                    lambda: list(read.file("csv")),
                    lambda: read.file("csv").save(os.path.join(folder, "a.csv")),
                ):
                    with self.assertRaises(NetworkError):
                        way()
                self.assertEqual(os.listdir(folder), [])


if __name__ == "__main__":
    unittest.main()
