"""The tools of Notion, in the order in which they are offered."""

from services.integrations.notion.appending import notion_append_to_page
from services.integrations.notion.creating import notion_create_page
from services.integrations.notion.reading import notion_read_page, notion_search

NOTION_TOOLS = (notion_search, notion_read_page, notion_create_page, notion_append_to_page)
