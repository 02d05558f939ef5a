"""Operations as callables, with iterators over pages and tables."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Concatenate, Generic, Literal, ParamSpec, Protocol, TypeVar, cast
from urllib.parse import quote

from .errors import PagingError, not_json
from .response import Answer, response_of
from .transport import Request, Settings, send

P = ParamSpec("P")
AnswerT = TypeVar("AnswerT")
ItemT = TypeVar("ItemT")
BoundT = TypeVar("BoundT")


@dataclass(frozen=True)
class Operation:
    """An operation of the contract."""

    verb: str
    path: str
    read: bool
    wide: tuple[tuple[str, ...], ...] = ()
    """Paths of the response's int64 members, which are text in JSON."""
    cursor: str = ""
    """Parameter for the cursor of a paged read."""
    next_cursor: tuple[str, ...] = ()
    """Path of the next cursor in the response."""
    items: str = ""
    """Member of the response that contains the items."""
    more: str = ""
    """Member of the response that states whether there are more pages. Set if the cursor is a position, which has no end."""
    explained: bool = False
    """Whether the response has a `note`, which says why values are missing."""


class HasSettings(Protocol):
    """The part of a client that its operations need."""

    @property
    def settings(self) -> Settings: ...


class Call(Generic[P, AnswerT]):
    """An operation of a client."""

    def __init__(self, settings: Settings, operation: Operation, function: Callable[..., Any]) -> None:
        self._settings = settings
        self._operation = operation
        self._function = function
        self.__name__ = function.__name__
        self.__doc__ = function.__doc__
        signature = inspect.signature(function)
        self.__signature__ = signature.replace(parameters=list(signature.parameters.values())[1:])

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> AnswerT:
        """Returns the data of the response."""
        return self.with_response(*args, **kwargs).data

    def with_response(self, *args: P.args, **kwargs: P.kwargs) -> Answer[AnswerT]:
        """Returns the response: data, status, headers, request id, and age of the data."""
        return self._answer(self._arguments(*args, **kwargs))

    def _arguments(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        given = self.__signature__.bind(*args, **kwargs).arguments
        # The name of a parameter that is a keyword of Python ends with an underscore.
        return {name.removesuffix("_"): value for name, value in given.items() if value is not None}

    def _answer(self, arguments: Mapping[str, Any], **extra: str) -> Answer[Any]:
        answer, attempts = send(self._settings, self._request(arguments, extra))
        try:
            data: Any = answer.json() if answer.content else {}
        except ValueError as cause:
            raise not_json(answer.status_code, answer.content, answer.headers.get("x-request-id", "")) from cause
        if not extra:
            for path in self._operation.wide:
                _widen(data, path)
        return Answer(data, response_of(answer, attempts))

    def _request(self, arguments: Mapping[str, Any], extra: Mapping[str, str], stream: bool = False) -> Request:
        operation = self._operation
        path, rest = operation.path, dict(arguments)
        for name in re.findall(r"\{(\w+)\}", path):
            path = path.replace("{" + name + "}", quote(str(rest.pop(name)), safe=""))
        if operation.verb == "GET":
            query = {name: texts(value) for name, value in rest.items()}
            return Request("GET", path, {**query, **extra}, None, operation.read, stream)
        body = {_camel(name): value for name, value in rest.items()}
        return Request(operation.verb, path, {}, body if operation.verb == "POST" else None, operation.read)


class Read(Call[P, AnswerT]):
    """A read."""

    def project(self, jmespath: str, /, *args: P.args, **kwargs: P.kwargs) -> Any:
        """Returns the result of a JMESPath expression on the response. The service evaluates it."""
        return self._answer(self._arguments(*args, **kwargs), jmespath=jmespath).data

    def cite(self, form: Literal["text", "bibtex"], /, *args: P.args, **kwargs: P.kwargs) -> str:
        """Returns a citation of the response: its sources, its lasting address, and the digest of its bytes."""
        answer, _ = send(self._settings, self._request(self._arguments(*args, **kwargs), {"cite": form}))
        return answer.text


class PageWalk(Read[P, AnswerT], Generic[P, AnswerT, ItemT]):
    """A paged read."""

    def pages(self, *args: P.args, **kwargs: P.kwargs) -> Iterator[AnswerT]:
        """Yields every page. Each is requested when the loop reaches it."""
        arguments = self._arguments(*args, **kwargs)
        cursor = self._operation.cursor
        while True:
            answer = self._answer(arguments)
            following = self._next(answer.data)
            if following is not None and following == arguments.get(cursor):
                raise PagingError(f"{self.__name__}: a page leads to itself")
            yield answer.data
            if following is None:
                return
            arguments[cursor] = following

    def items(self, *args: P.args, **kwargs: P.kwargs) -> Iterator[ItemT]:
        """Yields every item of every page. Use `itertools.islice` to end sooner."""
        for page in self.pages(*args, **kwargs):
            listed = cast("Mapping[str, Any]", page).get(self._operation.items)
            if not isinstance(listed, list):
                raise PagingError(f"{self.__name__}: the response has no {self._operation.items}")
            yield from listed

    def _next(self, page: Any) -> str | int | None:
        found = page
        for name in self._operation.next_cursor:
            found = found.get(name) if isinstance(found, dict) else None
        more = self._operation.more
        goes_on = page.get(more) if more and isinstance(page, dict) else found != ""
        if not isinstance(found, int if more else str) or not isinstance(goes_on, bool):
            raise PagingError(f"{self.__name__}: the response does not say whether there is a next page")
        return found if goes_on else None


class CallMethod(Generic[P, AnswerT]):
    """An operation as an attribute of the class. On a client it is a `Call`."""

    def __init__(self, operation: Operation, function: Callable[..., Any]) -> None:
        self._operation = operation
        self._function = function
        self.__name__ = function.__name__
        self.__doc__ = function.__doc__

    def __get__(self, client: HasSettings | None, owner: type[Any] | None = None) -> Call[P, AnswerT]:
        return self._bound(Call, client)

    def _bound(
        self, kind: Callable[[Settings, Operation, Callable[..., Any]], BoundT], client: HasSettings | None
    ) -> BoundT:
        # On the class itself it only documents the operation.
        return cast("Any", self) if client is None else kind(client.settings, self._operation, self._function)


class ReadMethod(CallMethod[P, AnswerT]):
    """A read as an attribute of the class."""

    def __get__(self, client: HasSettings | None, owner: type[Any] | None = None) -> Read[P, AnswerT]:
        return self._bound(Read, client)


def call(verb: str, path: str, *, read: bool = False, wide: tuple[tuple[str, ...], ...] = ()) -> Callable[
    [Callable[Concatenate[Any, P], AnswerT]], CallMethod[P, AnswerT]
]:
    """Turns a function with the parameters into an operation."""
    return lambda function: CallMethod(Operation(verb, path, read, wide), function)


def read(path: str, *, wide: tuple[tuple[str, ...], ...] = ()) -> Callable[
    [Callable[Concatenate[Any, P], AnswerT]], ReadMethod[P, AnswerT]
]:
    """Turns a function with the parameters into a read."""
    return lambda function: ReadMethod(Operation("GET", path, True, wide), function)


def texts(value: Any) -> str | list[str]:
    """Returns a value as text for a query."""
    if isinstance(value, (list, tuple)):
        return [_text(each) for each in value]
    return _text(value)


def _text(value: Any) -> str:
    if isinstance(value, date):
        return value.isoformat()
    return str(value).lower() if isinstance(value, bool) else str(value)


def _camel(name: str) -> str:
    return re.sub(r"_([a-z0-9])", lambda found: found[1].upper(), name)


def _widen(container: Any, path: tuple[str, ...]) -> None:
    """Converts the texts at a path to numbers, also in lists on the path."""
    name, *below = path
    if isinstance(container, list):
        for each in container:
            _widen(each, path)
    elif isinstance(container, dict) and name in container:
        if below:
            _widen(container[name], tuple(below))
        elif isinstance(container[name], str):
            container[name] = int(container[name])
