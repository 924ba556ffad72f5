"""Every error of MongoDB's driver becomes one of ours, and none of its words come along."""

import pytest
from pymongo.errors import (
    AutoReconnect,
    ConfigurationError,
    DocumentTooLarge,
    DuplicateKeyError,
    ExecutionTimeout,
    NetworkTimeout,
    NotPrimaryError,
    OperationFailure,
    PyMongoError,
    ServerSelectionTimeoutError,
    WriteConcernError,
    WTimeoutError,
)

from services.errors import DuplicateDocument, StorageError, StorageUnavailable
from services.storage.mongo_client import typed

SECRET = "words of a student, or mongodb://maya:s3cret@host"


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (DuplicateKeyError(SECRET, 11000), DuplicateDocument),
        (ServerSelectionTimeoutError(SECRET), StorageUnavailable),
        (NetworkTimeout(SECRET), StorageUnavailable),
        (AutoReconnect(SECRET), StorageUnavailable),
        (NotPrimaryError(SECRET), StorageUnavailable),
        (ExecutionTimeout(SECRET, 50), StorageUnavailable),
        (WTimeoutError(SECRET, 64), StorageUnavailable),
        (WriteConcernError(SECRET, 100), StorageUnavailable),
        (OperationFailure(SECRET, 11600, {"errorLabels": ["RetryableWriteError"]}), StorageUnavailable),
        (OperationFailure(SECRET, 18), StorageUnavailable),
        (OperationFailure(SECRET, 14031), StorageUnavailable),
        (ConfigurationError(SECRET), StorageUnavailable),
        (DocumentTooLarge(SECRET), StorageError),
        (OperationFailure(SECRET, 2), StorageError),
    ],
)
def test_an_error_of_the_driver_is_told_as_one_of_ours(error: PyMongoError, expected: type[StorageError]) -> None:
    ours = typed(error)

    assert type(ours) is expected
    assert SECRET not in f"{ours} {ours.next_step}"
