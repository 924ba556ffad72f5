"""What processes are killed in, click by click, by lane of the soak."""

from collections.abc import Mapping

from tests.operations import Operation
from tests.services.classes.class_operations import OPERATIONS
from tests.services.classes.course_operations import COURSES
from tests.services.classes.membership_operations import MEMBERSHIPS
from tests.services.study.exchange.import_operations import IMPORTS

LANES: Mapping[str, Mapping[str, Operation]] = {
    "classes": {**OPERATIONS, **MEMBERSHIPS},
    "courses": COURSES,
    "imports": IMPORTS,
}
ALL: Mapping[str, Operation] = {name: operation for lane in LANES.values() for name, operation in lane.items()}
