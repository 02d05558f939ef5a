"""Failures of calls."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar

MemberT = TypeVar("MemberT")


@dataclass(frozen=True)
class Violation:
    """One rule that a request broke."""

    field: str
    """The query parameter, body path or header."""
    description: str
    """The rule, for people."""


class IdsError(Exception):
    """Any failure of a call."""

    status: int = 0
    """HTTP status, 0 if there was no response."""
    request_id: str = ""
    """Finds the request in the service's log."""
    retry_after: float | None = None
    """Seconds to wait before a retry, if the service sent them."""
    should_retry: bool | None = None
    """Whether a retry may help, if the service sent it."""
    body: Any = None
    """Body of the response, decoded if it is JSON."""
    code: str = ""
    """The reason if there are several: `subscription_lapsed`, `idempotency_conflict` and others."""


class ValidationError(IdsError):
    """400: the request broke one or more rules."""

    @property
    def violations(self) -> tuple[Violation, ...]:
        """The rules."""
        return _violations(self.body)


class UnauthorizedError(IdsError):
    """401: the key is missing, malformed, unknown, revoked or expired."""


class ForbiddenError(IdsError):
    """403: the key is valid, but its subscription, tier or scope is not sufficient. A retry does not help."""

    @property
    def required_tier(self) -> int | None:
        """The minimum tier of the operation."""
        return _member(self.body, "requiredTier", int)

    @property
    def current_tier(self) -> int | None:
        """The account's tier."""
        return _member(self.body, "currentTier", int)

    @property
    def plan_key(self) -> str | None:
        """The account's plan."""
        return _member(self.body, "planKey", str)

    @property
    def upgrade_url(self) -> str | None:
        """URL where you can get a plan that covers the operation."""
        return _member(self.body, "upgradeUrl", str)


class NotFoundError(IdsError):
    """404: the requested item does not exist."""


class ConflictError(IdsError):
    """409: a write with this idempotency key is in progress, or the state does not permit the write."""


class RateLimitError(IdsError):
    """429: a limit was reached. `retry_after` is the time until it ends."""

    limit: int | None = None
    """Requests allowed in the window."""
    remaining: int | None = None
    """Requests left in the window."""
    reset: datetime | None = None
    """End of the window, in UTC."""


class ServerError(IdsError):
    """5xx: the service or one of its dependencies failed."""


class NetworkError(IdsError):
    """There was no response, or it was interrupted."""


class CallTimeoutError(NetworkError, TimeoutError):
    """The service sent no data until the timeout."""


class PagingError(IdsError):
    """A response does not say whether there is a next page, or its next page is the same page."""


_by_status: Mapping[int, type[IdsError]] = {
    400: ValidationError,
    401: UnauthorizedError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    429: RateLimitError,
}


def error_of(status: int, headers: Mapping[str, str], content: bytes, request_id: str) -> IdsError:
    """Returns the error of a response. The body may be written by a proxy and not be JSON."""
    try:
        body = json.loads(content)
    except ValueError:
        body = content.decode("utf-8", "replace")
    kind = _by_status.get(status, ServerError if status >= 500 else IdsError)
    error = kind(_text(status, body))
    error.status = status
    error.body = body
    error.request_id = headers.get("x-request-id", request_id)
    error.retry_after = retry_after(headers.get("retry-after"), datetime.now(timezone.utc))
    error.should_retry = {"true": True, "false": False}.get(headers.get("x-should-retry", "").lower())
    if isinstance(error, RateLimitError):
        error.limit = _whole(headers.get("x-ratelimit-limit"))
        error.remaining = _whole(headers.get("x-ratelimit-remaining"))
        reset = _whole(headers.get("x-ratelimit-reset"))
        error.reset = None if reset is None else datetime.fromtimestamp(reset / 1_000, timezone.utc)
    code = _member(body, "code", str) or headers.get("x-billing-verification")
    reason = _member(body, "error", str) if status in (409, 422) else None
    error.code = code or reason or ""
    return error


def not_json(status: int, content: bytes, request_id: str) -> IdsError:
    """Returns the error of a response from another server, such as a login page of the network."""
    error = IdsError(f"the response is not JSON: {content[:100].decode('utf-8', 'replace')}")
    error.status, error.body, error.request_id = status, content.decode("utf-8", "replace"), request_id
    return error


def retry_after(text: str | None, now: datetime) -> float | None:
    """Returns the seconds of `Retry-After`, which a proxy may send as a date."""
    if text is None:
        return None
    if text.strip().isdecimal():
        return float(text)
    try:
        date = parsedate_to_datetime(text)
    except ValueError:
        return None
    if date.tzinfo is None:
        date = date.replace(tzinfo=timezone.utc)
    return max((date - now).total_seconds(), 0.0)


def _whole(text: str | None) -> int | None:
    return int(text) if text is not None and text.isdecimal() else None


def _text(status: int, body: Any) -> str:
    broken = _violations(body)
    if broken:
        return "; ".join(f"{each.field}: {each.description}" for each in broken)
    # An operation that needs a higher plan has its message below `error`.
    nested = _member(_member(body, "error", dict), "message", str)
    said = _member(body, "message", str) or _member(body, "error", str) or nested or _member(body, "_jmespath_error", str)
    return f"{status}: {said}" if said else f"the service returned {status}"


def _violations(body: Any) -> tuple[Violation, ...]:
    listed = body.get("violations") if isinstance(body, dict) else None
    if not isinstance(listed, list):
        return ()
    return tuple(
        Violation(str(each.get("field", "")), str(each.get("description", "")))
        for each in listed
        if isinstance(each, dict)
    )


def _member(body: Any, name: str, kind: type[MemberT]) -> MemberT | None:
    value = body.get(name) if isinstance(body, dict) else None
    return value if isinstance(value, kind) else None
