"""A stdio MCP server without an SDK that misbehaves as its first argument (JSON) says; nothing of ours is imported.

{"tools": path of a JSON file with the list, "start": a deed, "initialize": a deed, "call": a deed, "stubborn": bool,
"starts": path of a file that gets a line at each start}. Deeds: "hang", "crash", "garbage", "flood", "endless",
"shout" (stderr), "big:BYTES", "list_changed", "say:TEXT", "fail:TEXT". Without a deed it behaves.
"""

import json
import os
import signal
import sys
import time

PLAN = json.loads(sys.argv[1])
ECHO = {
    "name": "echo",
    "description": "Says it back.",
    "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
    "annotations": {"readOnlyHint": True, "openWorldHint": False},
}


def send(message: object) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def text(words: str, **more: object) -> dict[str, object]:
    return {"content": [{"type": "text", "text": words}], **more}


def answer(request: dict, default: object) -> None:
    deed, _, detail = PLAN.get({"tools/call": "call"}.get(request["method"], request["method"]), "").partition(":")
    result = default
    if deed == "crash":
        os._exit(3)
    elif deed == "hang":
        time.sleep(3600)
    elif deed == "garbage":
        sys.stdout.write("{not json at all\n\x00\xff\n" * 50)
        send({"jsonrpc": "2.0", "id": request["id"], "result": 7})
        sys.stdout.flush()
        return
    elif deed == "flood":
        while True:
            send({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "x" * 500}})
    elif deed == "endless":
        while True:
            sys.stdout.write("x" * 65536)
    elif deed == "shout":
        for _ in range(2000):
            sys.stderr.write("secret student words " * 500)
    elif deed == "big":
        result = text("x" * int(detail))
    elif deed == "list_changed":
        send({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
    elif deed == "say":
        result = json.loads(detail)
    elif deed == "fail":
        result = text(detail, isError=True)
    elif deed == "refuse":
        send({"jsonrpc": "2.0", "id": request["id"], "error": {"code": -32602, "message": detail}})
        return
    send({"jsonrpc": "2.0", "id": request["id"], "result": result})


def tools() -> list[dict]:
    if path := PLAN.get("tools"):
        with open(path) as file:
            return json.load(file)
    return [ECHO]


def main() -> None:
    if PLAN.get("starts"):
        with open(PLAN["starts"], "a") as file:
            file.write(f"{os.getpid()}\n")
    if PLAN.get("stubborn"):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if os.fork() == 0:
            time.sleep(3600)
    if PLAN.get("start") == "crash":
        sys.exit("cannot start: TOKEN=canary")
    for line in sys.stdin:
        request = json.loads(line)
        if "id" not in request:
            continue
        match request["method"]:
            case "initialize":
                who = {"name": "hostile", "version": "0"}
                capabilities = {"tools": {"listChanged": True}}
                default = {"protocolVersion": "2025-06-18", "capabilities": capabilities, "serverInfo": who}
                answer(request, default)
            case "tools/list":
                answer(request, {"tools": tools()})
            case "tools/call":
                given = request["params"]["arguments"]
                told = {"arguments": given, "meta": request["params"].get("_meta"), "environment": dict(os.environ)}
                answer(request, text(str(given.get("text", "")), structuredContent=told))
            case _:
                error = {"code": -32601, "message": "no such method"}
                send({"jsonrpc": "2.0", "id": request["id"], "error": error})
    if PLAN.get("stubborn"):
        time.sleep(3600)


main()
