"""Answers to quizzes over HTTP, by how many questions the student has: what the server takes for each."""

import asyncio
import statistics
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import httpx

from bench.load.app_server import AppServer
from bench.load.sign_in import sign_in
from bench.load.streamlit_client import StreamlitClient
from services import bootstrap, settings
from services.study.question import Question, QuestionKind, Quotation, SourceKind
from services.study.quiz import Quiz, QuizRequest, QuizState
from services.study.store.quiz_repository import QuizRepository

TITLE = "Study: answers to quizzes over HTTP, against a request that only looks at the sign-in"
HEAD = ("questions of the student", "sign-in alone p50", "answer p50", "p95", "ratio of the medians", "whole quiz p50")
SIZES = (40, 2_000)
EACH, TAKEN = 40, 5
"""Questions of a quiz; quizzes that are taken."""
MADE_AT = datetime(2026, 11, 21, 12, tzinfo=UTC)


def measure(data_dir: Path) -> list[list[str]]:
    server = AppServer(data_dir).start()
    try:
        cookies = sign_in(server.url)
        asyncio.run(_visit(server.url, cookies))
        headers = {"x-requested-with": "homeroom", "origin": server.url}
        with httpx.Client(base_url=server.url, cookies=cookies, headers=headers, timeout=60, trust_env=False) as client:
            return [_row(client, data_dir, size) for size in SIZES]
    finally:
        server.stop()


async def _visit(url: str, cookies: dict[str, str]) -> None:
    """The first visit makes the student."""
    async with StreamlitClient(url, cookies) as tab:
        await tab.open()


def _row(client: httpx.Client, data_dir: Path, size: int) -> list[str]:
    _store_quizzes(data_dir, size)
    answers, looks, bare = list[float](), list[float](), list[float]()
    for number in range(min(TAKEN, size // EACH)):
        told, _ = _timed(client, "start", quiz=f"quiz-{size}-{number}")
        attempt = told["attempt"]
        for at, question in enumerate(attempt["order"]):
            body = {"question": question, "number": at, "chosen": [at % 2], "id": f"answer-{at}"}
            answers.append(_timed(client, "answer", attempt=attempt["id"], **body)[1])
            bare.append(_timed(client, "state", quiz="quiz-none")[1])
        looks.append(_timed(client, "state", quiz=f"quiz-{size}-{number}")[1])
    medians = [statistics.median(times) for times in (bare, answers, looks)]
    p95 = sorted(answers)[-1 - len(answers) // 20]
    shown = [f"{1_000 * took:.0f} ms" for took in (medians[0], medians[1], p95)]
    return [f"{size:,}", *shown, f"{medians[1] / medians[0]:.1f}", f"{1_000 * medians[2]:.0f} ms"]


def _timed(client: httpx.Client, what: str, **body: object) -> tuple[dict[str, dict[str, list[str]]], float]:
    began = time.perf_counter()
    answer = client.post(f"/live/study/quiz/{what}", json=body)
    took = time.perf_counter() - began
    assert answer.status_code in (200, 404), answer.text
    return answer.json(), took


def _store_quizzes(data_dir: Path, size: int) -> None:
    """Store quizzes with this many questions together."""
    services = bootstrap.build(settings.read({"HOMEROOM_DEMO": "1", "HOMEROOM_DATA_DIR": str(data_dir)}))
    student = services.store.shared.find("students", {}, limit=1)[0]["id"]
    repository = QuizRepository(services.store)
    for number in range(size // EACH):
        id = f"quiz-{size}-{number}"
        request = QuizRequest(title="Cells", course_key="bench", count=EACH)
        repository.add(student, Quiz(id=id, request=request, state=QuizState.READY, made_at=MADE_AT))
        record = repository.quiz(student, id)
        assert record is not None
        repository.change(student, record, {}, new=[_question(f"{id}-{at}", at) for at in range(EACH)])
    services.store.close()


def _question(id: str, at: int) -> Question:
    words = f"Osmosis number {at} is the net movement of water across a membrane, where $c_1 > c_{{2}}$."
    question = Question(
        id=id,
        kind=QuestionKind.SINGLE_CHOICE,
        prompt=f"What moves in case {at}, where **$c_1 > c_2$**?",
        course_key="bench",
        topic=f"Topic {at % 7}",
        options=tuple(f"Answer {letter} of case {at}" for letter in "abcd"),
        correct=(0,),
        explanation=words,
        quotation=Quotation(source=SourceKind.TEXT, place="Notes", words=words),
        made_at=MADE_AT,
    )
    is_statement = at % 5 == 4
    return replace(question, kind=QuestionKind.TRUE_FALSE, options=(), correct=(1,)) if is_statement else question
