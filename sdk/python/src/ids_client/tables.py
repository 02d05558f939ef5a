"""Reads with rows: as files, and as data frames."""

from __future__ import annotations

import importlib.util
import os
import tempfile
import warnings
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Any, Concatenate, Generic, Literal, ParamSpec, TypeVar

import httpx

from .calls import CallMethod, HasSettings, Operation, PageWalk, Read
from .errors import CallTimeoutError, NetworkError, UnauthorizedError
from .response import Response, response_of
from .transport import send

if TYPE_CHECKING:
    import pandas

P = ParamSpec("P")
AnswerT = TypeVar("AnswerT")
ItemT = TypeVar("ItemT")
Format = Literal["csv", "xlsx", "ndjson", "geojson", "parquet", "csvw"]


class File:
    """A streamed file. If it is interrupted, reading raises a `NetworkError`. A file that ends is complete."""

    def __init__(self, answer: httpx.Response, attempts: int) -> None:
        self._answer = answer
        self.response: Response = response_of(answer, attempts)
        self.next_cursor: str = answer.headers.get("x-next-cursor", "")
        """Cursor of the next page. Empty for the last page, and for all pages."""

    def __enter__(self) -> File:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __iter__(self) -> Iterator[bytes]:
        try:
            yield from self._answer.iter_bytes()
        except httpx.TimeoutException as cause:
            raise self._broken(CallTimeoutError, cause) from cause
        except httpx.HTTPError as cause:
            raise self._broken(NetworkError, cause) from cause

    def read(self) -> bytes:
        """Returns the whole file."""
        with self:
            return b"".join(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file. It gets its name only when it is complete."""
        target = os.path.abspath(path)
        with self:
            handle, partial = tempfile.mkstemp(dir=os.path.dirname(target), prefix=".", suffix=".part")
            try:
                with os.fdopen(handle, "wb") as out:
                    for piece in self:
                        out.write(piece)
                os.replace(partial, target)
            except BaseException:
                os.unlink(partial)
                raise

    def close(self) -> None:
        """Closes the response, even if it was not read."""
        self._answer.close()

    def _broken(self, kind: type[NetworkError], cause: Exception) -> NetworkError:
        error = kind(f"the file was interrupted: {cause or type(cause).__name__}")
        error.request_id = self.response.request_id
        return error


class TableRead(Read[P, AnswerT]):
    """A read with rows. A file has all pages if there is a last page, unless the option `all_pages` is off."""

    _rows: str | None = None
    _columns: str | None = None

    def rows(self, table: str) -> TableRead[P, AnswerT]:
        """Returns the read for another one of its tables. The default is the first table."""
        return self._selected(table, self._columns)

    def snake_case(self) -> TableRead[P, AnswerT]:
        """Returns the read with column names in snake_case. By default, a column has its dotted JSON path."""
        return self._selected(self._rows, "snake")

    def _selected(self, rows: str | None, columns: str | None) -> TableRead[P, AnswerT]:
        other = type(self)(self._settings, self._operation, self._function)
        other._rows, other._columns = rows, columns
        return other

    def file(self, format: Format, /, *args: P.args, **kwargs: P.kwargs) -> File:
        """Returns the rows as a file."""
        return self._file(format, self._arguments(*args, **kwargs), {})

    def to_pandas(self, *args: P.args, **kwargs: P.kwargs) -> pandas.DataFrame:
        """Returns the rows as a data frame. Without pyarrow it uses CSV instead of Parquet, which has fewer types.

        If values are missing and the response says so, what is missing or why is a warning.
        """
        import pandas

        has_parquet = importlib.util.find_spec("pyarrow") is not None
        arguments = self._arguments(*args, **kwargs)
        with (
            self._file("parquet" if has_parquet else "csv", arguments, {} if has_parquet else {"raw": "true"}) as file,
            tempfile.TemporaryFile() as copy,
        ):
            for piece in file:
                copy.write(piece)
            copy.seek(0)
            if has_parquet:
                frame = pandas.read_parquet(copy)  # type: ignore[arg-type, unused-ignore]
            else:
                # "NA" is the code of Namibia.
                frame = pandas.read_csv(copy, keep_default_na=False, na_values=[""])  # type: ignore[call-overload, unused-ignore]
        if missing := file.response.data.missing:
            warnings.warn(f"missing in the data: {', '.join(missing)}", stacklevel=2)
        # A file has no place for the note, so it is read from the JSON.
        if self._operation.explained and (frame.empty or "x-unknown-keys" in file.response.headers):
            note = self._answer(arguments).data.get("note")
            if note:
                warnings.warn(note, stacklevel=2)
        return frame  # type: ignore[no-any-return, unused-ignore]

    def _file(self, format: Format, arguments: dict[str, Any], extra: dict[str, str]) -> File:
        said = {**extra, "format": format}
        if self._rows is not None:
            said["rows"] = self._rows
        if self._columns is not None:
            said["columns"] = self._columns
        cursor, items, more = self._operation.cursor, self._operation.items, self._operation.more
        # A table other than the paged one is complete on every page. Lists by position have no last page.
        if self._settings.all_pages and cursor and not more and self._rows in (None, items):
            said["all"] = "true"
        try:
            return File(*send(self._settings, self._request(arguments, said, stream=True)))
        except UnauthorizedError as error:
            if "all" in said and not self._settings.api_key:
                error.args = (f"{error}. Without a key, with_options(all_pages=False) reads the first page of public data.",)
            raise


class PagedTableRead(TableRead[P, AnswerT], PageWalk[P, AnswerT, ItemT], Generic[P, AnswerT, ItemT]):
    """A read with rows and pages."""


class TableMethod(CallMethod[P, AnswerT]):
    """A read with rows as an attribute of the class."""

    def __get__(self, client: HasSettings | None, owner: type[Any] | None = None) -> TableRead[P, AnswerT]:
        return self._bound(TableRead, client)


class PagedTableMethod(CallMethod[P, AnswerT], Generic[P, AnswerT, ItemT]):
    """A read with rows and pages as an attribute of the class."""

    def __get__(self, client: HasSettings | None, owner: type[Any] | None = None) -> PagedTableRead[P, AnswerT, ItemT]:
        return self._bound(PagedTableRead, client)


def table_read(path: str, *, explained: bool = False, wide: tuple[tuple[str, ...], ...] = ()) -> Callable[
    [Callable[Concatenate[Any, P], AnswerT]], TableMethod[P, AnswerT]
]:
    """Turns a function with the parameters into a read with rows."""
    return lambda function: TableMethod(Operation("GET", path, True, wide, explained=explained), function)


def paged_table_read(
    path: str,
    *,
    item: type[ItemT],
    items: str,
    cursor: str,
    next_cursor: tuple[str, ...],
    more: str = "",
    wide: tuple[tuple[str, ...], ...] = (),
) -> Callable[[Callable[Concatenate[Any, P], AnswerT]], PagedTableMethod[P, AnswerT, ItemT]]:
    """Turns a function with the parameters into a read with rows and pages."""
    operation = Operation("GET", path, True, wide, cursor, next_cursor, items, more)
    return lambda function: PagedTableMethod(operation, function)
