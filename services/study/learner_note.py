"""`LearnerNote`: what guided study learned about a student's understanding; theirs to read, change and delete."""

from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, kw_only=True)
class LearnerNote:
    """One sentence about one topic. is_own: the student wrote or changed it."""

    id: str
    course_key: str = ""
    topic: str = field(default="", repr=False)
    words: str = field(repr=False)
    noted_at: datetime
    is_own: bool = False
