"""Versions of answers (RFC 9110, section 8.8.3): a program that has the current one gets 304 instead of it again."""

from collections.abc import Mapping


def kept(tag: str) -> dict[str, str]:
    """The headers of an answer with a version: kept by the program only, and asked for anew each time."""
    return {"etag": tag, "cache-control": "private, no-cache"}


def is_known(headers: Mapping[str, str], tag: str) -> bool:
    """Whether `If-None-Match` names the tag; weak and strong ones count as the same (section 13.1.2)."""
    given = [one.strip().removeprefix("W/") for one in headers.get("if-none-match", "").split(",")]
    return tag.removeprefix("W/") in given or "*" in given
