"""Levels of academic integrity that an instructor chooses from, each with its sentence and its words for the model."""

from dataclasses import dataclass
from typing import Literal

from services.i18n import gettext, gettext_noop
from services.runtime.prompt_files import prompt

LevelId = Literal["explains", "asks", "points", "organises"]


@dataclass(frozen=True, kw_only=True)
class IntegrityLevel:
    """Level of help. label, sentence: for a person, translated where they are shown; the second is what students read.

    No level allows what is refused everywhere: to write what is handed in, or to answer a quiz that is being taken.
    """

    id: LevelId
    label: str
    sentence: str

    @property
    def words(self) -> str:
        """What the model is told of it."""
        return prompt(f"integrity/{self.id}")


LEVELS: tuple[IntegrityLevel, ...] = (
    IntegrityLevel(
        id="explains",
        label=gettext_noop("Explains"),
        sentence=gettext_noop(
            "Explains, works through examples like yours and comments on your drafts. It does not write what you "
            "hand in."
        ),
    ),
    IntegrityLevel(
        id="asks",
        label=gettext_noop("Asks first"),
        sentence=gettext_noop(
            "Asks what you know and gives hints in steps before it explains. It does not solve graded work."
        ),
    ),
    IntegrityLevel(
        id="points",
        label=gettext_noop("Points to the material"),
        sentence=gettext_noop(
            "Shows where the course material says it, with the page, and does not explain in its own words."
        ),
    ),
    IntegrityLevel(
        id="organises",
        label=gettext_noop("Organises only"),
        sentence=gettext_noop(
            "Helps with dates, tasks and the rules of the course. It does not talk about the content."
        ),
    ),
)
"""From the one that helps most to the one that helps least."""
_LEVELS = {level.id: level for level in LEVELS}


def level_of(id: LevelId) -> IntegrityLevel:
    """The level of this id."""
    return _LEVELS[id]


def policy_text(level: LevelId, own_rules: str) -> str:
    """The policy as a student reads it: the level's sentence, and the instructor's own rules as they wrote them."""
    return " ".join(filter(None, (gettext(level_of(level).sentence), own_rules.strip())))
