"""A server whose responses a test defines."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx
from ids_client import Client

Reply = httpx.Response | Exception


def answer(status: int = 200, body: Any = None, **headers: str) -> httpx.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.Response(status, headers=named, content=json.dumps({} if body is None else body))


@dataclass
class Scripted:
    """Returns its responses one after the other and repeats the last one. Waits are recorded without waiting."""

    replies: list[Reply]
    requests: list[httpx.Request] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)

    def _reply(self, request: httpx.Request) -> httpx.Response:
        reply = self.replies[min(len(self.requests), len(self.replies) - 1)]
        self.requests.append(request)
        if isinstance(reply, Exception):
            raise reply
        return reply

    def client(self, **options: Any) -> Client:
        http = httpx.Client(transport=httpx.MockTransport(self._reply))
        made = Client("https://ids.example.org/", http=http, **options)
        wait: Callable[[float], None] = self.waits.append
        return made._with(sleep=wait, dice=lambda: 0.5)


def scripted(*replies: Reply) -> Scripted:
    return Scripted(list(replies))
