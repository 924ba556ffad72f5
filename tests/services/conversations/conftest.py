"""A room for each test, on every engine where state matters."""

from tests.room_fixtures import engine, engine_clock, room  # noqa: F401 - fixtures
