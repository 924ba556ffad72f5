"""Rooms, on both engines."""

from tests.room_fixtures import engine, room  # noqa: F401 - fixtures
