"""Study: quizzes, cards and exam plans, made once and shared."""

from dataclasses import dataclass

from services.connections.connections import Connections
from services.llm.chat_model import ChatModel
from services.materials.library import MaterialLibrary
from services.runtime.clock import Clock
from services.safety.consent_terms import ConsentTerms
from services.settings import Settings
from services.study.generation.generation_job import GenerationJob
from services.study.learner_notes import LearnerNotes
from services.study.study import Study
from services.wiring.quiz_generation import generation_parts
from services.wiring.repositories import Repositories


@dataclass(frozen=True, kw_only=True)
class StudyServices:
    """What the container holds of Study. The jobs that make quizzes stand beside it."""

    study: Study
    quiz_making: GenerationJob


def study_of(
    settings: Settings,
    repositories: Repositories,
    materials: MaterialLibrary,
    connections: Connections,
    *,
    model: ChatModel,
    terms: ConsentTerms,
    clock: Clock,
) -> StudyServices:
    """Make the parts of Study. model: the one that writes questions and marks short answers."""
    made = generation_parts(settings, repositories, materials, connections, model=model, terms=terms, clock=clock)
    return StudyServices(
        study=Study(quizzes=made.quizzes, notes=LearnerNotes(repositories.store, clock)), quiz_making=made.job
    )
