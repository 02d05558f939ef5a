"""Deliveries to callbacks, signed by Standard Webhooks 1.0."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, cast

from .messages import ChangeEvent, DigestEvent, NoticeEvent, SeriesEvent, WebhookEvent

DeliveredEvent: TypeAlias = WebhookEvent | ChangeEvent | SeriesEvent | DigestEvent | NoticeEvent
"""All events that the service sends. `type` is the kind of event."""

_SECRET_MARK = "whsec_"


class WebhookError(Exception):
    """A delivery that must not be trusted."""


class WebhookSignatureError(WebhookError):
    """None of the secrets signed the delivery."""


class WebhookTimeError(WebhookError):
    """The delivery was signed too long ago, or in the future."""


def unwrap_webhook(
    body: bytes | str,
    headers: Mapping[str, str],
    secrets: str | Sequence[str],
    *,
    tolerance: float = 300,
    now: Callable[[], float] = time.time,
) -> DeliveredEvent:
    """Verifies a delivery by its received body and its headers, and returns the event.

    During a rotation, pass the old and the new secret. A delivery may arrive more than once, with the same header
    `webhook-id`.
    """
    content = body.encode() if isinstance(body, str) else body
    given = {name.lower(): value for name, value in headers.items()}
    identity, at = given.get("webhook-id", ""), given.get("webhook-timestamp", "")
    keys = [_key_of(secret) for secret in ([secrets] if isinstance(secrets, str) else secrets)]
    if not keys:
        raise ValueError("there is no secret")
    text = f"{identity}.{at}.".encode() + content
    signatures = [each.encode() for each in given.get("webhook-signature", "").split(" ")]
    # All signatures are compared, so that the time does not depend on the match.
    matches = [hmac.compare_digest(_signature(key, text), each) for key in keys for each in signatures]
    if identity == "" or not any(matches):
        raise WebhookSignatureError("no signature is by one of the secrets")
    if not at.isdecimal() or abs(now() - int(at)) > tolerance:
        raise WebhookTimeError("its time is too far from now")
    return cast("DeliveredEvent", json.loads(content))


def _key_of(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix(_SECRET_MARK), validate=True)
    except binascii.Error:
        key = b""
    if not key:
        raise ValueError(f"a secret is not base64 after {_SECRET_MARK}")
    return key


def _signature(key: bytes, text: bytes) -> bytes:
    return b"v1," + base64.b64encode(hmac.new(key, text, hashlib.sha256).digest())
