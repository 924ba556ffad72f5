"""Words that students' assistants read name no tool that they do not have, those that ship included."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from services import bootstrap
from services.assistants.assistant import Assistant
from services.assistants.publish_check import PublishProblem, ToolNames, check_words
from services.assistants.registry import read_shipped
from services.settings import read
from services.wiring.container import ServiceContainer

TOOLS = ToolNames(
    known={"notes_add", "notes_find", "web_search", "web_read", "board", "mail_send"},
    lacking={"web_search": "category_off", "notes_add": "switched_off", "mail_send": "not_set_up"},
    categories={"web_search": "Research", "notes_add": "Notes", "mail_send": "Mail"},
    servers={"files"},
)


MAY_STAY = "Take it out where you mean a tool; a name that belongs to your subject may stay."


def told(words: str, **more: str) -> dict[str, str]:
    assistant = Assistant(id="tutor", name="Tutor", words=words, **more)  # type: ignore[arg-type]
    return {problem.tool: problem.next_step for problem in check_words(assistant, TOOLS)}


@pytest.fixture(scope="module")
def deployment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServiceContainer]:
    folder: Path = tmp_path_factory.mktemp("deployment")
    container = bootstrap.build(
        read({"HOMEROOM_DEMO": "1", "HOMEROOM_DATA_DIR": str(folder), "ANTHROPIC_API_KEY": "demo"})
    )
    yield container
    container.store.close()


@pytest.mark.parametrize("assistant", read_shipped().values(), ids=lambda assistant: assistant.id)
def test_what_ships_could_be_published(deployment: ServiceContainer, assistant: Assistant) -> None:
    assert list(deployment.classroom.assistants.problems(assistant)) == []


def test_the_course_companion_would_not_be_published_with_words_on_documents(deployment: ServiceContainer) -> None:
    companion = read_shipped()["course_companion"]

    (problem,) = deployment.classroom.assistants.problems(
        replace(companion, words=f"{companion.words} Keep longer texts with documents_create.")
    )

    assert problem == PublishProblem(
        tool="documents_create",
        sentence="The words name documents_create, which this assistant does not have.",
        next_step="Switch on this tool or its category, Documents, or take it out of the words.",
    )


def test_a_switched_on_tool_of_a_category_that_is_off_is_there(deployment: ServiceContainer) -> None:
    draft = Assistant(id="t", name="T", categories=(), switches={"documents_create": True}, words="documents_create!")

    assert list(deployment.classroom.assistants.problems(draft)) == []
    assert len(deployment.classroom.assistants.problems(replace(draft, switches={}))) == 1


@pytest.mark.parametrize(
    ("words", "steps"),
    [
        ("Find with notes_find, never elsewhere.", {}),
        ("Add with notes_add.", {"notes_add": "Switch it on, or take it out of the words."}),
        (
            "Search (web_search) and search again with `web_search`.",
            {"web_search": "Switch on this tool or its category, Research, or take it out of the words."},
        ),
        ("Use mail_send.", {"mail_send": "It is not set up in this Homeroom. Take it out of the words."}),
        ("Use notes_fnd.", {"notes_fnd": "Did you mean notes_find?"}),
        ("Use web_scrape_everything.", {"web_scrape_everything": "Take the name out of the words."}),
        ("The board of the school decides.", {}),
        ("Files come from files__read_file.", {}),
        ("They write my_list and x_1 in snake_case; see https://x.example/web_search and web_search.py.", {}),
        ("Send it with send_email.", {"send_email": MAY_STAY}),
        ("Notify: slack_send!", {"slack_send": MAY_STAY}),
        ("Use the tool my_list, then call `my_dict`.", {"my_list": MAY_STAY, "my_dict": MAY_STAY}),
        ("Usa la herramienta correo_nuevo.", {"correo_nuevo": MAY_STAY}),
        ("They write __init__ and CAPITAL_LETTERS.", {}),
        ("", {}),
    ],
)
def test_each_name_that_it_lacks_is_told_once_with_what_to_do(words: str, steps: dict[str, str]) -> None:
    assert told(words) == steps


def test_the_rules_that_students_read_are_looked_at_too() -> None:
    assert set(told("", integrity="It may web_search.")) == {"web_search"}


def test_a_name_that_may_belong_to_the_subject_is_told_and_keeps_nobody_from_publishing() -> None:
    words = "Load the table with read_csv, then send_email and notes_add."
    problems = check_words(Assistant(id="t", name="T", words=words), TOOLS)

    assert {problem.tool: problem.is_blocking for problem in problems} == {
        "read_csv": False,
        "send_email": False,
        "notes_add": True,
    }
