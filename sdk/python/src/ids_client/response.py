"""Responses of the service."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

import httpx

AnswerT = TypeVar("AnswerT")


@dataclass(frozen=True)
class DataState:
    """State of the data in a response."""

    sample: bool
    """True if the values are invented, for tests of the service."""
    stale: bool
    """True if the data is older than it should be."""
    age_seconds: int | None
    """Seconds since the last successful read. None unless the data is stale."""
    missing: tuple[str, ...]
    """What the data lacks, such as sources that were never read, or the part of the period before the first row."""


@dataclass(frozen=True)
class Response:
    """The HTTP part of a response."""

    status: int
    headers: Mapping[str, str]
    request_id: str
    """Finds the request in the service's log."""
    attempts: int
    """Number of attempts."""
    data: DataState


@dataclass(frozen=True)
class Answer(Generic[AnswerT]):
    """Data with its HTTP response."""

    data: AnswerT
    response: Response


def response_of(answer: httpx.Response, attempts: int) -> Response:
    """Returns the HTTP part of a response."""
    headers = answer.headers
    age = headers.get("x-data-age", "")
    missing = headers.get("x-data-missing", "")
    return Response(
        status=answer.status_code,
        headers=headers,
        request_id=headers.get("x-request-id", ""),
        attempts=attempts,
        data=DataState(
            sample=headers.get("x-data-origin") == "sample",
            stale=headers.get("x-data-stale") == "true",
            age_seconds=int(age) if age.isdecimal() else None,
            missing=tuple(missing.split(", ")) if missing else (),
        ),
    )
