"""How an action ended is told until the student does something else, not until the page happens to run again."""

from streamlit.testing.v1 import AppTest


def _page(wish: str) -> None:
    from ui import flash_message

    if wish == "tell":
        flash_message.flash("Saved.")
    flash_message.show_flash()
    if wish != "act":
        flash_message.keep_flash()


def test_what_was_told_stays_while_a_page_runs_again_by_itself_and_goes_with_the_next_action() -> None:
    app = AppTest.from_function(_page, default_timeout=10)
    told = []
    for wish in ("tell", "look", "act", "act"):
        app.args = (wish,)
        told.append([element.value for element in app.run().success])

    assert told == [["Saved."], ["Saved."], ["Saved."], []]
