"""The assistants of a deployment: shipped as data, changed with a version."""

from dataclasses import replace
from pathlib import Path

import pytest

from services.assistants.assistant import DEFAULT_ASSISTANT, Assistant, CalendarChoice, FollowedFeed
from services.assistants.registry import AssistantRegistry
from services.errors import BadArguments, ChangedElsewhere, ItemNotFound
from services.storage.store import Store
from tests.fakes import FakeDocuments


@pytest.fixture
def store() -> Store:
    return Store(FakeDocuments())


def test_the_default_assistant_comes_first_and_has_everything(store: Store) -> None:
    first, *others = AssistantRegistry(store).all()

    assert (first.id, first.categories) == (DEFAULT_ASSISTANT, None)
    assert [other.name for other in others] == ["Course companion", "Guided study", "Research"]
    assert all(shipped.summary and shipped.integrity and shipped.version for shipped in (first, *others))


def test_a_change_is_seen_by_every_replica_at_once_under_a_new_version(store: Store) -> None:
    here, there = AssistantRegistry(store), AssistantRegistry(store)
    before = there.get(DEFAULT_ASSISTANT)

    saved = here.save(replace(before, switches={"notion_search": False}))

    assert there.get(DEFAULT_ASSISTANT) == saved
    assert there.get(DEFAULT_ASSISTANT) is there.get(DEFAULT_ASSISTANT)
    assert saved.version != before.version


def test_of_two_changes_of_the_same_version_one_is_refused(store: Store) -> None:
    registry = AssistantRegistry(store)
    read = registry.get(DEFAULT_ASSISTANT)
    second = registry.save(replace(read, name="First"))

    with pytest.raises(ChangedElsewhere):
        registry.save(replace(read, name="Too late"))
    third = registry.save(replace(second, name="Second"))
    with pytest.raises(ChangedElsewhere):
        registry.save(replace(second, name="Too late again"))

    assert registry.get(DEFAULT_ASSISTANT) == third


def test_going_back_to_an_old_content_is_a_new_version(store: Store) -> None:
    registry = AssistantRegistry(store)
    shipped = registry.get(DEFAULT_ASSISTANT)
    changed = registry.save(replace(shipped, name="Other"))

    back = registry.save(replace(changed, name=shipped.name))

    assert back.version not in (shipped.version, changed.version)


def test_a_new_assistant_joins_the_others(store: Store) -> None:
    registry = AssistantRegistry(store)

    saved = registry.save(Assistant(id="writing", name="Writing", model="thorough"))

    assert registry.all()[-1] == saved


def test_values_that_do_not_fit_are_refused_with_their_name(store: Store) -> None:
    registry = AssistantRegistry(store)

    with pytest.raises(BadArguments, match="max_steps"):
        registry.save(replace(registry.get(DEFAULT_ASSISTANT), max_steps=0))


def test_an_unknown_assistant_is_refused_with_those_there_are(store: Store) -> None:
    with pytest.raises(ItemNotFound) as refused:
        AssistantRegistry(store).get("nobody")

    assert "homeroom, course_companion, guided_study, research" in refused.value.next_step


def test_a_shipped_file_that_does_not_fit_stops_the_start(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "shipped.toml"
    file.write_text('[homeroom]\nname = "Homeroom"\ncolour = "red"\n')

    with pytest.raises(ValueError, match=r"shipped\.toml does not describe assistants: .*colour"):
        AssistantRegistry(store, file)


def test_feeds_links_and_a_calendar_are_kept_and_their_addresses_checked(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "shipped.toml"
    feed = '[[homeroom.feeds]]\ntitle = "News"\nurl = "{}"\n'
    file.write_text('[homeroom]\nname = "Homeroom"\n' + feed.format("https://campus.example/news.xml"))
    registry = AssistantRegistry(store, file)

    saved = registry.save(replace(registry.get(DEFAULT_ASSISTANT), calendar=CalendarChoice(provider="calendar_feed")))

    assert registry.get(DEFAULT_ASSISTANT) == saved
    assert [feed.title for feed in saved.feeds] == ["News"]
    with pytest.raises(BadArguments, match="feeds"):
        registry.save(replace(saved, feeds=(FollowedFeed(title="Files", url="file:///etc/passwd"),)))
