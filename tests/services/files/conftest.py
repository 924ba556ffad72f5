"""A room for each test, on every engine where state matters."""

from tests.room_fixtures import engine, room  # noqa: F401 - fixtures
