"""`StudyServices`: the parts of a student's practice, as the container holds them."""

from dataclasses import dataclass

from services.study.assessment.attempts import Attempts
from services.study.exam_plans.exam_plans import ExamPlans
from services.study.exchange.card_exchange import CardExchange
from services.study.generation.quizzes import Quizzes
from services.study.learner_notes import LearnerNotes
from services.study.mastery import Mastery
from services.study.overview import StudyDays
from services.study.review.deck import Deck
from services.study.review.reviews import Reviews


@dataclass(frozen=True, kw_only=True)
class StudyServices:
    """Parts of Study; every method of theirs takes the student first and sees nothing of anybody else."""

    quizzes: Quizzes
    attempts: Attempts
    notes: LearnerNotes
    cards: Deck
    reviews: Reviews
    exchange: CardExchange
    mastery: Mastery
    exams: ExamPlans
    days: StudyDays
