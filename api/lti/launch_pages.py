"""Pages of a launch that was let in: the button that opens the app, and the questions on the way."""

from html import escape

from starlette.responses import HTMLResponse

from api.lti.page import button, form, lti_page
from services.classes.lti.course_entry import CourseEntryKind, RoleChange
from services.classes.lti.deep_links import LinkAnswer, LinkList
from services.classes.lti.launch_completion import (
    GUEST,
    MINE,
    NEW,
    SIGN_IN,
    TEACHER,
    AccountQuestion,
    ClassQuestion,
    HandOver,
    OpenedLaunch,
    RoleQuestion,
)
from services.classes.lti.platform import LtiPlatform, origin_of
from services.i18n import gettext

OPEN, DEEP_LINK = "/lti/open", "/lti/deep-link"
ACCOUNT_STEP, CLASS_STEP, ROLE_STEP = "account", "class", "role"

# In a tab of its own there is nothing to click for; in a frame the ticket works once, so the button says so.
_OPEN_SCRIPT = """\
const form = document.getElementById("go")
if (window.parent === window) {
  form.removeAttribute("target")
  if (form.dataset.atOnce) form.submit()
} else form.addEventListener("submit", () => setTimeout(() => {
  form.hidden = true
  document.getElementById("opened").hidden = false
}))
"""
_SUBMIT_SCRIPT = 'document.getElementById("go").submit()'
_CLOSE_SCRIPT = """\
const host = window.opener || window.parent
if (host && host !== window) host.postMessage({ subject: "org.imsglobal.lti.close" }, "*")
"""


def open_page(hand_over: HandOver, platform: LtiPlatform) -> HTMLResponse:
    """One button that opens the app. Who is about to join a class reads first what its instructor sees, and who taught
    it what becomes of that.
    """
    is_joining = hand_over.is_joining and not hand_over.is_teaching
    named = hand_over.school_class.name if hand_over.school_class else gettext("your class")
    words = _role_words(hand_over.role_change, named) or (_joining_words(hand_over, named) if is_joining else [])
    go = form(OPEN, {"token": hand_over.token}, button(gettext("Open Homeroom")), target="_blank")
    if not words:
        go = go.replace("<form ", '<form data-at-once="yes" ', 1)
    opened = gettext("Homeroom is open in a tab of its own. Load this page again to open it once more.")
    return lti_page(
        gettext("Open Homeroom"),
        words or (gettext("Homeroom opens in a tab of its own."),),
        body=f'{go}<p id="opened" role="status" hidden>{escape(opened)}</p>',
        frames=platform.frame_origins,
        script=_OPEN_SCRIPT,
    )


def _role_words(change: RoleChange, named: str) -> list[str]:
    """What becomes of somebody who taught a class by their course, and does not teach the course any more."""
    if change is RoleChange.TAKEN_BACK:
        return [
            gettext(
                "Your course says that you are a student in it now. You taught {name} by it until now.", name=named
            ),
            gettext(
                "When you open Homeroom, you are a student of this class there, too, and see no more what its "
                "instructors see. Open it as somebody who teaches the course, and you teach the class again."
            ),
        ]
    if change is RoleChange.LOOKS_ON:
        return [
            gettext(
                "Your course says that you do not teach it any more. You taught {name} by it until now.", name=named
            ),
            gettext(
                "When you open Homeroom, you are a guest of this class there, and see no more what its instructors "
                "see. Open it as somebody who teaches the course, and you teach the class again."
            ),
        ]
    if change is RoleChange.KEPT_ALONE:
        return [
            gettext(
                "Your course says that you do not teach it any more. Nobody else teaches {name} in Homeroom, so you "
                "go on teaching it there until somebody else does.",
                name=named,
            )
        ]
    return []


def _joining_words(hand_over: HandOver, named: str) -> list[str]:
    return [
        gettext("You look in at {name} as a guest by opening Homeroom.", name=named)
        if hand_over.is_guest
        else gettext("You join {name} by opening Homeroom.", name=named),
        gettext(
            "Its instructors see that you are in the class, with your name and e-mail address. They never see your "
            "chats or your accounts; what the class asks about is shown in groups of five or more, to you too."
        ),
    ]


def account_page(question: AccountQuestion) -> HTMLResponse:
    """The question which account somebody has who comes from this school's system for the first time."""
    if question.signed_in is not None:
        who = question.signed_in.display_name
        words = [
            gettext("You come from your course for the first time, and in this browser {who} is signed in.", who=who),
            gettext(
                "If that is you, your course can open this account from now on: whoever signs in to the course as you "
                "is then signed in here. You can unlink them again in Classroom."
            ),
        ]
        first = button(gettext("That is me: link my course with it"), name="account", value=MINE)
    else:
        words = [
            gettext("You come from your course for the first time. You may have a Homeroom account already."),
            gettext("Sign in to it once, and your course can open it from now on."),
        ]
        first = button(gettext("I have an account: sign in"), name="account", value=SIGN_IN)
    other = button(gettext("Begin with a new account"), name="account", value=NEW, is_quiet=True)
    fields = {"token": question.token, "step": ACCOUNT_STEP}
    return lti_page(gettext("Is this your first time here?"), words, body=form(OPEN, fields, f"{first} {other}"))


def class_page(question: ClassQuestion) -> HTMLResponse:
    """The question which class a course is, for an instructor who has classes already."""
    new = gettext("A new class, {name}", name=question.course or gettext("My class"))
    rows = [("", new), *((found.id, found.name) for found in question.offered)]
    choices = "".join(
        f'<label><input type="radio" name="class" value="{escape(value)}"{" checked" if not value else ""}> '
        f"{escape(words)}</label>"
        for value, words in rows
    )
    legend, go_on = gettext("This course is"), gettext("Go on")
    inner = f"<fieldset><legend>{escape(legend)}</legend>{choices}</fieldset>{button(go_on)}"
    words = gettext("Everybody who opens Homeroom from this course joins the class that you choose.")
    fields = {"token": question.token, "step": CLASS_STEP}
    return lti_page(gettext("Which class is this?"), (words,), body=form(OPEN, fields, inner))


def role_page(question: RoleQuestion) -> HTMLResponse:
    """The question what somebody is in a course who looks after the whole school's system."""
    words = [
        gettext(
            "In your school's system you look after all of it, so it lets you open {course} as its instructor.",
            course=question.course or gettext("this course"),
        ),
        gettext(
            "As a guest you see what the students of the class see. If you teach the course, who teaches the class "
            "already is asked, and says yes."
        ),
    ]
    look_in = button(gettext("Look in as a guest"), name="role", value=GUEST)
    teach = button(gettext("I teach this course"), name="role", value=TEACHER, is_quiet=True)
    fields = {"token": question.token, "step": ROLE_STEP}
    title = gettext("Look in as a guest, or do you teach this course?")
    return lti_page(title, words, body=form(OPEN, fields, f"{look_in} {teach}"))


def notice_page(opened: OpenedLaunch) -> HTMLResponse | None:
    """What there is to say before the app opens; None when nothing stands in between."""
    label = gettext("Go to Homeroom")
    go = f'<p><a href="{escape(opened.page)}">{escape(label)}</a></p>'
    if opened.entry.kind is CourseEntryKind.NOT_YET:
        words = (
            gettext("{course} is not in Homeroom yet.", course=opened.course or gettext("This course")),
            gettext("Your instructor opens Homeroom from the course once; then you join by opening it, too."),
        )
        return lti_page(gettext("Your class is not here yet"), words, body=go)
    if opened.entry.kind is CourseEntryKind.UNCONFIRMED:
        course = opened.course or gettext("This course")
        words = (
            gettext(
                "{course} is not in Homeroom yet, and nobody is there who could say that you teach it. Your request "
                "waits.",
                course=course,
            ),
            gettext(
                "Once one of its teachers has opened Homeroom from the course, they are asked whether you teach it, "
                "and see your name and your e-mail address. Or whoever runs Homeroom names you as its teacher."
            ),
        )
        return lti_page(gettext("Nobody can confirm this yet"), words, body=go)
    if opened.entry.is_request and opened.entry.school_class is not None:
        names = ", ".join(teacher.display_name for teacher in opened.teachers)
        words = (
            gettext(
                "{class_name} is taught by {names} in Homeroom. They are asked whether you teach it, too.",
                class_name=opened.entry.school_class.name,
                names=names,
            ),
            gettext("Until then you see what its students see. Its instructors see your name and your e-mail address."),
        )
        return lti_page(gettext("Your class is asked about you"), words, body=go)
    if opened.entry.kind is CourseEntryKind.OVER:
        over = gettext("The class of this course is over, so nobody joins it any more.")
        return lti_page(gettext("This class is over"), (over,), body=go)
    return None


def link_list_page(links: LinkList, platform: LtiPlatform) -> HTMLResponse:
    """What an instructor can link to from the course."""
    kind = "checkbox" if links.takes_several else "radio"
    choices = "".join(
        f'<label><input type="{kind}" name="choice" value="{escape(option.page)}"{" checked" if not number else ""}> '
        f"{escape(option.title)}<small>{escape(option.about)}</small></label>"
        for number, option in enumerate(links.options)
    )
    hint = _link_hint(links)
    add = gettext("Add to the course")
    inner = f"<fieldset>{choices}</fieldset>{button(add)}"
    return lti_page(
        gettext("What should the link open?"),
        hint,
        body=form(DEEP_LINK, {"token": links.token}, inner),
        frames=platform.frame_origins,
        forms=platform.frame_origins,
    )


def _link_hint(links: LinkList) -> tuple[str, ...]:
    """Why the assistants and readings of a class are not in the list; nothing where they are."""
    if not links.has_class:
        return (gettext("Open Homeroom from the course once: then its assistants and readings are here, too."),)
    if not links.is_confirmed:
        return (
            gettext(
                "The assistants and readings of the class are here once its instructors have said that you teach it, "
                "too. Open Homeroom from the course once: then they are asked."
            ),
        )
    return ()


def link_answer_page(answer: LinkAnswer, platform_frames: tuple[str, ...]) -> HTMLResponse:
    """The page that takes the signed answer back to the school's system."""
    return lti_page(
        gettext("One moment"),
        (gettext("The link goes back to your course."),),
        body=form(answer.return_url, {"JWT": answer.jwt}, button(gettext("Back to the course"))),
        frames=platform_frames,
        forms=(origin_of(answer.return_url),),
        script=_SUBMIT_SCRIPT,
    )


def registered_page(platform: LtiPlatform) -> HTMLResponse:
    """The end of a registration; the school's system closes it."""
    words = [gettext("{name} can launch Homeroom now.", name=platform.name)]
    if not platform.deployments:
        words.append(
            gettext(
                "At the first launch Homeroom asks whoever runs it to allow the place in {name} that it came from.",
                name=platform.name,
            )
        )
    words.append(gettext("You can close this page."))
    return lti_page(gettext("Homeroom is registered"), words, frames=platform.frame_origins, script=_CLOSE_SCRIPT)
