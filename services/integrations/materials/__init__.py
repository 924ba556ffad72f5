"""Course materials: tools that list a course's files and pages, read them by page, and search them.

`access` finds the course and the material that words mean, `page_ranges` the pages; `passages` writes pages for the
model, each as a source of its own.
"""

from services.i18n import gettext_noop

TOOLS = ()
LABEL = gettext_noop("Course materials")
