"""Study: quizzes, cards and exam plans, made once and shared."""

from dataclasses import dataclass

from services.study.study import Study


@dataclass(frozen=True, kw_only=True)
class StudyServices:
    """What the container holds of Study. The jobs that make quizzes stand beside it."""

    study: Study


def study_of() -> StudyServices:
    """Make the parts of Study."""
    return StudyServices(study=Study())
