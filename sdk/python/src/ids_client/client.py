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
    """Options of `with_options`."""

    api_key: str | None
    timeout: float | None
    retries: int
    headers: Mapping[str, str]
    idempotency_key: str | None
    all_pages: bool


class Client(Operations):
    """Calls the service. Each operation is a method.

    Safe for use by several threads. It is a context manager; `close` closes its connections.
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
            base_url: Address of the service, such as `https://ids.example.org`.
            api_key: Sent as `X-Service-Key`. Without a key, only anonymous operations work.
            timeout: Maximum seconds without data from the service. None means no limit.
            retries: Maximum number of retries of a call.
            headers: Sent with each call.
            user_agent: Name of the program, which precedes that of the client.
            http: `httpx.Client` to use, for example with a proxy. Default: a new one.
        """
        parts = urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"base_url {base_url!r} must begin with http:// or https:// and name a host")
        if api_key is not None and not (api_key.isascii() and api_key.isprintable()):
            raise ValueError("api_key must contain only printable ASCII characters")
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
        """Settings of the calls."""
        return self._settings

    def with_options(self, **options: Unpack[Options]) -> Client:
        """Returns a client with other options, for one or more calls. It shares the connections of this client.

        Args:
            options: `headers` are added to those of the client. `idempotency_key` names a write, so that it is done
                once even if it is sent several times. With `all_pages` off, files have one page.
        """
        return self._with(**{**options, "headers": {**self._settings.headers, **options.get("headers", {})}})

    def _with(self, **changes: Any) -> Client:
        other = copy(self)
        other._settings = replace(self._settings, **changes)
        return other

    def wait_for_scenario(self, job_id: str, *, timeout: float | None = None) -> ScenarioResult:
        """Polls a job until it has ended, and returns its result.

        It polls after one second, then at doubling intervals of at most ten, or at the service's interval.

        Args:
            job_id: `jobId` in the response of `run_scenario`.
            timeout: Seconds until a `CallTimeoutError`. None means no limit.
        """
        poll, left = _FIRST_POLL_SECONDS, timeout
        while True:
            answer = self.get_scenario_status.with_response(job_id=job_id)
            status = answer.data
            if status["status"] == "failed":
                raise ScenarioFailedError(status["error"])
            if status["status"] == "done" and "result" in status:
                return status["result"]
            wait = answer.response.headers.get("retry-after", "")
            delay = float(wait) if wait.isdecimal() else poll
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
        """Follows changes of the data until the loop ends. An interrupted stream resumes at its position.

        Raises errors that a retry does not fix: a rejected key, an invalid query, or a position that is no longer retained.

        Args:
            country: ISO 3166-1 alpha-2 code of one country.
            countries: Such codes. Default: all.
            datasets: Names of datasets. Default: all.
            kinds: Kinds of changes, such as `appeared`. Default: all.
            after: Position to begin after, 0 for the oldest retained change. Default: begin with the next change.
            on_position: Is called with each position up to which all matching changes were delivered. Store it to
                resume later.
        """
        wanted = [*countries] if country is None else [country, *countries]
        said = {"countries": wanted, "datasets": datasets, "kinds": kinds, "after": after}
        query = {name: texts(value) for name, value in said.items() if value not in (None, (), [])}
        return follow(self._settings, query, on_position)

    def close(self) -> None:
        """Closes the connections."""
        self._settings.http.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
