"""Every word for how a call fails and why a tool is not offered: programs rely on them."""

from enum import StrEnum


class FailureKind(StrEnum):
    """What programs are told of a call that failed, in every door's `error_kind`; a new one is theirs to learn."""

    NOT_CONNECTED = "not_connected"
    RECONNECT = "reconnect"
    UNAVAILABLE = "unavailable"
    NOT_ALLOWED = "not_allowed"
    BAD_ARGUMENTS = "bad_arguments"
    NOT_FOUND = "not_found"
    CHANGED_ELSEWHERE = "changed_elsewhere"
    NOT_DONE = "not_done"
    UNKNOWN_OUTCOME = "unknown_outcome"
    TIMED_OUT = "timed_out"
    TOO_LARGE = "too_large"
    USED_TOO_OFTEN = "used_too_often"
    INTERNAL = "internal"


class Kind(StrEnum):
    """Why a student is not offered a tool, in every door's `reason`."""

    NOT_CONNECTED = "not_connected"
    CONNECTION_EXPIRED = "connection_expired"
    CONNECTION_REVOKED = "connection_revoked"
    CONNECTION_LOCKED = "connection_locked"
    CAPABILITY_MISSING = "capability_missing"
    SERVER_DOWN = "server_down"
    CHANGED_DESCRIPTION = "changed_description"
    PACKAGE_MISSING = "package_missing"
    NOT_SET_UP = "not_set_up"
    UNUSABLE = "unusable"
    CATEGORY_OFF = "category_off"
    SWITCHED_OFF = "switched_off"
