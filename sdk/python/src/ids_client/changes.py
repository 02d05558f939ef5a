"""Changes of the data as they become visible."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

import httpx

from .errors import IdsError
from .messages import Change
from .transport import Request, Settings, logger, send

_PATH = "/api/changes/v1/watch-changes"
_FIRST_WAIT_SECONDS = 1.0
_LONGEST_WAIT_SECONDS = 30.0
# Timeout of a silent stream. The service sends a message at least every 16 seconds.
_SILENCE_SECONDS = 45.0
# Retries of a request that opens a stream, after temporary failures.
_RETRIES = 8


@dataclass
class _Event:
    """A server-sent event."""

    kind: str = ""
    position: str = ""
    data: str | None = None
    retry: float | None = None
    """Seconds to wait before a stream that ended is opened again."""


def follow(
    settings: Settings, query: Mapping[str, str | list[str]], on_position: Callable[[int], None] | None
) -> Iterator[Change]:
    """Yields changes without end. An interrupted stream resumes at its position. Raises errors that a retry does not fix."""
    position = ""
    first_wait = wait = _FIRST_WAIT_SECONDS
    while True:
        pause = 0.0
        try:
            with _Stream(settings, query, position) as stream:
                for event in stream:
                    wait = first_wait = first_wait if event.retry is None else event.retry
                    if event.kind == "end":
                        break
                    position = event.position or position
                    if event.data is not None:
                        yield cast("Change", json.loads(event.data))
                    if event.position and on_position is not None:
                        on_position(int(event.position))
        except (IdsError, httpx.HTTPError) as error:
            if isinstance(error, IdsError):
                if 400 <= error.status < 500 and error.status not in (408, 429):
                    raise
                pause = error.retry_after or 0.0
            logger.warning("the stream of changes was interrupted after position %s: %s", position or "none", error)
            wait = min(2 * wait, _LONGEST_WAIT_SECONDS)
        settings.sleep(pause + wait * (0.5 + settings.dice() / 2))


class _Stream:
    """One stream, which is closed at the end of its `with` block."""

    def __init__(self, settings: Settings, query: Mapping[str, str | list[str]], position: str) -> None:
        headers = {**settings.headers, **({"last-event-id": position} if position else {})}
        patient = replace(settings, headers=headers, retries=_RETRIES, timeout=_SILENCE_SECONDS)
        self._answer, _ = send(patient, Request("GET", _PATH, query, None, read=True, stream=True))

    def __enter__(self) -> _Stream:
        return self

    def __exit__(self, *_: Any) -> None:
        self._answer.close()

    def __iter__(self) -> Iterator[_Event]:
        event = _Event()
        for line in self._lines():
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if line == "":
                yield event
                event = _Event()
            elif name == "event":
                event.kind = value
            elif name == "id":
                event.position = value
            elif name == "retry" and value.isdecimal():
                event.retry = int(value) / 1_000
            elif name == "data":
                event.data = value if event.data is None else f"{event.data}\n{value}"

    def _lines(self) -> Iterator[str]:
        # `iter_lines` of httpx also splits at characters that texts may contain.
        rest = b""
        for piece in self._answer.iter_bytes():
            *lines, rest = (rest + piece).split(b"\n")
            for line in lines:
                yield line.removesuffix(b"\r").decode()
