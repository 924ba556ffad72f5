"""Tools of Notion, in the order in which they are offered."""

from services.integrations.notion.tools.database_query import notion_query_database
from services.integrations.notion.tools.entry_creation import notion_add_entries
from services.integrations.notion.tools.entry_update import notion_update_entry
from services.integrations.notion.tools.page_append import notion_append_to_page
from services.integrations.notion.tools.page_creation import notion_create_page
from services.integrations.notion.tools.page_replacement import notion_replace_content
from services.integrations.notion.tools.pages import notion_list_pages, notion_read_page, notion_search
from services.integrations.notion.tools.study_pages import notion_create_study_notes, notion_create_study_plan
from services.integrations.notion.tools.tracker import notion_create_tracker

NOTION_TOOLS = (
    notion_search,
    notion_list_pages,
    notion_read_page,
    notion_query_database,
    notion_create_page,
    notion_append_to_page,
    notion_replace_content,
    notion_create_study_notes,
    notion_create_study_plan,
    notion_create_tracker,
    notion_add_entries,
    notion_update_entry,
)
