"""A log of JSON lines holds nothing else: what libraries log and print, and errors that nobody caught."""

import io
import json
import traceback
from typing import Any

import pytest

from services.runtime.log_output import JsonOutput
from services.runtime.logs import Redaction


def lines(raw: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in raw.getvalue().splitlines()]


@pytest.fixture
def raw() -> io.StringIO:
    return io.StringIO()


def test_lines_of_json_stay_and_others_become_messages(raw: io.StringIO) -> None:
    output = JsonOutput(raw, Redaction(["a-long-secret"]))

    print('{"event": "turn_recovered"}', file=output)
    print("Listening with a-long-secret", file=output)

    first, second = lines(raw)
    assert first == {"event": "turn_recovered"}
    assert (second["message"], second["level"]) == ("Listening with ***", "info")


def test_a_worker_is_named_in_each_line(raw: io.StringIO) -> None:
    output = JsonOutput(raw, Redaction(), process="worker 1")

    output.write('{"event": "turn_recovered"}\nplain words\n')

    assert [line["process"] for line in lines(raw)] == ["worker 1", "worker 1"]


@pytest.mark.parametrize("is_whole", [True, False], ids=["in one write", "line by line"])
def test_a_traceback_is_one_line_without_the_errors_words(raw: io.StringIO, is_whole: bool) -> None:
    output = JsonOutput(raw, Redaction())
    try:
        try:
            raise ValueError("Maya's diary")
        except ValueError:
            raise RuntimeError("her grades\nand her notes")  # noqa: B904 - one that led to the other by chance
    except RuntimeError as error:
        parts = traceback.format_exception(error)

    output.write("Task exception was never retrieved\n")
    for text in ["".join(parts)] if is_whole else parts:
        output.write(text)
    output.write("and on it goes\n")

    written = raw.getvalue()
    assert not any(words in written for words in ("diary", "grades", "notes"))
    assert [line.get("event", line.get("message")) for line in lines(raw)][-1] == "and on it goes"
    assert any(line.get("at", "").startswith(("RuntimeError@", "ValueError@")) for line in lines(raw))
