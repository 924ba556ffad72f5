"""The numbers that a student is told are those of what is stored."""

from services.privacy.data_inventory import count_inventory
from tests.rooms import Room


def test_each_kind_is_counted_for_this_student_alone(whole: Room) -> None:
    whole.connect(whole.sign_in("diego"))

    for one in count_inventory(whole.services.store, whole.maya.id):
        assert one.number == len(one.kept.documents(whole.services.store, whole.maya.id)), one.kept.collection
    numbers = {one.kept.collection: one.number for one in count_inventory(whole.services.store, whole.maya.id)}
    assert (numbers["students"], numbers["connections"], numbers["conversations"]) == (1, 1, 2)
    assert numbers["revocations"] == 0
