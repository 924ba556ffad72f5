"""MongoDB's client, and its errors as typed errors of ours; never with a password or a document in them."""

import warnings
from typing import Any

from pymongo import MongoClient
from pymongo.common import VALIDATORS
from pymongo.errors import (
    ConfigurationError,
    ConnectionFailure,
    DocumentTooLarge,
    DuplicateKeyError,
    OperationFailure,
    PyMongoError,
    WaitQueueTimeoutError,
    WriteConcernError,
)

from services.errors import DuplicateDocument, SettingsError, StorageError, StorageUnavailable
from services.i18n import gettext

CALL_S = 2.5
_SELECTION_S = 2.2
MongoFields = dict[str, Any]
_SIGN_IN_CODES = (13, 18, 8000)
"""Unauthorized, AuthenticationFailed, and Atlas's own (mongodb.com/docs/manual/reference/error-codes)."""

_FULL_CODES = (14031, 12501)


def open_client(uri: str) -> MongoClient[MongoFields]:
    """A client that has not connected yet; raises `SettingsError` for an address that cannot be read.

    The driver only warns of an option that it does not understand, and goes on without it.
    """
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        client = _unchecked_client(uri)
    if messages := [str(warning.message) for warning in warned if issubclass(warning.category, UserWarning)]:
        client.close()
        raise wrong_option(messages[0])
    return client


def _unchecked_client(uri: str) -> MongoClient[MongoFields]:
    try:
        return MongoClient(
            uri,
            appname="homeroom",
            connect=False,
            serverSelectionTimeoutMS=int(_SELECTION_S * 1000),
            timeoutMS=int(CALL_S * 1000),
            w="majority",
            journal=True,
            retryWrites=True,
            readPreference="primary",
        )
    except (ConfigurationError, ValueError):
        # The driver's own words may repeat a part of the password.
        remedy = "Set mongodb://user:password@host/database, with special characters of the password as %XX."
        raise SettingsError("MONGODB_URI", "cannot be read as a MongoDB address.", next_step=remedy) from None
    except OSError:
        remedy = "Look at the options that name files, such as tlsCAFile: this user must be able to read them."
        raise SettingsError("MONGODB_URI", "names a file that cannot be read.", next_step=remedy) from None


def is_sign_in_refused(error: Exception) -> bool:
    return isinstance(error, OperationFailure) and error.code in _SIGN_IN_CODES


def is_taken_id(error: DuplicateKeyError) -> bool:
    """Whether it was the id that is taken, not another unique value."""
    details = error.details or {}
    pattern = details.get("keyPattern")
    return "_id" in pattern if pattern else "_id_" in str(details.get("errmsg", ""))


def sign_in_refused() -> StorageUnavailable:
    return StorageUnavailable(
        gettext("The database refused Homeroom's sign-in."),
        remedy="Correct the user name and password in MONGODB_URI.",
    )


def is_out_of_reach(error: Exception) -> bool:
    """Whether no server was found or the line to it was lost; not that all our own connections were busy."""
    return isinstance(error, ConnectionFailure) and not isinstance(error, WaitQueueTimeoutError)


def out_of_reach() -> StorageUnavailable:
    remedy = (
        "See that the database of MONGODB_URI runs, that its address is right and lets this machine in, and that its"
        " replica set has begun (rs.initiate) under the name of `replicaSet`; then try again."
    )
    return StorageUnavailable(
        gettext("The database does not answer."), next_step=gettext("Try again in a moment."), remedy=remedy
    )


def wrong_option(warning: str) -> SettingsError:
    """The error for an option that the driver warned of; only the option's name is
    taken, as the warning may hold a password.
    """
    words = {word.strip(".,'").casefold() for word in warning.split()}
    is_unknown = warning.startswith("Unknown option")
    named = [] if is_unknown else sorted(name for name in VALIDATORS if name.casefold() in words)
    problem = "has an option that MongoDB does not know." if is_unknown else "has an option with a wrong value."
    which = f" ({named[0]})" if named else ""
    remedy = f"Mend the options after the question mark{which}: mongodb.com/docs/manual/reference/connection-string."
    return SettingsError("MONGODB_URI", problem, next_step=remedy)


def _is_outage(error: PyMongoError) -> bool:
    """Also a write that no majority confirmed in time: it counts as not saved."""
    if isinstance(error, OperationFailure) and error.has_error_label("RetryableWriteError"):
        return True
    return isinstance(error, ConnectionFailure | WriteConcernError) or error.timeout


def typed(error: PyMongoError | DocumentTooLarge) -> StorageError:
    """The error of ours that an error of the driver means."""
    if isinstance(error, DocumentTooLarge):
        return StorageError(gettext("That is too large to keep."), next_step=gettext("Send less at once."))
    if isinstance(error, DuplicateKeyError):
        return DuplicateDocument(gettext("That exists already."), next_step=gettext("Read it again, then decide."))
    if is_sign_in_refused(error):
        return sign_in_refused()
    if isinstance(error, ConfigurationError):
        return StorageUnavailable(gettext("The database cannot be found."), remedy="Check the address in MONGODB_URI.")
    if _is_outage(error):
        return out_of_reach()
    code = error.code if isinstance(error, OperationFailure) else None
    if code in _FULL_CODES:
        return StorageUnavailable(
            gettext("The database's disk is full."), remedy="Make room on the disk of the database."
        )
    return StorageError(
        gettext("The database refused a request ({name}, code {code}).", name=type(error).__name__, code=code)
    )
