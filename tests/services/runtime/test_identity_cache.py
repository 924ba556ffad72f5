"""What is made of a list is made once, as long as the very same things come in it."""

from services.runtime.identity_cache import MOST, IdentityCache


def test_the_same_things_in_another_list_are_not_made_into_it_again() -> None:
    made: list[list[object]] = []
    cached = IdentityCache(lambda things: made.append(list(things)) or len(made))
    first_thing, other = {"name": "a"}, {"name": "b"}

    assert cached([first_thing, other]) == cached((first_thing, other)) == 1
    assert len(made) == 1


def test_equal_things_that_are_not_the_same_are_made_anew() -> None:
    cached = IdentityCache(lambda things: [dict(thing) for thing in things])
    first_thing = {"name": "a"}

    first = cached([first_thing])
    another = cached([dict(first_thing)])

    assert first is cached([first_thing])
    assert another is not first


def test_only_the_latest_lists_are_remembered() -> None:
    made: list[object] = []
    cached = IdentityCache(lambda things: made.append(things))
    oldest = [object()]
    cached(oldest)
    for _ in range(MOST):
        cached([object()])

    cached(oldest)

    assert made.count(oldest) == 2
