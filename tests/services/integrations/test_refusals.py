"""What tools refuse, as a student reads it on a page: in their language, and about nothing that only a model knows."""

import ast
import re
from collections.abc import Iterator

from services import errors
from services.integrations.kit.localized import list_choices
from services.settings import ROOT

REFUSALS = {
    name for name, error in vars(errors).items() if isinstance(error, type) and issubclass(error, errors.ServiceError)
}
FOR_A_MODEL = re.compile(r"\b(?:the|this) student\b|\bcall\b.*_|\b(?:notion|canvas|planner|calendar|web|documents)_")


def refusals() -> Iterator[tuple[str, ast.Call, str]]:
    for path in (ROOT / "services" / "integrations").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                yield f"{path.relative_to(ROOT)}:{node.lineno}", node, node.func.id


def test_what_a_tool_refuses_is_said_in_the_students_language_and_not_to_a_model() -> None:
    unsaid, for_a_model = [], []
    for place, call, name in refusals():
        named = {keyword.arg: keyword.value for keyword in call.keywords}
        if name == "BadArguments" and "said" not in named:
            shown = call.args[:1]
        elif name in REFUSALS:
            shown = [*call.args[1:2], *([named["next_step"]] if "next_step" in named else [])]
        else:
            shown = [named["said"]] if name == "BadArguments" else []
        unsaid += [
            place
            for argument in shown
            if isinstance(argument, ast.Constant | ast.JoinedStr) and ast.unparse(argument) != "''"
        ]
        words = (part.value for argument in shown for part in ast.walk(argument) if isinstance(part, ast.Constant))
        for_a_model += [place for word in words if isinstance(word, str) and FOR_A_MODEL.search(word)]

    assert unsaid == []
    assert for_a_model == []


def test_names_to_choose_among_carry_an_id_only_where_two_are_called_alike() -> None:
    named = [("Lab 1", 3), ("Essay", 4), ("Essay", 5)]

    assert list_choices(named) == "Lab 1; Essay (id 4); Essay (id 5)"
    assert list_choices(named, 1) == "Lab 1; …"
