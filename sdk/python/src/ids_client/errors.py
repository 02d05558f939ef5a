"""Every failure of a call."""

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
    """The query parameter, body path or header it is about."""
    description: str
    """The rule, for people."""


class IdsError(Exception):
    """Any failure of a call."""

    status: int = 0
    """HTTP status; 0 where no answer came."""
    request_id: str = ""
    """Finds the request in the service's log."""
    retry_after: float | None = None
    """Seconds to wait before asking again, where the service said so."""
    should_retry: bool | None = None
    """What the service says of another attempt, where it does."""
    body: Any = None
    """The answer's body, decoded where it is JSON."""
    code: str = ""
    """The reason, where there are several: `subscription_lapsed`, `idempotency_conflict` and others."""


class ValidationError(IdsError):
    """400: the request broke one or more rules."""

    @property
    def violations(self) -> tuple[Violation, ...]:
        """The rules."""
        return _violations(self.body)


class UnauthorizedError(IdsError):
    """401: no key, or one that is malformed, unknown, revoked or expired."""


class ForbiddenError(IdsError):
    """403: the key is good; its subscription, tier or scope is not. Asking again does not help."""

    @property
    def required_tier(self) -> int | None:
        """The lowest tier that is let in."""
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
        """Where a plan that covers the operation is to be had."""
        return _member(self.body, "upgradeUrl", str)


class NotFoundError(IdsError):
    """404: what was asked for is not there."""


class ConflictError(IdsError):
    """409: a write under this idempotency key is being done, or the state does not allow it."""


class RateLimitError(IdsError):
    """429: a limit was met; `retry_after` says when it is over."""

    limit: int | None = None
    """Requests allowed in the window."""
    remaining: int | None = None
    """Requests left in the window."""
    reset: datetime | None = None
    """End of the window, in UTC."""


class ServerError(IdsError):
    """5xx: the service, or what it needs, failed."""


class NetworkError(IdsError):
    """No answer came, or one that broke off."""


class CallTimeoutError(NetworkError, TimeoutError):
    """The service said nothing for as long as the time-out is."""


class PagingError(IdsError):
    """An answer that does not say whether there is a next page, or leads to itself."""


_by_status: Mapping[int, type[IdsError]] = {
    400: ValidationError,
    401: UnauthorizedError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    429: RateLimitError,
}


def error_of(status: int, headers: Mapping[str, str], content: bytes, request_id: str) -> IdsError:
    """The failure that an answer tells of; a proxy's need not be JSON."""
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
    told = _member(body, "error", str) if status in (409, 422) else None
    error.code = code or told or ""
    return error


def not_json(status: int, content: bytes, request_id: str) -> IdsError:
    """The failure of an answer that the service does not write, such as a portal's on the way."""
    error = IdsError(f"the answer is no JSON: {content[:100].decode('utf-8', 'replace')}")
    error.status, error.body, error.request_id = status, content.decode("utf-8", "replace"), request_id
    return error


def retry_after(text: str | None, now: datetime) -> float | None:
    """Reads seconds, or the date that a proxy may write instead."""
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
    said = _member(body, "message", str) or _member(body, "error", str) or _member(body, "_jmespath_error", str)
    return f"{status}: {said}" if said else f"the service answered {status}"


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
