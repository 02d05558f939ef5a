"""The client."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from types import TracebackType
from typing import Any, TypedDict
from urllib.parse import urlsplit

import httpx

from ._typing import Unpack
from .calls import texts
from .changes import follow
from .errors import CallTimeoutError, IdsError
from .messages import Change, ScenarioResult
from .operations import Operations
from .transport import Settings
from .version import VERSION

_FIRST_POLL_SECONDS = 1.0
_LONGEST_POLL_SECONDS = 10.0


class ScenarioFailedError(IdsError):
    """A scenario job ended without a result."""


class Options(TypedDict, total=False):
    """What `with_options` changes."""

    api_key: str | None
    timeout: float | None
    retries: int
    headers: Mapping[str, str]
    idempotency_key: str | None
    all_pages: bool


class Client(Operations):
    """Calls the service; each operation is a member.

    Safe for use by several threads. It is a context manager; `close` ends its connections.
    """

    def __init__(
        self,
        base_url: str,
        *,
        api_key: str | None = None,
        timeout: float | None = 30.0,
        retries: int = 2,
        headers: Mapping[str, str] | None = None,
        user_agent: str | None = None,
        http: httpx.Client | None = None,
    ) -> None:
        """
        Args:
            base_url: Where the service is, such as `https://ids.example.org`.
            api_key: Sent as `X-Service-Key`. Without it only anonymous operations answer.
            timeout: Seconds for which the service may say nothing; None for ever.
            retries: How often a call is sent again at most.
            headers: Sent with each call.
            user_agent: Names the program before the client itself.
            http: In place of an own `httpx.Client`, such as for a proxy.
        """
        parts = urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"base_url {base_url!r} must begin with http:// or https:// and name a host")
        if api_key is not None and not (api_key.isascii() and api_key.isprintable()):
            raise ValueError("api_key must be printable ASCII characters alone")
        own = f"ids-python/{VERSION} (Python {platform.python_version()})"
        self._settings = Settings(
            base_url=base_url.rstrip("/"),
            http=httpx.Client() if http is None else http,
            user_agent=own if user_agent is None else f"{user_agent} {own}",
            api_key=api_key,
            timeout=timeout,
            retries=retries,
            headers=dict(headers or {}),
        )

    @property
    def settings(self) -> Settings:
        """How calls are made."""
        return self._settings

    def with_options(self, **options: Unpack[Options]) -> Client:
        """The same client with other options, for one call or many. They share their connections.

        Args:
            options: `headers` come beside those of the client. `idempotency_key` names a write, so that it is done
                once however often it is sent. `all_pages` off makes files of one page.
        """
        return self._with(**{**options, "headers": {**self._settings.headers, **options.get("headers", {})}})

    def _with(self, **changes: Any) -> Client:
        other = copy(self)
        other._settings = replace(self._settings, **changes)
        return other

    def wait_for_scenario(self, job_id: str, *, timeout: float | None = None) -> ScenarioResult:
        """Asks for the status of a job until it has ended, and returns its result.

        After one second, then at doubling intervals of at most ten, unless the service says when.

        Args:
            job_id: `jobId` of what `run_scenario` answered.
            timeout: Seconds after which a `CallTimeoutError` ends the waiting; None for ever.
        """
        poll, left = _FIRST_POLL_SECONDS, timeout
        while True:
            answer = self.get_scenario_status.with_response(job_id=job_id)
            status = answer.data
            if status["status"] == "failed":
                raise ScenarioFailedError(status["error"])
            if status["status"] == "done" and "result" in status:
                return status["result"]
            told = answer.response.headers.get("retry-after", "")
            delay = float(told) if told.isdecimal() else poll
            if left is not None and delay > left:
                raise CallTimeoutError(f"the scenario is {status['status']} after {timeout} s")
            left = None if left is None else left - delay
            self._settings.sleep(delay)
            poll = min(2 * poll, _LONGEST_POLL_SECONDS)

    def changes(
        self,
        *,
        country: str | None = None,
        countries: Sequence[str] = (),
        datasets: Sequence[str] = (),
        kinds: Sequence[str] = (),
        after: int | None = None,
        on_position: Callable[[int], None] | None = None,
    ) -> Iterator[Change]:
        """Follows changes of the data for as long as the loop runs: a stream that breaks is opened again where it was.

        What coming back does not mend is raised: a key that is refused, a bad query, a position that is gone.

        Args:
            country: ISO 3166-1 alpha-2 code of one country.
            countries: Such codes. Default: all.
            datasets: Names of datasets. Default: all.
            kinds: Kinds of changes, such as `appeared`. Default: all.
            after: Position to begin after; 0 for the oldest that is kept. By default only what comes from now on.
            on_position: Hears of each position up to which everything was given, also where nothing matched: to be kept by who
                resumes later.
        """
        wanted = [*countries] if country is None else [country, *countries]
        said = {"countries": wanted, "datasets": datasets, "kinds": kinds, "after": after}
        query = {name: texts(value) for name, value in said.items() if value not in (None, (), [])}
        return follow(self._settings, query, on_position)

    def close(self) -> None:
        """Ends its connections."""
        self._settings.http.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
