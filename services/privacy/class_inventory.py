"""Data inventory of classes: what is kept of a student as a member of a class."""

from services.i18n import gettext_noop
from services.privacy.inventory_item import UNTIL_DELETED, InventoryItem

CLASS_ITEMS = (
    InventoryItem(
        collection="class_members",
        title=gettext_noop("Your classes"),
        holds=gettext_noop(
            "Which classes you are in, since when, how you joined, as what, and which course of your school's system "
            "made you an instructor or says that you are one."
        ),
        retention=gettext_noop("Until you leave the class, or its instructor deletes it."),
        field="student_id",
    ),
    InventoryItem(
        collection="class_invitations",
        title=gettext_noop("Classes that wait for you"),
        holds=gettext_noop("Which class has your e-mail address on its list, and who put it there."),
        retention=gettext_noop(
            "Until you are in the class, its instructor takes it back, or the list of the course names you no more."
        ),
        field="email",
        by_address=True,
        excluded_fields=("invited_by",),
    ),
    InventoryItem(
        collection="budget_shares",
        title=gettext_noop("What your answers cost"),
        holds=gettext_noop(
            "What your answers cost in the last 31 days and three terms, in sums by day. Nobody but you sees it."
        ),
        retention=UNTIL_DELETED,
        excluded_fields=("revision", "held", "batches"),
    ),
    InventoryItem(
        collection="class_figure_counters",
        title=gettext_noop("This week's numbers for your classes"),
        holds=gettext_noop(
            "What you asked the assistants of your classes, as numbers alone: on which day, about which topics and "
            "pages, and what did not work. Nobody but you sees them; your class sees groups of five or more."
        ),
        retention=gettext_noop("Until the week is over, a Monday; or until you delete everything."),
    ),
    InventoryItem(
        collection="class_assistant_history",
        title=gettext_noop("Changes to assistants of your classes"),
        holds=gettext_noop("What you changed in the assistants of classes that you teach, and when."),
        retention=gettext_noop(
            "Until you delete everything, the assistant or the class is deleted, or 200 changes later."
        ),
        field="by",
    ),
    InventoryItem(
        collection="unsaved_drafts",
        title=gettext_noop("Unsaved words for assistants"),
        holds=gettext_noop(
            "What you have typed for assistants of classes that you teach, and not saved. Nobody else sees it."
        ),
        retention=gettext_noop(
            "Until you save or discard it, the assistant or the class is deleted, or 30 days later."
        ),
    ),
    InventoryItem(
        collection="lti_links",
        title=gettext_noop("Accounts at your school's system"),
        holds=gettext_noop("Which account there opens Homeroom as you, and since when."),
        retention=gettext_noop("Until you unlink them."),
        field="student_id",
        excluded_fields=("id",),
    ),
    InventoryItem(
        collection="lti_role_requests",
        title=gettext_noop("Courses that you said you teach"),
        holds=gettext_noop(
            "Which course of your school's system has no class yet, and when you said that you teach it."
        ),
        retention=gettext_noop("Until the class is made, or you open the course as a guest or a student."),
        field="student_id",
        excluded_fields=("asks_from",),
    ),
)
