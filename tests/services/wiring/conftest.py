"""Rooms, on both engines."""

from tests.room_fixtures import engine, engine_clock, room  # noqa: F401 - fixtures
