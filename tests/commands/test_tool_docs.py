"""docs/tools.md is what the tools say of themselves."""

from commands import tool_docs


def test_the_page_of_tools_is_as_new_as_the_tools() -> None:
    written = tool_docs.PAGE.read_text(encoding="utf-8")

    assert written == tool_docs.render_page(), (
        f"docs/tools.md is older than the tools. Run `{tool_docs.COMMAND}` and commit the page."
    )


def test_writing_it_twice_gives_the_same_bytes() -> None:
    assert tool_docs.render_page() == tool_docs.render_page()


def test_every_tool_has_a_part_of_its_own_with_all_its_arguments() -> None:
    parts = tool_docs.render_page().split("\n### ")

    (part,) = [part for part in parts if part.startswith("`calendar_create_event`")]
    assert "changes something, after the student approves, can be undone" in part
    assert "| `title` | text |" in part
