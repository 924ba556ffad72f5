"""Study: quizzes, cards and exam plans, made once and shared."""

from dataclasses import dataclass

from services.llm.chat_model import ChatModel
from services.materials.library import MaterialLibrary
from services.runtime.clock import Clock
from services.study.learner_notes import LearnerNotes
from services.study.study import Study
from services.wiring.repositories import Repositories


@dataclass(frozen=True, kw_only=True)
class StudyServices:
    """What the container holds of Study. The jobs that make quizzes stand beside it."""

    study: Study


def study_of(
    repositories: Repositories, materials: MaterialLibrary, model: ChatModel, model_name: str, clock: Clock
) -> StudyServices:
    """Make the parts of Study. model_name: of the model that writes questions and marks short answers."""
    return StudyServices(study=Study(notes=LearnerNotes(repositories.store, clock)))
