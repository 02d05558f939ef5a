"""Lints responses: python3 headers_with_httplint.py FILE. Prints the notes on each that are bad or warn, as JSON."""

import base64
import json
import sys

from httplint import HttpRequestLinter, HttpResponseLinter


def raw(fields):
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in fields]


def notes_on(exchange):
    request = HttpRequestLinter()
    request.process_request_topline(exchange["method"].encode(), exchange["url"].encode(), b"1.1")
    request.process_headers(raw(exchange["sent"]))
    request.finish_content(True)
    response = HttpResponseLinter()
    response.request = request
    response.base_uri = exchange["url"]
    response.is_head_response = exchange["method"] == "HEAD"
    response.process_response_topline(b"1.1", str(exchange["status"]).encode(), exchange["phrase"].encode())
    response.process_headers(raw(exchange["headers"]))
    response.feed_content(base64.b64decode(exchange["body"]))
    response.finish_content(True)
    return [note for note in response.notes if note.level.name in ("BAD", "WARN")]


with open(sys.argv[1], encoding="utf-8") as opened:
    exchanges = json.load(opened)
print(
    json.dumps(
        [
            {"of": each["name"], "note": type(note).__name__, "level": note.level.name, "text": str(note.summary)}
            for each in exchanges
            for note in notes_on(each)
        ]
    )
)
