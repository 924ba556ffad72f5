"""Replicas whose secrets differ are found out, and which one has to stay out is always the same."""

import pytest

from services.errors import SettingsError
from services.runtime.replica_secrets import COLLECTION, COOKIE, HEARTBEAT_S, VAULT, ReplicaSecrets
from services.storage.store import Store
from tests.fakes import FakeClock, FakeDocuments


class Deployment:
    def __init__(self) -> None:
        self.clock = FakeClock()
        self.store = Store(FakeDocuments(clock=self.clock))

    def starts(self, *, cookie: str = "c" * 40, keys: tuple[str, ...] = ("k1:one",)) -> ReplicaSecrets:
        """A replica that begins a second after the one before."""
        self.clock.advance(seconds=1)
        replica = ReplicaSecrets(self.store.shared, self.clock, cookie_secret=cookie, vault_keys=keys)
        replica.announce()
        return replica


@pytest.fixture
def deployment() -> Deployment:
    return Deployment()


def wrong(replica: ReplicaSecrets) -> list[str]:
    found = []
    for name in (COOKIE, VAULT):
        try:
            replica.check(name)
        except SettingsError as error:
            found.append(error.name)
    return found


def test_replicas_with_the_same_secrets_find_nothing(deployment: Deployment) -> None:
    first, two = deployment.starts(), deployment.starts()
    first.announce()

    assert wrong(first) == wrong(two) == []


def test_of_two_cookie_secrets_the_newcomers_is_the_wrong_one(
    deployment: Deployment, caplog: pytest.LogCaptureFixture
) -> None:
    first, two = deployment.starts(), deployment.starts(cookie="d" * 40)
    first.announce()
    two.announce()

    assert (wrong(first), wrong(two)) == ([], [COOKIE])
    assert [record.getMessage().count(COOKIE) for record in caplog.records] == [1]
    assert "dddd" not in caplog.text


@pytest.mark.parametrize("how", ["left", "died"])
def test_when_the_older_one_is_gone_the_newcomer_is_right(deployment: Deployment, how: str) -> None:
    first, two = deployment.starts(), deployment.starts(cookie="d" * 40)
    if how == "left":
        first.withdraw()
    else:
        deployment.clock.advance(seconds=4 * HEARTBEAT_S)

    two.announce()

    assert wrong(two) == []


def test_a_replica_lacks_the_key_that_another_seals_with_and_not_one_that_only_opens(deployment: Deployment) -> None:
    old, careful = deployment.starts(), deployment.starts(keys=("k1:one", "k2:two"))
    promoted = deployment.starts(keys=("k2:two", "k1:one"))
    for replica in (old, careful, promoted):
        replica.announce()

    assert [wrong(replica) for replica in (old, careful, promoted)] == [[VAULT], [], []]


def test_nothing_of_a_secret_is_kept(deployment: Deployment) -> None:
    deployment.starts()

    kept = str(deployment.store.shared.find(COLLECTION, {}))

    assert "cccc" not in kept
    assert "k1:one" not in kept
