"""Calls the method of each operation and compares the request with the API document: operations.py TABLE.json"""

from __future__ import annotations

import json
import re
import sys
from typing import Any, List
from urllib.parse import unquote

from document_service import NotFoundError
from tests.support import Server, failure

# Keyword arguments that an operation requires.
KEYWORDS = {
    "exportDocument": {"format": "md"},
    "readUsageSeries": {"metric": "requests", "step": "day"},
    "streamEvents": {"last_event_id": "evt_1"},
}


def call(client: Any, operation: Any) -> None:
    method: Any = client
    for step in operation["call"].split("."):
        method = getattr(method, step)
    arguments: List[Any] = re.findall(r"\{\w+\}", operation["path"])
    if operation["hasBody"]:
        arguments.append("# Text" if "import" in operation["call"] else {"a": 1})
    result = method(*arguments, **KEYWORDS.get(operation["operationId"], {}))
    if hasattr(result, "page"):
        result.page()
    elif hasattr(result, "__next__"):
        next(result)


def main() -> None:
    with open(sys.argv[1], encoding="utf-8") as file:
        table = json.load(file)
    wrong: List[str] = []
    with Server(failure(404, "NOT_FOUND")) as server, server.client() as client:
        for operation in table:
            server.seen.clear()
            try:
                call(client, operation)
            except NotFoundError:
                pass
            sent = [f"{seen.method} {unquote(seen.path).split('?')[0]}" for seen in server.seen]
            if sent != [f"{operation['method']} {operation['path']}"]:
                wrong.append(f"{operation['operationId']}: {sent}")
    print(json.dumps({"called": len(table), "wrong": wrong}))


main()
