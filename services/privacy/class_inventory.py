"""Data inventory of classes: what is kept of a student as a member of a class."""

from services.i18n import gettext_noop
from services.privacy.inventory_item import InventoryItem

CLASS_ITEMS = (
    InventoryItem(
        collection="class_members",
        title=gettext_noop("Your classes"),
        holds=gettext_noop("Which classes you are in, since when, and how you joined."),
        lasts=gettext_noop("Until you leave the class, or its instructor deletes it."),
        field="student_id",
    ),
    InventoryItem(
        collection="class_figure_counters",
        title=gettext_noop("This week's numbers for your classes"),
        holds=gettext_noop(
            "What you asked the assistants of your classes, as numbers alone: on which day, about which topics and "
            "pages, and what did not work. Nobody but you sees them; your class sees groups of five or more."
        ),
        lasts=gettext_noop("Until the week is over, a Monday; or until you delete everything."),
    ),
)
