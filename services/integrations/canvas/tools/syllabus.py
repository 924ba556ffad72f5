"""`canvas_get_syllabus`: the rules and plan of a course, as its instructor wrote them."""

from services.i18n import gettext_noop
from services.integrations.canvas.access import CONTEXTS, FRESH_S, ID, OneCourse, canvas_of, quoted, result, the_course
from services.tools.base import Example, Source, Told, ToolExecutionContext, ToolResult
from services.tools.decorator import tool

_LONGEST = 16_000
_NOTHING = "Canvas has no syllabus text for this course. It may be a file: look at its page or its modules."


@tool(
    label=gettext_noop("Reading the syllabus"),
    title=gettext_noop("Read a syllabus"),
    summary=gettext_noop("Read a course's rules, grading policy and office hours"),
    told=Told.PRIVATE,
    category="courses",
    contexts=CONTEXTS,
    integration=ID,
    fresh_for_s=FRESH_S,
    examples=(Example(description="What does biology say about late work?", arguments={"course": "biology"}),),
)
def canvas_get_syllabus(context: ToolExecutionContext, *, course: OneCourse) -> ToolResult:
    """Read a course's syllabus in Canvas: rules for late work, grading policy, office hours, what the course is about.

    Use it for questions about how a course works. For due dates use canvas_list_assignments, for weights and dropped
    scores as Canvas counts them canvas_get_grades.
    """
    client = canvas_of(context)
    its_course = the_course(client, course)
    body = client.course(its_course.id).get("syllabus_body")
    url = f"{its_course.url}/assignments/syllabus"
    text = quoted(body, "As the instructor wrote it:", _NOTHING, limit=_LONGEST)
    return result(
        context,
        f"The syllabus of {its_course.name}" if text != [_NOTHING] else f"No syllabus text in {its_course.name}",
        [f"- **Syllabus of {its_course.name}** — [open]({url}) (id: {its_course.id})", *text],
        data={"course": its_course.name, "course_id": its_course.id, "syllabus": "\n".join(text), "url": url},
        sources=[Source(title=f"Syllabus of {its_course.name}", url=url)],
    )
