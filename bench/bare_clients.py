"""The client libraries by themselves: the requests that a tool made, made again with nothing of ours around them."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode

import httplib2
import notion_client
from canvasapi.requester import Requester
from googleapiclient.http import HttpRequest
from googleapiclient.model import JsonModel

Request = Mapping[str, Any]
"""An entry of the campus's log: method, path, query and body."""


@contextmanager
def bare_clients(campus: str, tokens: Mapping[str, str]) -> Iterator[dict[str, Callable[[Request], object]]]:
    """What makes a request again, by service; `tokens` are access tokens by service."""
    canvas = Requester(f"{campus}/canvas", tokens["canvas"])
    notion = notion_client.Client(auth=tokens["notion"], base_url=f"{campus}/notion", retry=False)
    http = httplib2.Http()

    def ask_canvas(request: Request) -> object:
        url = f"{campus}/canvas{request['path']}?{urlencode(request['query'], doseq=True)}"
        return canvas.request(request["method"], _url=url).json()

    def ask_google(request: Request) -> object:
        url = f"{campus}/google{request['path']}?{urlencode(request['query'], doseq=True)}"
        headers = {"authorization": f"Bearer {tokens['google']}", "content-type": "application/json"}
        body = json.dumps(request["body"]) if request["body"] else None
        asked = HttpRequest(http, JsonModel().response, url, method=request["method"], body=body, headers=headers)
        return asked.execute()

    def ask_notion(request: Request) -> object:
        path = request["path"].removeprefix("/v1/")
        return notion.request(path, request["method"], query=request["query"] or None, body=request["body"])

    try:
        yield {"canvas": ask_canvas, "google": ask_google, "notion": ask_notion}
    finally:
        canvas._session.close()
        notion.close()
        http.close()
