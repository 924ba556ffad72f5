"""However many messages with files arrive at once, what they take is bounded, and nobody's keep others out (T49)."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from api.auth import SignInClaims
from api.errors import ApiError
from api.live import routes
from api.live.bytes_in_flight import BytesInFlight
from api.live.messages import LARGEST_FORM
from api.workers import Workers
from services.files.limits import MEGABYTE
from tests.agent_fakes import FakeModel, says
from tests.api.live.browser import LiveBrowser
from tests.api.room import ApiRoom

MAYA = SignInClaims(issuer="https://id.example", subject="maya", session=0)
LEO = replace(MAYA, subject="leo")


def refusal(quota: BytesInFlight, claims: SignInClaims, size: int, *, has_files: bool = True) -> ApiError:
    with pytest.raises(ApiError) as refused:
        quota.hold(claims, size, has_files=has_files)
    return refused.value


def test_a_student_has_only_so_many_bytes_on_their_way_and_others_have_theirs() -> None:
    quota = BytesInFlight(of_student=50, in_all=100)
    quota.hold(MAYA, 40, has_files=True)

    refused = refusal(quota, MAYA, 20)
    quota.hold(LEO, 50, has_files=True)

    assert (refused.status, refused.code, refused.headers["retry-after"]) == (429, "send_again", "3")
    assert "Send it again in a moment" in str(refused)


def test_all_together_have_only_so_many_bytes_on_their_way() -> None:
    quota = BytesInFlight(of_student=50, in_all=60)
    give_back = quota.hold(MAYA, 50, has_files=True)

    assert refusal(quota, LEO, 20).status == 503
    give_back()
    give_back()
    quota.hold(LEO, 20, has_files=True)
    assert quota.total == 20


def test_a_student_has_only_so_many_messages_with_files_on_their_way_however_small() -> None:
    quota = BytesInFlight(with_files=2)
    given_back = [quota.hold(MAYA, 1, has_files=True) for _ in range(2)]

    assert refusal(quota, MAYA, 1).status == 429
    quota.hold(MAYA, 1, has_files=False)
    given_back[0]()
    quota.hold(MAYA, 1, has_files=True)


def test_thirty_of_the_largest_messages_and_four_hundred_without_a_length_are_mostly_sent_again() -> None:
    quota = BytesInFlight()
    for number in range(400):
        owner = replace(MAYA, subject=f"student {number % 100}")
        try:
            quota.hold(owner, LARGEST_FORM, has_files=True)
        except ApiError:
            continue

    assert quota.total <= 256 * MEGABYTE


def test_room_is_held_until_work_ends_even_when_nobody_waits_for_it_any_more() -> None:
    ended: list[str] = []

    async def give_up() -> None:
        workers = Workers(size=1, most_in_line=1)
        with pytest.raises(ApiError):
            await workers.run("own", 0.01, asyncio.run, asyncio.sleep(0.05), on_end=lambda: ended.append("first"))
        assert ended == []
        with pytest.raises(ApiError):
            await workers.run("own", 1, int, on_end=lambda: ended.append("turned away"))

    asyncio.run(give_up())

    assert ended[0] == "turned away"


@pytest.fixture
def quota(monkeypatch: pytest.MonkeyPatch) -> BytesInFlight:
    made = BytesInFlight(of_student=100_000)
    monkeypatch.setattr(routes, "BytesInFlight", lambda: made)
    return made


@pytest.mark.usefixtures("quota")
def test_a_message_that_has_no_room_is_not_read_and_the_same_is_taken_a_moment_later(
    quota: BytesInFlight, make_api: Callable[..., ApiRoom]
) -> None:
    room = make_api(model=FakeModel(says("One.")))
    maya, give_back = LiveBrowser(room.client, room.services), quota.hold(MAYA, 90_000, has_files=True)
    form = {"data": {"text": "Look"}, "files": {"files": ("a.txt", b"words " * 5_000)}}

    refused = maya.send("", key="one", **form)
    give_back()
    sent = maya.send("", key="one", **form)
    room.room.watch(sent.json()["conversation_id"])

    assert (refused.status_code, refused.json()["error"]["code"]) == (429, "send_again")
    assert sent.status_code == 202
    assert quota.total == 0


def test_a_form_in_chunks_is_counted_while_it_is_read(
    make_api: Callable[..., ApiRoom], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("api.live.messages.LARGEST_FORM", 100_000)
    maya = LiveBrowser((room := make_api(model=FakeModel(says("One.")))).client, room.services)
    begin = b'--b\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\n'

    def chunks() -> Iterator[bytes]:
        yield begin
        for _ in range(50):
            yield b"x" * 10_000

    refused = maya.send("", headers={"content-type": "multipart/form-data; boundary=b"}, content=chunks())

    assert (refused.status_code, refused.json()["error"]["code"]) == (413, "too_large")


def test_a_small_form_in_chunks_is_taken(make_api: Callable[..., ApiRoom]) -> None:
    room = make_api(model=FakeModel(says("One.")))
    maya = LiveBrowser(room.client, room.services)
    form = b'--b\r\nContent-Disposition: form-data; name="text"\r\n\r\nHello\r\n--b--\r\n'

    sent = maya.send("", headers={"content-type": "multipart/form-data; boundary=b"}, content=iter([form]))
    room.room.watch(sent.json()["conversation_id"])

    assert sent.status_code == 202
