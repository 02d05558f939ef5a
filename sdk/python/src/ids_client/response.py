"""How the service answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

import httpx

AnswerT = TypeVar("AnswerT")


@dataclass(frozen=True)
class DataState:
    """How the data behind an answer stand."""

    sample: bool
    """Whether the values are invented, for trying the service."""
    stale: bool
    """Whether the data are older than they should be."""
    age_seconds: int | None
    """Since they were last read well; None unless they are stale."""
    missing: tuple[str, ...]
    """The sources without which they say too little and that were never read."""


@dataclass(frozen=True)
class Response:
    """The HTTP side of an answer."""

    status: int
    headers: Mapping[str, str]
    request_id: str
    """Finds the request in the service's log."""
    attempts: int
    """How many it took."""
    data: DataState


@dataclass(frozen=True)
class Answer(Generic[AnswerT]):
    """An answer with how it came."""

    data: AnswerT
    response: Response


def response_of(answer: httpx.Response, attempts: int) -> Response:
    """What an HTTP answer tells beside its body."""
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
