"""The tools of Notion, in the order in which they are offered."""

from services.integrations.notion.appending import notion_append_to_page
from services.integrations.notion.creating import notion_create_page
from services.integrations.notion.entering import notion_add_entries
from services.integrations.notion.querying import notion_query_database
from services.integrations.notion.reading import notion_list_pages, notion_read_page, notion_search
from services.integrations.notion.replacing import notion_replace_content
from services.integrations.notion.study import notion_create_study_notes, notion_create_study_plan
from services.integrations.notion.tracker import notion_create_tracker
from services.integrations.notion.updating import notion_update_entry

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
