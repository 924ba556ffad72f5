from services.integrations.base import Integration
from services.tools.tool import Effect


def test_the_consent_is_two_sentences_and_names_the_model(notion: Integration) -> None:
    assert notion.consent.count(". ") == 1
    assert "Anthropic's Claude" in notion.consent
    assert not notion.accepts_token


def test_every_tool_that_writes_has_a_card_and_an_undo(notion: Integration) -> None:
    assert [tool.name for tool in notion.tools] == [
        "notion_search",
        "notion_list_pages",
        "notion_read_page",
        "notion_query_database",
        "notion_create_page",
        "notion_append_to_page",
        "notion_replace_content",
        "notion_create_study_notes",
        "notion_create_study_plan",
        "notion_create_tracker",
        "notion_add_entries",
        "notion_update_entry",
    ]
    for tool in notion.tools:
        assert tool.integration == notion.id
        assert (tool.effect is Effect.WRITE) == (tool.preview is not None) == (tool.undo is not None)
        assert all(prop.get("description") for prop in tool.schema["properties"].values()), tool.name
