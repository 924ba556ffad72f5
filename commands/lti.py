"""Connect school systems by LTI 1.3: register them, invite their administrators, allow places in them, rotate keys."""

import argparse
from typing import TYPE_CHECKING, Any

from commands.console import store_of
from commands.course_teachers import add_course_commands, courses, teacher
from services import settings as configuration
from services.classes.lti.platform import LtiPlatform
from services.classes.lti.registration.invites import Invites
from services.classes.lti.registration.presets import CANVAS_ENVIRONMENTS, with_canvas, with_moodle
from services.errors import BadArguments
from services.runtime.clock import utc_now
from services.settings import Settings
from services.storage.store import Store

if TYPE_CHECKING:
    from services.classes.lti.platforms import LtiPlatforms
    from services.classes.lti.tool_keys import ToolKeys

_ADDRESSES = ("issuer", "authorization_url", "token_url", "jwks_url")
_ID = "as `lti list` shows it"


def add(
    name: str,
    client_id: str,
    deployment: list[str],
    frame: list[str],
    canvas: str | None,
    moodle: str | None,
    audience: str,
    **addresses: str,
) -> int:
    """Register a school's system, or change one: the same issuer and client id again adds deployments and frames."""
    described = LtiPlatform(
        id="",
        name=name,
        client_id=client_id,
        deployments=tuple(deployment),
        frames=tuple(origin.rstrip("/") for origin in frame),
        audience=audience,
        issuer=addresses["issuer"],
        authorization_url=addresses["authorization_url"],
        token_url=addresses["token_url"],
        jwks_url=addresses["jwks_url"],
    )
    described = with_canvas(described, canvas) if canvas else described
    described = with_moodle(described, moodle) if moodle else described
    settings = configuration.from_process()
    with store_of(settings) as store:
        made = _platforms(settings, store).add(described)
    print(f"{made.id}  {made.name} is registered. Give its administrator these addresses:")
    print(_own_addresses(settings.public_url))
    if not made.deployments:
        print("No deployment may launch yet: the first one that tries waits in `lti list`, or add --deployment.")
    return 0


def show() -> int:
    """Print the school systems, the deployments that may launch, and those that wait to be allowed."""
    settings = configuration.from_process()
    with store_of(settings) as store:
        found = _platforms(settings, store).all()
    for platform in found:
        print(f"{platform.id}  {platform.name}\n  issuer {platform.issuer}\n  client id {platform.client_id}")
        print(f"  may launch: {', '.join(platform.deployments) or 'none yet'}")
        if platform.waiting:
            print(f"  wait to be allowed: {', '.join(platform.waiting)}")
    print("" if found else "No school's system is registered. `lti invite` makes a link for its administrator.")
    print(_own_addresses(settings.public_url))
    return 0


def remove(id: str) -> int:
    """Take a school's system out: nobody comes in from it any more. Classes and accounts stay."""
    settings = configuration.from_process()
    with store_of(settings) as store:
        is_gone = _platforms(settings, store).remove(id)
    if not is_gone:
        raise BadArguments(f"There is no school system {id}.", next_step="`lti list` shows them.")
    print(f"{id} is out: its launches are refused from now on.")
    return 0


def allow(id: str, deployment: str) -> int:
    """Let a deployment of a school's system launch Homeroom."""
    settings = configuration.from_process()
    with store_of(settings) as store:
        changed = _platforms(settings, store).allow(id, deployment)
    print(f"{changed.name} may launch from: {', '.join(changed.deployments)}.")
    return 0


def invite(name: str) -> int:
    """Print a link with which an administrator registers Homeroom in their system themselves, once, within a week."""
    settings = configuration.from_process()
    with store_of(settings) as store:
        print(Invites(store, utc_now, public_url=settings.public_url).create(name))
    return 0


def show_keys() -> int:
    """Print the keys that Homeroom signs with; retired ones stay listed at /lti/jwks for thirty days."""
    settings = configuration.from_process()
    with store_of(settings) as store:
        keys = _tool_keys(settings, store)
        keys.public_keys()
        for key in keys.all():
            state = "signs" if key.retired_at is None else f"retired {key.retired_at:%Y-%m-%d}"
            print(f"{key.id}  made {key.made_at:%Y-%m-%d}  {state}")
    return 0


def rotate() -> int:
    """Sign with a new key from now on; platforms fetch it by themselves, and the old ones stay listed for a while."""
    settings = configuration.from_process()
    with store_of(settings) as store:
        print(f"{_tool_keys(settings, store).rotate().id} signs from now on.")
    return 0


def add_commands(parser: argparse.ArgumentParser) -> None:
    """Declare the commands below `manage.py lti`."""
    verbs = parser.add_subparsers(required=True, metavar="ACTION")
    _add_registration(_verb(verbs, "add", add))
    _verb(verbs, "list", show)
    _verb(verbs, "remove", remove).add_argument("id", metavar="ID", help=_ID)
    allowed = _verb(verbs, "allow", allow)
    allowed.add_argument("id", metavar="ID", help=_ID)
    allowed.add_argument(
        "deployment", metavar="DEPLOYMENT", help="its id, as the school's system or `lti list` shows it"
    )
    _verb(verbs, "courses", courses)
    add_course_commands(_verb(verbs, "teacher", teacher))
    invited = _verb(verbs, "invite", invite)
    invited.add_argument("--name", default="", help="what you call the school's system; its own name, when left out")
    keys = verbs.add_parser("keys", help="the keys that Homeroom signs with").add_subparsers(
        required=True, metavar="ACTION"
    )
    _verb(keys, "list", show_keys)
    _verb(keys, "rotate", rotate)


def _add_registration(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--name", required=True, help="what people read, such as Riverside College")
    parser.add_argument("--client-id", required=True, help="as the school's system gave it to Homeroom")
    several = "may be given several times"
    parser.add_argument("--deployment", action="append", default=[], metavar="ID", help=f"may launch; {several}")
    frame = f"a page of the school whose frame may show a launch, such as https://canvas.example.edu; {several}"
    parser.add_argument("--frame", action="append", default=[], metavar="ORIGIN", help=frame)
    ready = parser.add_mutually_exclusive_group()
    hosted = "hosted Canvas, whose addresses are known"
    ready.add_argument("--canvas", nargs="?", const="production", choices=[*CANVAS_ENVIRONMENTS], help=hosted)
    ready.add_argument("--moodle", metavar="URL", help="a Moodle site, whose addresses follow from its own")
    parser.add_argument("--issuer", default="", help="its id, to the letter; needed without --canvas and --moodle")
    for option, words in (
        ("auth", "its OpenID Connect authorisation endpoint"),
        ("token", "its OAuth2 token endpoint"),
        ("jwks", "its public keys"),
    ):
        field = f"{'authorization' if option == 'auth' else option}_url"
        parser.add_argument(f"--{option}-url", default="", dest=field, metavar="URL", help=words)
    parser.add_argument("--audience", default="", metavar="URL", help="of token requests, when not the token endpoint")


def _platforms(settings: Settings, store: Store) -> "LtiPlatforms":
    # Loads what a launch is made of, which the other commands need not wait for.
    from services.wiring.lti import platforms_of

    return platforms_of(settings, store, utc_now)


def _tool_keys(settings: Settings, store: Store) -> "ToolKeys":
    # Loads what a launch is made of, which the other commands need not wait for.
    from services.wiring.lti import tool_keys_of

    return tool_keys_of(settings, store, utc_now)


def _own_addresses(public_url: str) -> str:
    named = {
        "login initiation": "/lti/login",
        "redirect and target link": "/lti/launch",
        "public keys": "/lti/jwks",
        "deep linking": "/lti/launch",
    }
    return "\n".join(f"  {words}: {public_url}{path}" for words, path in named.items())


def _verb(verbs: Any, name: str, command: Any) -> argparse.ArgumentParser:
    verb: argparse.ArgumentParser = verbs.add_parser(name, help=command.__doc__, description=command.__doc__)
    verb.set_defaults(command=command)
    return verb
