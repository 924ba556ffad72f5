"""Reminders integration: "remind me two hours before the quiz", as a notification, e-mail, calendar entry or task."""

from services.integrations.reminders.tools import reminders_create, reminders_delete, reminders_list

TOOLS = (reminders_create, reminders_list, reminders_delete)
