"""A service's name stands in a sentence as it is called in the student's language."""

import re
from pathlib import Path

from services.i18n import locale_scope
from services.tools.availability import DisabledIntegration

ROOT = Path(__file__).resolve().parents[3]
BARE = re.compile(
    r"\bgettext\((?:[^()]|\([^()]*\))*?\b(?:label|service)=(?!gettext\()(?:offered|integration|giver|first|own\[0\]|disabled|self)\.label\b"
)


def test_the_reason_for_a_tool_that_is_missing_names_its_service_in_spanish() -> None:
    disabled = DisabledIntegration(integration="sample_course", label="Sample course", kind="missing", reason="")

    with locale_scope("es"):
        assert disabled.sentence == "Curso de muestra no está conectado."


def test_no_sentence_takes_the_english_name_of_a_service() -> None:
    found = [
        (path.relative_to(ROOT).as_posix(), call[0])
        for room in ("services", "ui", "pages", "api")
        for path in sorted((ROOT / room).rglob("*.py"))
        for call in BARE.finditer(path.read_text())
    ]

    assert found == []
