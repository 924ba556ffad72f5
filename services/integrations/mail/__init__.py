"""Mail integration: drafts a message for the student's own mail program; Homeroom itself sends nothing."""

from services.integrations.mail.tools import mail_draft

TOOLS = (mail_draft,)
