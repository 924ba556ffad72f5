"""A student who has quizzes made, in memory or on each storage engine."""

import pytest

from tests.fakes import FakeDocuments
from tests.services.study.assessment.conftest import engine  # noqa: F401 - a fixture
from tests.services.study.generation.desk import MakingDesk


@pytest.fixture
def desk() -> MakingDesk:
    return MakingDesk(FakeDocuments())
