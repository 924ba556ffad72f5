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
)
