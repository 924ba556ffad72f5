"""The operator's commands: `python manage.py --help` lists them."""

from commands.interruption import INTERRUPTED, nothing_begun

with nothing_begun():
    import argparse
    import secrets
    import sys
    from collections import Counter
    from collections.abc import Callable, Sequence
    from datetime import timedelta
    from pathlib import Path
    from typing import TYPE_CHECKING, Any

    from commands import assistants, backup, lti, mcp_servers, privacy, reminders
    from commands.accounts import add_account_options, chosen_student
    from commands.check import check as check_setup
    from commands.console import agrees, everything, store_of
    from commands.serve.command import serve
    from services import settings as configuration
    from services.connections import key_rotation
    from services.connections.key_rotation import SealState, rewrap_seals, verify_seals
    from services.connections.vault import KeyRing, Vault
    from services.discovery.daily_counters import KEPT_DAYS, DailyCounters
    from services.errors import HomeroomError, SettingsError, StorageUnavailable, StorageUnusable
    from services.identity.api_keys import ApiKeys, KeyScope, ToolListMode
    from services.identity.students import Students
    from services.runtime.clock import utc_now
    from services.safety.text import plain
    from services.settings import demo_mode
    from services.storage.store import Store

if TYPE_CHECKING:
    Verbs = argparse._SubParsersAction[Any]

_LONGEST_KEY_DAYS = 3650


def main(arguments: Sequence[str]) -> int:
    """Run one command: 0 when all is well, 1 when something needs a look, 2 when a setting must be mended."""
    try:
        options = vars(_parser().parse_args(arguments))
        command: Callable[..., int] = options.pop("command")
        return command(**options)
    except SettingsError as error:
        return _explain(error, code=2)
    except StorageUnusable as error:
        print(f"{error.setting}:", end=" ", file=sys.stderr)
        return _explain(error, code=2)
    except HomeroomError as error:
        return _explain(error, code=1)
    except KeyboardInterrupt:
        print("\nStopped. What was done until now stays; the command may be run again.", file=sys.stderr)
        return INTERRUPTED


def new_secret() -> int:
    """Print a random text for HOMEROOM_COOKIE_SECRET."""
    print(secrets.token_urlsafe(48))
    return 0


def new_vault_key() -> int:
    """Print a new key to put first in HOMEROOM_VAULT_KEYS."""
    print(configuration.new_vault_key(f"k{secrets.token_hex(3)}"))
    return 0


def rewrap() -> int:
    """Seal every saved credential under the newest vault key; safe to repeat, also while Homeroom runs."""
    return _report(rewrap_seals)


def verify() -> int:
    """Try that every saved credential opens; changes nothing."""
    return _report(verify_seals)


def demo(**options: Any) -> int:
    """Open Homeroom with a class of made-up students for a room full of people; nothing is kept afterwards."""
    with nothing_begun():
        # Asks for what Windows does not have.
        from commands.demo.command import demo as opened

    return opened(**options)


def rotate_keys() -> int:
    """Do the next step of giving the vault a new key, and tell the one after it; safe to repeat, as `rewrap` is."""
    settings = configuration.from_process()
    with store_of(settings) as store:
        told, is_well = key_rotation.advance_rotation(store, settings.vault_keys, file=settings.vault_file)
    print(told)
    return 0 if is_well else 1


def create_key(
    email: str | None,
    id: str | None,
    scope: Sequence[str],
    label: str,
    days: int | None,
    tools: str,
    context: Sequence[str],
) -> int:
    """Print a new key for the HTTP routes, once; it belongs to the student of this account."""
    with store_of() as store:
        student = chosen_student(store, Students(store, utc_now), email=email, id=id)
        ends_at = utc_now() + timedelta(days=days) if days is not None else None
        keys = ApiKeys(store, utc_now)
        made = keys.create(
            student,
            label=label,
            scopes=scope,
            expires_at=ends_at,
            by_operator=True,
            listed_tools=ToolListMode.CONTEXTS if context else tools,
            contexts=context,
        )
    print(made.secret)
    return 0


def export_user(email: str | None, id: str | None, out: Path) -> int:
    """Write everything that Homeroom keeps of one student into a zip file that only you can read."""
    # Loads what an agent is made of, which the other commands need not wait for.
    from services.privacy.data_export import export_archive, write_archive

    with everything() as services:
        student = chosen_student(services.store, services.students, email=email, id=id)
        write_archive(out, export_archive(services, student))
    print(f"Written to {out}.")
    return 0


def delete_user(email: str | None, id: str | None, yes: bool) -> int:
    """Delete everything of one student and end their connections at the services, after a yes."""
    with everything() as services:
        student = chosen_student(services.store, services.students, email=email, id=id)
        if not yes and not agrees(f"Delete everything of {student.name} ({plain(student.email)}) for good?"):
            print("Nothing is deleted.")
            return 1
        unanswered = services.account_deletion.delete(student.id)
    print("Everything is deleted. Running processes let the student go at the next click.")
    if unanswered:
        print(f"{', '.join(unanswered)} did not answer: a running Homeroom asks again, for 30 days at most.")
    return 0


def extensions() -> int:
    """List every integration that was found, what is in its way, and its lines for `.env`."""
    # Loads the services' client libraries, which the other commands need not wait for.
    from services.integrations import catalog
    from services.integrations.extensions import describe_lines

    settings = configuration.from_process()
    found = catalog.load_catalog(settings).extensions
    played = demo_mode.played(settings.campus_url, settings.environment)
    if played:
        print("The demo's campus plays what no setting leads elsewhere. For the real service, set the lines below it.")
    for extension in found:
        print("\n".join(describe_lines(extension, played=played)))
    return (
        1
        if any(extension.obstacle is not None and extension.obstacle.kind != "not_set_up" for extension in found)
        else 0
    )


def metrics(email: str | None, id: str | None, days: int) -> int:
    """Print what loading only the needed tools cost and saved, of all students together or of one."""
    # Loads what an agent is made of, which the other commands need not wait for.
    from commands.metrics_report import tables
    from services.discovery.metrics import Metrics

    with store_of() as store:
        students = Students(store, utc_now)
        numbers = Metrics(DailyCounters(store, students, utc_now))
        found = (
            numbers.for_student(chosen_student(store, students, email=email, id=id).id, days)
            if email or id
            else numbers.for_everyone(days)
        )
    print(tables(found))
    return 0


def _report(work: Callable[[Store, Vault], Counter[SealState]]) -> int:
    settings = configuration.from_process()
    vault = Vault(KeyRing.parse(settings.vault_keys))
    with store_of(settings) as store:
        seals = work(store, vault)
    print(f"{seals.total()} sealed: " + ", ".join(f"{seals[seal]} {seal}" for seal in SealState))
    if seals[SealState.BROKEN]:
        kept_in = settings.vault_file or key_rotation.SETTING
        print(f"Nothing was deleted. Bring back the missing key in {kept_in}, then try again.")
    return 1 if seals[SealState.BROKEN] else 0


def _explain(error: HomeroomError, *, code: int) -> int:
    remedy = error.remedy if isinstance(error, StorageUnavailable) else ""
    print(f"{error}\n{remedy or error.next_step}", file=sys.stderr)
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="manage.py", description="Commands for whoever runs Homeroom.")
    verbs = parser.add_subparsers(required=True, metavar="COMMAND")
    keys = (new_secret, new_vault_key, reminders.new_vapid_key, rotate_keys, rewrap, verify)
    for command in (serve, check_setup, *keys, extensions, mcp_servers.mcp_check, privacy.privacy):
        _verb(verbs, command.__name__.replace("_", "-"), command)
    _add_demo(_verb(verbs, "demo", demo))
    check = _verb(verbs, "reminders-check", reminders.reminders_check)
    check.add_argument("--to", metavar="ADDRESS", help="where a test e-mail goes; without it none is sent")
    back_up = _verb(verbs, "backup", backup.backup)
    back_up.add_argument("file", type=Path, metavar="FILE", help="such as /backups/homeroom-2026-11-23.sqlite")
    put_back = _verb(verbs, "restore", backup.restore)
    put_back.add_argument("file", type=Path, metavar="FILE", help="a file that `backup` has written")
    forced = "replace what is there, also by another version's backup or one that the vault keys do not open"
    put_back.add_argument("--force", action="store_true", help=forced)
    approve = _verb(verbs, "mcp-approve", mcp_servers.mcp_approve)
    approve.add_argument("name", nargs="?", metavar="NAME", help="such as files__read_file")
    approve.add_argument("--yes", action="store_true", help="approve without a question, for scripts")
    _add_assistants(verbs.add_parser("assistants", help=assistants.__doc__, description=assistants.__doc__))
    lti.add_commands(verbs.add_parser("lti", help=lti.__doc__, description=lti.__doc__))
    _add_of_students(verbs)
    return parser


def _add_demo(parser: argparse.ArgumentParser) -> None:
    reach = "let others in the room reach it, at the address of this machine in their network"
    parser.add_argument("--room", action="store_true", help=reach)
    parser.add_argument("--address", default="", metavar="IP", help="as --room, at this one of several addresses")
    parser.add_argument("--port", type=_number(65_535), help="to listen on (8501, or the next one that is free)")
    parser.add_argument("--students", type=_number(200), default=30, help="how many can be given out (30)")
    free = "take the free demo model although ANTHROPIC_API_KEY is set"
    parser.add_argument("--demo-model", action="store_true", help=free)
    most = "dollars that the answers of the whole class may cost with a real key (5)"
    parser.add_argument("--budget", type=_number(10_000), default=5, metavar="DOLLARS", help=most)


def _add_assistants(parser: argparse.ArgumentParser) -> None:
    verbs = parser.add_subparsers(required=True, metavar="ACTION")
    show = _verb(verbs, "show", assistants.show)
    show.add_argument("id", nargs="?", metavar="ID", help="all of them, when left out")
    load = _verb(verbs, "load", assistants.load)
    load.add_argument("file", type=Path, metavar="FILE", help="such as assistants.toml")
    remove = _verb(verbs, "remove", assistants.remove)
    remove.add_argument("id", metavar="ID")


def _add_of_students(verbs: "Verbs") -> None:
    numbers = _verb(verbs, "metrics", metrics)
    add_account_options(numbers, is_required=False, whose="of one student, all together when left out; ")
    far = f"how far back, today included; at most {KEPT_DAYS}"
    numbers.add_argument("--days", type=_number(KEPT_DAYS), default=30, help=far)
    key = _verb(verbs, "create-key", create_key)
    add_account_options(key)
    key.add_argument("--scope", action="append", required=True, choices=[*KeyScope], help="may be given several times")
    key.add_argument("--label", default="Made by the operator", help="what the student sees it called")
    key.add_argument(
        "--days", type=_number(_LONGEST_KEY_DAYS), help="after how many days it ends; never, when left out"
    )
    listed = "what /mcp lists: every tool, or two that search for tools and call them"
    key.add_argument("--tools", default=ToolListMode.ALL, choices=[ToolListMode.ALL, ToolListMode.SEARCH], help=listed)
    key.add_argument(
        "--context",
        action="append",
        default=[],
        help="list only tools of it, such as courses; may be given several times",
    )
    export = _verb(verbs, "export-user", export_user)
    add_account_options(export)
    export.add_argument("--out", required=True, type=Path, help="the zip file to make, such as maya.zip")
    delete = _verb(verbs, "delete-user", delete_user)
    add_account_options(delete)
    delete.add_argument("--yes", action="store_true", help="delete without a question, for scripts")


def _number(most: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not text.isdecimal() or not 1 <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"give a number from 1 to {most}")
        return int(text)

    return number


def _verb(verbs: "Verbs", name: str, command: Callable[..., int]) -> argparse.ArgumentParser:
    verb: argparse.ArgumentParser = verbs.add_parser(name, help=command.__doc__, description=command.__doc__)
    verb.set_defaults(command=command)
    return verb


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
