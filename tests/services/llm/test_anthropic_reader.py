"""One thread reads all answers: none waits for another, and none outlives whoever asked for it."""

import gzip
import json
import os
import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from services.errors import ModelInterrupted, ModelPaused, ModelUnavailable
from services.llm.anthropic_model import AnthropicModel
from services.llm.chat_model import AnswerUnwanted, ModelReply, ModelRequest
from tests.agent_fakes import WAIT_S, ask
from tests.anthropic_server import START, AnthropicServer, end, event, text
from tests.services.safety.fetch.raw_server import RawServer, answer

REQUEST = ModelRequest(
    model="claude-haiku-5-5",
    system=[{"type": "text", "text": "Be kind."}],
    tools=[],
    messages=[{"role": "user", "content": [{"type": "text", "text": "Hi"}]}],
)
READER = "model-reader"
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n"


def written(events: Iterable[Any]) -> bytes:
    return "".join(f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in events).encode()


HELLO = written([START, *text("Hello"), *end("end_turn")])


def model_at(url: str, **options: Any) -> AnthropicModel:
    return AnthropicModel(api_key="k", base_url=url, **{"idle_s": WAIT_S, "sleep": lambda _: None, **options})


def readers() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name == READER}


@pytest.fixture
def server() -> Iterator[AnthropicServer]:
    server = AnthropicServer()
    yield server
    server.stop()


class Endless:
    """An answer that goes on, word by word; `is_closed` once its reader has gone."""

    def __init__(self) -> None:
        self.is_closed = threading.Event()

    def __iter__(self) -> Iterator[Any]:
        try:
            yield from (START, *text("Hello", is_closed=False))
            while True:
                time.sleep(0.01)
                yield text(" again")[1]
        finally:
            self.is_closed.set()


@pytest.mark.soak
def test_two_hundred_answers_at_once_are_read_by_one_thread(server: AnthropicServer) -> None:
    words = [f"word{number} " for number in range(30)]
    server.script = [[START, *text(*words), *end("end_turn")] for _ in range(200)]
    threads, at_once, most, others = set(), set(), [], readers()

    def ask_it(number: int) -> str:
        said: list[str] = []

        def take(piece: str) -> bool:
            threads.add(threading.current_thread().name)
            at_once.add(number)
            most.append(len(readers() - others))
            said.append(piece)
            return True

        model.stream(REQUEST, take)
        return "".join(said)

    with closing(model_at(server.url)) as model, ThreadPoolExecutor(200) as pool:
        answers = list(pool.map(ask_it, range(200)))

    assert answers == ["".join(words)] * 200
    assert len(at_once) == 200
    assert (threads, max(most)) == ({READER}, 1)


def test_who_wants_no_more_words_is_rid_of_the_connection(server: AnthropicServer) -> None:
    endless = Endless()
    server.script = [endless]

    with closing(model_at(server.url)) as model, pytest.raises(AnswerUnwanted):
        model.stream(REQUEST, lambda piece: "again" not in piece)

    assert endless.is_closed.wait(WAIT_S)


@pytest.mark.parametrize("script", [b"", HEAD, HEAD + written([START, *text("Hello", is_closed=False)])])
def test_a_stop_is_heard_while_nothing_comes(script: bytes) -> None:
    is_stopped = threading.Event()
    threading.Timer(0.1, is_stopped.set).start()

    def hang(_: bytes) -> Iterator[bytes]:
        yield script
        server.release.wait(WAIT_S)

    with RawServer(hang) as server, closing(model_at(server.origin)) as model, pytest.raises(AnswerUnwanted):
        model.stream(REQUEST, lambda _: not is_stopped.is_set())


def test_what_a_taker_raises_reaches_whoever_asked_and_nobody_else(server: AnthropicServer) -> None:
    first, second = Endless(), Endless()
    server.script = [first, second]
    taken = threading.Event()
    is_over = threading.Event()

    def other(piece: str) -> bool:
        taken.set()
        return not is_over.is_set()

    with closing(model_at(server.url)) as model, ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(model.stream, REQUEST, other)
        assert taken.wait(WAIT_S)
        with pytest.raises(ZeroDivisionError):
            model.stream(REQUEST, lambda _: bool(1 / 0))

        assert not waiting.done()
        is_over.set()
        with pytest.raises(AnswerUnwanted):
            waiting.result(WAIT_S)


def test_a_slow_taker_loses_no_word(server: AnthropicServer) -> None:
    words = [f"{number} " for number in range(40)]
    server.script = [[START, *text(*words), *end("end_turn")]]
    said: list[str] = []

    def take(piece: str) -> bool:
        time.sleep(0.01)
        said.append(piece)
        return True

    with closing(model_at(server.url)) as model:
        model.stream(REQUEST, take)

    assert "".join(said) == "".join(words)


def test_a_gateway_that_trickles_is_read_byte_by_byte() -> None:
    pieces = [HEAD, *(HELLO[place : place + 1] for place in range(len(HELLO)))]

    with RawServer(lambda _: pieces) as server, closing(model_at(server.origin)) as model:
        words, reply = ask(model, REQUEST)

    assert (words, type(reply)) == ("Hello", ModelReply)


def test_a_packed_answer_is_unpacked() -> None:
    packed = answer(gzip.compress(HELLO), content_encoding="gzip", content_type="text/event-stream")

    with RawServer(packed) as server, closing(model_at(server.origin)) as model:
        words, _ = ask(model, REQUEST)
        (head,) = server.requests

    assert words == "Hello"
    assert "accept-encoding: gzip, deflate\r\n" in head.lower()


def test_an_answer_whose_length_was_not_kept_breaks_off() -> None:
    short = answer(HELLO[:-60], content_type="text/event-stream").replace(b"content-length: ", b"content-length: 9")

    with RawServer(short) as server, closing(model_at(server.origin)) as model:
        words, error = ask(model, REQUEST)

    assert (words, type(error)) == ("Hello", ModelInterrupted)


def test_what_is_no_http_is_unavailable() -> None:
    with RawServer(b"220 mail.example ESMTP\r\n") as server, closing(model_at(server.origin)) as model:
        _, error = ask(model, REQUEST)

    assert type(error) is ModelUnavailable


def test_the_key_goes_nowhere_else_with_a_redirect() -> None:
    with RawServer(answer(HELLO)) as elsewhere:
        moved = answer(status="307 Temporary Redirect", location=f"{elsewhere.origin}/v1/messages")
        with RawServer(moved) as server, closing(model_at(server.origin)) as model:
            _, error = ask(model, REQUEST)

        assert (type(error), elsewhere.requests) == (ModelPaused, [])


def test_a_connection_is_used_again() -> None:
    connections = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def setup(self) -> None:
            connections.append(self.client_address)
            super().setup()

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(200)
            self.send_header("content-length", str(len(HELLO)))
            self.end_headers()
            self.wfile.write(HELLO)

        def log_message(self, *_: Any) -> None:
            """Tests look at the lists instead."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    with closing(model_at(f"http://127.0.0.1:{server.server_port}")) as model:
        answers = [ask(model, REQUEST)[0] for _ in range(3)]
    server.shutdown()
    server.server_close()

    assert (answers, len(connections)) == (["Hello"] * 3, 1)


def test_closing_ends_what_is_read_and_leaves_nothing_behind(server: AnthropicServer) -> None:
    endless, taken, others = Endless(), threading.Event(), readers()
    server.script = [endless]

    def take(piece: str) -> bool:
        if piece:
            taken.set()
        return True

    model = model_at(server.url)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(model.stream, REQUEST, take)
        assert taken.wait(WAIT_S)
        model.close()

        with pytest.raises(ModelInterrupted):
            waiting.result(WAIT_S)

    assert endless.is_closed.wait(WAIT_S)
    assert readers() <= others


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_the_death_of_the_reader_is_an_interruption_and_the_next_request_starts_another(
    server: AnthropicServer,
) -> None:
    endless, taken = Endless(), threading.Event()
    server.script = [endless, [event("ping")] * 3, [START, *text("Hello"), *end("end_turn")]]

    def take(piece: str) -> bool:
        if piece:
            taken.set()
        return True

    def die(_: str) -> bool:
        raise SystemExit

    with closing(model_at(server.url)) as model, ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(model.stream, REQUEST, take)
        assert taken.wait(WAIT_S)
        with pytest.raises((SystemExit, ModelUnavailable)):
            model.stream(REQUEST, die)
        with pytest.raises(ModelInterrupted):
            waiting.result(WAIT_S)

        assert ask(model, REQUEST)[0] == "Hello"


def test_a_forked_process_reads_with_a_thread_of_its_own(server: AnthropicServer) -> None:
    server.script = [[START, *text("Hello"), *end("end_turn")]] * 3

    with closing(model_at(server.url)) as model:
        ask(model, REQUEST)
        child = os.fork()
        if not child:
            os._exit(7 if ask(model, REQUEST)[0] == "Hello" else 3)
        _, status = os.waitpid(child, 0)
        after = ask(model, REQUEST)[0]

    assert (os.waitstatus_to_exitcode(status), after) == (7, "Hello")
