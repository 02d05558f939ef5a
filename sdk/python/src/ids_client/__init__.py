"""Typed client of the Intelligence Data Service.

    from ids_client import Client

    client = Client("http://127.0.0.1:8080", api_key=key)
    for tender in client.list_global_tenders.items(country="DE"):
        print(tender["title"])
"""

from . import messages
from .client import Client, Options, ScenarioFailedError
from .errors import (
    CallTimeoutError,
    ConflictError,
    ForbiddenError,
    IdsError,
    NetworkError,
    NotFoundError,
    PagingError,
    RateLimitError,
    ServerError,
    UnauthorizedError,
    ValidationError,
    Violation,
)
from .response import Answer, DataState, Response
from .tables import File, Format
from .version import VERSION as __version__
from .webhooks import DeliveredEvent, WebhookError, WebhookSignatureError, WebhookTimeError, unwrap_webhook

__all__ = [
    "Answer",
    "CallTimeoutError",
    "Client",
    "ConflictError",
    "DataState",
    "DeliveredEvent",
    "File",
    "ForbiddenError",
    "Format",
    "IdsError",
    "NetworkError",
    "NotFoundError",
    "Options",
    "PagingError",
    "RateLimitError",
    "Response",
    "ScenarioFailedError",
    "ServerError",
    "UnauthorizedError",
    "ValidationError",
    "Violation",
    "WebhookError",
    "WebhookSignatureError",
    "WebhookTimeError",
    "__version__",
    "messages",
    "unwrap_webhook",
]
