"""Leases of a process are renewed together, and one that was lost is named and takes no other along (R29)."""

from services.storage.documents import Documents
from services.storage.leases import LEASE_S, Lease, Leases
from services.storage.store import Store
from tests.fakes import FakeClock


def lease(number: int, holder: str = "here") -> Lease:
    return Lease(name=f"conversation/maya/{number}", kind="turn", student="maya", work=f"t{number}", holder=holder)


def test_all_are_renewed_and_a_lost_one_takes_no_other_along(engine: Documents) -> None:
    store, clock = Store(engine), FakeClock()
    here, elsewhere = Leases(store, clock), Leases(store, clock)
    held = [lease(number) for number in range(3)]
    assert all(here.acquire(each) for each in held)

    clock.advance(seconds=LEASE_S / 2)
    assert here.renew_all() == []
    clock.advance(seconds=LEASE_S / 2 + 1)
    assert elsewhere.expired("turn") == []

    store.shared.delete("leases", {"id": held[1].name})
    assert elsewhere.acquire(lease(1, "elsewhere"))
    assert here.renew_all() == [held[1]]
    clock.advance(seconds=LEASE_S / 2 + 1)
    assert elsewhere.expired("turn") == []
    assert here.renew_all() == []
