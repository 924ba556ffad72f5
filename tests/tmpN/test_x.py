import pytest

from tests.campus_rooms import CampusRoom, words


@pytest.mark.parametrize("conn", [(), ("google_calendar",)])
def test_x(campus, tmp_path, conn):
    room = CampusRoom(campus, tmp_path)
    if conn:
        room.connect(*conn)
    for q in [
        "Start a document for my open letter about the night bus",
        "Write study notes about mitosis",
        "Sum up my document Essay 4",
        "Open my lab report draft",
        "Make me a tracker of my assignments",
        "Add a closing sentence to my letter",
        "Find my notes on osmosis",
        "Can you keep documents for me?",
        "Ayúdame a empezar un documento para mi carta",
        "Save this outline somewhere",
    ]:
        c, v = room.ask(q)
        print("Q", q)
        print("A", words(v)[:400])
        print()
    room.close()
