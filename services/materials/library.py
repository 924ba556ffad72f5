"""`MaterialLibrary`: a student's course materials: listed, read by page, searched, shown; the only door to them."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from services.errors import ItemNotFound, PermissionMissing, ServiceError, ServiceUnavailable
from services.files.upload import FileRefused, Readable, Upload
from services.i18n import formats, gettext, ngettext
from services.identity.students import Student
from services.materials.library_search import LibrarySearch
from services.materials.limits import MOST_MATERIALS, LibraryMeter
from services.materials.listings import Listings
from services.materials.material import Material, MaterialCourse
from services.materials.material_reader import MaterialReader
from services.materials.question import Question
from services.materials.reading_job import ReadingJob
from services.materials.reading_pool import Progress, ReadingPool
from services.materials.records import SHELF, CourseRecord, MaterialRecord
from services.materials.repository import MaterialRepository
from services.materials.results import (
    CourseList,
    CourseMaterials,
    LibraryUsage,
    MaterialPages,
    PagePicture,
    ReadAheadEstimate,
    SearchResult,
)
from services.materials.shelves import Shelves
from services.runtime.clock import Clock

ASKED_WITHIN_S = 25.0
"""Seconds that a question waits for what is not read in yet."""
