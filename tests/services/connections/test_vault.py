"""A sealed credential opens where it was sealed, with the key it was sealed with, and nowhere else."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.connections.vault import KeyRing, Vault
from services.errors import SealBroken, SettingsError
from services.settings import new_vault_key

OLD, NEW = new_vault_key("k1"), new_vault_key("k2")
VAULT = Vault(KeyRing.parse([NEW, OLD]))
PLACE = {"student_id": "maya", "integration": "canvas", "field": "access_token"}
TOKEN = "canvas-token-of-maya"

texts = st.text(st.characters(codec="utf-8"), max_size=60)
places = st.fixed_dictionaries({"student_id": texts, "integration": texts, "field": texts})


@given(text=texts, place=places)
def test_what_was_sealed_opens_again(text: str, place: dict[str, str]) -> None:
    assert VAULT.open(VAULT.seal(text, **place), **place) == text


@given(place=places, other=places)
def test_a_seal_opens_in_no_other_place(place: dict[str, str], other: dict[str, str]) -> None:
    sealed = VAULT.seal(TOKEN, **place)
    if other != place:
        with pytest.raises(SealBroken):
            VAULT.open(sealed, **other)


@pytest.mark.parametrize(
    "elsewhere",
    [
        {"student_id": "diego"},
        {"integration": "notion"},
        {"field": "refresh_token"},
        {"student_id": "mayacanvas", "integration": ""},
        {"student_id": 'maya", "canvas', "integration": ""},
        {"integration": "canvasaccess", "field": "_token"},
    ],
)
def test_a_row_swapped_with_another_stays_shut(elsewhere: dict[str, str]) -> None:
    sealed = VAULT.seal(TOKEN, **PLACE)
    with pytest.raises(SealBroken):
        VAULT.open(sealed, **{**PLACE, **elsewhere})


@given(st.data())
def test_no_changed_envelope_opens(data: st.DataObject) -> None:
    sealed = VAULT.seal(TOKEN, **PLACE)
    form, version, body = sealed.split(".")
    closed = bytearray(base64.urlsafe_b64decode(body + "=="))
    closed[data.draw(st.integers(0, len(closed) - 1))] ^= data.draw(st.integers(1, 255))
    changed = f"{form}.{version}.{base64.urlsafe_b64encode(bytes(closed)).decode().rstrip('=')}"
    with pytest.raises(SealBroken):
        VAULT.open(changed, **PLACE)


@given(st.text(max_size=80) | st.from_regex(r"v1\.k[12]\.[A-Za-z0-9_-]{0,60}", fullmatch=True))
def test_what_is_no_envelope_is_refused_by_its_type(text: str) -> None:
    for ask in (VAULT.open, VAULT.rewrap):
        with pytest.raises(SealBroken):
            ask(text, **PLACE)


def test_a_key_version_cannot_be_exchanged() -> None:
    sealed = VAULT.seal(TOKEN, **PLACE)
    with pytest.raises(SealBroken):
        VAULT.open(sealed.replace("v1.k2.", "v1.k1."), **PLACE)


def test_equal_texts_are_sealed_differently() -> None:
    seals = {VAULT.seal(TOKEN, **PLACE) for _ in range(100)}

    assert len(seals) == 100
    assert not any(TOKEN in seal for seal in seals)


def test_keys_rotate_without_a_moment_in_which_something_stays_shut() -> None:
    before = Vault(KeyRing.parse([OLD]))
    both = Vault(KeyRing.parse([NEW, OLD]))
    after = Vault(KeyRing.parse([NEW]))
    sealed = before.seal(TOKEN, **PLACE)

    assert both.open(sealed, **PLACE) == TOKEN
    assert (before.needs_rewrap(sealed), both.needs_rewrap(sealed)) == (False, True)
    rewrapped = both.rewrap(sealed, **PLACE)
    assert not both.needs_rewrap(rewrapped)
    assert after.open(rewrapped, **PLACE) == TOKEN
    with pytest.raises(SealBroken):
        after.open(sealed, **PLACE)


def test_a_replica_that_got_the_new_key_second_opens_what_both_write() -> None:
    leading, following = Vault(KeyRing.parse([NEW, OLD])), Vault(KeyRing.parse([OLD, NEW]))
    for vault, other in ((leading, following), (following, leading)):
        assert other.open(vault.seal(TOKEN, **PLACE), **PLACE) == TOKEN


def test_a_wrong_key_of_the_same_version_is_refused() -> None:
    sealed = Vault(KeyRing.parse([OLD])).seal(TOKEN, **PLACE)
    with pytest.raises(SealBroken):
        Vault(KeyRing.parse([new_vault_key("k1")])).open(sealed, **PLACE)


@pytest.mark.parametrize(
    "keys",
    [
        [],
        ["secret-without-a-version"],
        ["k1:c2hvcnQtc2VjcmV0"],
        ["k1:not base64 secret"],
        ["bad.version:" + OLD.partition(":")[2]],
        [":" + OLD.partition(":")[2]],
        [OLD, new_vault_key("k1")],
        [OLD[:-2]],
    ],
)
def test_a_bad_key_ring_names_the_setting_and_shows_no_key(keys: list[str]) -> None:
    with pytest.raises(SettingsError) as caught:
        KeyRing.parse(keys)

    said = f"{caught.value} {caught.value.next_step}"
    assert caught.value.name == "HOMEROOM_VAULT_KEYS"
    assert not any(key.partition(":")[2] in said for key in keys if key.partition(":")[2])
    assert "secret" not in said


def test_a_key_may_be_written_in_either_base64_alphabet() -> None:
    raw = bytes([251, 255] * 16)
    written = [base64.b64encode(raw).decode(), base64.urlsafe_b64encode(raw).decode()]
    vaults = [Vault(KeyRing.parse([f"k1:{text}"])) for text in written]

    assert written[0] != written[1]
    assert vaults[1].open(vaults[0].seal(TOKEN, **PLACE), **PLACE) == TOKEN


def test_no_repr_shows_a_key() -> None:
    ring = KeyRing.parse([NEW, OLD])
    shown = f"{ring!r} {Vault(ring)!r} {ring} {vars(ring)}"

    assert "k2" in repr(ring)
    assert not any(key.partition(":")[2] in shown for key in (OLD, NEW))
