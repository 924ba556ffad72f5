"""Inherited laws explain their failures as tests do."""

import pytest

pytest.register_assert_rewrite(
    "tests.services.storage.contract_writes",
    "tests.services.storage.contract_queries",
    "tests.services.storage.contract_time",
)
