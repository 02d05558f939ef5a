"""Sends calls and retries them."""

from __future__ import annotations

import logging
import random
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx

from .errors import CallTimeoutError, IdsError, NetworkError, error_of

logger = logging.getLogger("ids_client")

_FIRST_BACKOFF_SECONDS = 0.5
_LONGEST_BACKOFF_SECONDS = 8.0
# If the service sends a longer time, the call fails immediately.
_LONGEST_WAIT_SECONDS = 60.0
# A read is repeated after these statuses.
_PASSING = frozenset({408, 429, 500, 502, 503, 504})
_SECRET_HEADERS = frozenset({"x-service-key", "authorization", "proxy-authorization", "cookie"})


@dataclass(frozen=True)
class Settings:
    """Settings of the calls."""

    base_url: str
    http: httpx.Client
    user_agent: str
    api_key: str | None = None
    timeout: float | None = 30.0
    retries: int = 2
    headers: Mapping[str, str] = field(default_factory=dict)
    idempotency_key: str | None = None
    all_pages: bool = True
    # Tests replace the clock and the random numbers.
    sleep: Callable[[float], None] = time.sleep
    dice: Callable[[], float] = random.random


@dataclass(frozen=True)
class Request:
    """One call that can be sent."""

    verb: str
    path: str
    query: Mapping[str, str | list[str]]
    body: Any
    read: bool
    stream: bool = False


def send(settings: Settings, request: Request) -> tuple[httpx.Response, int]:
    """Returns the response of a successful call, and the number of attempts. Raises an `IdsError` otherwise."""
    headers = _headers_of(settings, request)
    attempts = 0
    while True:
        attempts += 1
        try:
            return _attempt(settings, request, headers), attempts
        except IdsError as error:
            delay = (error.retry_after or 0.0) + settings.dice() * min(
                _FIRST_BACKOFF_SECONDS * 2 ** (attempts - 1), _LONGEST_BACKOFF_SECONDS
            )
            if attempts > settings.retries or not _may_help(error, request.read):
                raise
            if (error.retry_after or 0.0) > _LONGEST_WAIT_SECONDS:
                raise
            logger.debug("retry after %.2f s: %s", delay, error)
            settings.sleep(delay)


def _may_help(error: IdsError, read: bool) -> bool:
    if error.should_retry is not None:
        return error.should_retry
    if error.status in (429, 503) and error.retry_after is not None:
        return True
    if isinstance(error, CallTimeoutError) or not read:
        return False
    return isinstance(error, NetworkError) or error.status in _PASSING


def _headers_of(settings: Settings, request: Request) -> dict[str, str]:
    headers = {"accept": "application/json", "user-agent": settings.user_agent}
    if request.stream:
        headers["accept"] = "*/*"
    if settings.api_key:
        headers["x-service-key"] = settings.api_key
    if not request.read:
        headers["idempotency-key"] = settings.idempotency_key or uuid.uuid4().hex
    headers["x-request-id"] = uuid.uuid4().hex
    return {**headers, **{name.lower(): value for name, value in settings.headers.items()}}


def _attempt(settings: Settings, request: Request, headers: Mapping[str, str]) -> httpx.Response:
    message = settings.http.build_request(
        request.verb,
        settings.base_url + request.path,
        params=request.query or None,
        json=request.body,
        headers=headers,
        timeout=settings.timeout,
    )
    began = time.monotonic()
    try:
        answer = settings.http.send(message, stream=request.stream, follow_redirects=False)
        if not answer.is_success:
            answer.read()
    except httpx.TimeoutException as cause:
        raise _lost(CallTimeoutError, cause, message) from cause
    except httpx.HTTPError as cause:
        raise _lost(NetworkError, cause, message) from cause
    if logger.isEnabledFor(logging.DEBUG):
        shown = {name: "***" if name in _SECRET_HEADERS else value for name, value in message.headers.items()}
        took = 1_000 * (time.monotonic() - began)
        logger.debug("%s %s: %d in %.0f ms, sent %s", request.verb, message.url, answer.status_code, took, shown)
    if answer.is_success:
        return answer
    answer.close()
    raise error_of(answer.status_code, answer.headers, answer.content, headers["x-request-id"])


def _lost(kind: type[NetworkError], cause: Exception, message: httpx.Request) -> NetworkError:
    error = kind(f"{message.method} {message.url.path}: {cause or type(cause).__name__}")
    error.request_id = message.headers.get("x-request-id", "")
    logger.debug("%s", error)
    return error
