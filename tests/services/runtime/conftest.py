"""Stores on both engines for what goes over all replicas."""

from tests.room_fixtures import engine, engine_clock

__all__ = ["engine", "engine_clock"]
