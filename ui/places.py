"""Where the pages are: the script lives in ui/, so Streamlit needs their whole paths."""

from pathlib import Path

_PAGES = Path(__file__).resolve().parent.parent / "pages"

CHAT = str(_PAGES / "chat.py")
CHATS = str(_PAGES / "chats.py")
WEEK = str(_PAGES / "week.py")
CONNECTIONS = str(_PAGES / "connections.py")
TOOLBOX = str(_PAGES / "toolbox.py")
ACTIVITY = str(_PAGES / "activity.py")
INSIGHTS = str(_PAGES / "insights.py")
SETTINGS = str(_PAGES / "settings.py")
