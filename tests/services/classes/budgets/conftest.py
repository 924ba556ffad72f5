"""Fixtures of budgets: both engines, and rooms."""

from tests.room_fixtures import engine, engine_clock, room  # noqa: F401 - fixtures
