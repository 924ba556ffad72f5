"""What is made of a list is made once, as long as the very same things come in it."""

from services.runtime.identity_cache import MOST, IdentityCache


def test_the_same_things_in_another_list_are_not_made_into_it_again() -> None:
    made: list[list[object]] = []
    of_same = IdentityCache(lambda things: made.append(list(things)) or len(made))
    one, other = {"name": "a"}, {"name": "b"}

    assert of_same([one, other]) == of_same((one, other)) == 1
    assert len(made) == 1


def test_equal_things_that_are_not_the_same_are_made_anew() -> None:
    of_same = IdentityCache(lambda things: [dict(thing) for thing in things])
    one = {"name": "a"}

    first = of_same([one])
    one_more = of_same([dict(one)])

    assert first is of_same([one])
    assert one_more is not first


def test_only_the_latest_lists_are_remembered() -> None:
    made: list[object] = []
    of_same = IdentityCache(lambda things: made.append(things))
    oldest = [object()]
    of_same(oldest)
    for _ in range(MOST):
        of_same([object()])

    of_same(oldest)

    assert made.count(oldest) == 2
