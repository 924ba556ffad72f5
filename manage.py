"""The operator's commands: `python manage.py --help` lists them."""

import argparse
import os
import secrets
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from services import settings as configuration
from services.clock import utc_now
from services.connections.rewrap import Seal, rewrap_all, verify_all
from services.connections.vault import KeyRing, Vault
from services.discovery.counters import KEPT_DAYS, DailyCounters
from services.errors import BadArguments, HomeroomError, SettingsError, StorageUnavailable, StorageUnusable
from services.keys import ApiKeys, Scope
from services.safety.text import plain
from services.settings import Settings
from services.storage.engines import open_engine
from services.storage.store import Store
from services.students import Student, Students
from services.tools.mcp import servers as mcp
from services.tools.mcp.pins import Pins, described

if TYPE_CHECKING:
    from services.container import ServiceContainer


_EMAIL = "as the sign-in provider tells it"


def main(arguments: Sequence[str]) -> int:
    """Run one command: 0 when all is well, 1 when something needs a look, 2 when a setting must be mended."""
    options = vars(_parser().parse_args(arguments))
    command: Callable[..., int] = options.pop("command")
    try:
        return command(**options)
    except SettingsError as error:
        return _explain(error, code=2)
    except StorageUnusable as error:
        print(f"{error.setting}:", end=" ", file=sys.stderr)
        return _explain(error, code=2)
    except HomeroomError as error:
        return _explain(error, code=1)


def serve() -> int:
    """Start Homeroom on HOMEROOM_PORT."""
    settings = configuration.from_process()
    KeyRing.parse(settings.vault_keys)
    if settings.mongodb_uri is None:
        # A database file that cannot be used is told here, in two lines; a MongoDB that is down may come up later.
        _store(settings).close()
    program, environment = serving(settings, configuration.process_environment())
    print(f"Homeroom opens at {settings.public_url} in a few seconds.", flush=True)
    os.chdir(configuration.ROOT)
    os.execve(program[0], program, environment)  # noqa: S606 - our own program


def serving(settings: Settings, environment: Mapping[str, str]) -> tuple[list[str], dict[str, str]]:
    """The program that serves these settings, and its environment."""
    program = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(settings.port)]
    if settings.demo and not environment.get("STREAMLIT_SERVER_ADDRESS"):
        # In the demo everybody may sign in as anybody: this machine only, unless the operator says otherwise.
        program += ["--server.address", "localhost"]
    return program, {**environment, "STREAMLIT_SERVER_COOKIE_SECRET": settings.cookie_secret}


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
    return _report(rewrap_all)


def verify() -> int:
    """Try that every saved credential opens; changes nothing."""
    return _report(verify_all)


def create_key(email: str, scope: Sequence[str], label: str, days: int | None) -> int:
    """Print a new key for the HTTP routes, once; it belongs to the student who signs in with this e-mail."""
    settings = configuration.from_process()
    store = _store(settings)
    try:
        student = _only_student(Students(store, utc_now).with_email(email), email)
        ends_at = utc_now() + timedelta(days=days) if days is not None else None
        keys = ApiKeys(store, utc_now)
        made = keys.create(student, label=label, scopes=scope, expires_at=ends_at, by_operator=True)
    finally:
        store.close()
    print(made.secret)
    return 0


def export_user(email: str, out: Path) -> int:
    """Write everything that Homeroom keeps of one student into a zip file that only you can read."""
    # Loads what an agent is made of, which the other commands need not wait for.
    from services.privacy.export import export, write

    with _whole() as services:
        student = _only_student(services.students.with_email(email), email)
        write(out, export(services, student))
    print(f"Written to {out}.")
    return 0


def delete_user(email: str, yes: bool) -> int:
    """Delete everything of one student and end their connections at the services, after a yes."""
    with _whole() as services:
        student = _only_student(services.students.with_email(email), email)
        if not yes and not _agrees(f"Delete everything of {student.name} ({plain(email)}) for good?"):
            print("Nothing is deleted.")
            return 1
        unanswered = services.departures.delete(student.id)
    print("Everything is deleted. Running processes let the student go at the next click.")
    if unanswered:
        print(f"{', '.join(unanswered)} did not answer: a running Homeroom asks again, for 30 days at most.")
    return 0


@contextmanager
def _whole() -> Iterator["ServiceContainer"]:
    from services import bootstrap

    services = bootstrap.build(configuration.from_process())
    try:
        yield services
    finally:
        services.store.close()


def mcp_approve(name: str | None, yes: bool) -> int:
    """Show how an MCP tool has changed and approve it after a yes; without a name, show the tools that wait for it."""
    store = _store(configuration.from_process())
    try:
        pins = Pins(store, utc_now)
        waiting = {pin.name: pin for pin in pins.waiting()}
        if name is None:
            print("\n\n".join(described(pin) for pin in waiting.values()) or "No tool waits for approval.")
            return 0
        if name not in waiting:
            raise _not_waiting(name)
        print(described(waiting[name]))
        if not yes and not _agrees("\nShow this to the model from now on?"):
            print("Nothing is approved; the tool stays switched off.")
            return 1
        if not pins.approve(name, fingerprint=waiting[name].changed_fingerprint):
            # It has changed again while it was read.
            raise _not_waiting(name)
    finally:
        store.close()
    print("Approved. Running processes offer it again within seconds.")
    return 0


def _not_waiting(name: str) -> BadArguments:
    step = "Run `python manage.py mcp-approve` to see which tools wait."
    return BadArguments(f"{name} does not wait for this approval.", next_step=step)


def _agrees(question: str) -> bool:
    """Whether the operator types y; no terminal is a no."""
    try:
        return input(f"{question} [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:
        print()
        return False


def extensions() -> int:
    """List every integration that was found, what is in its way, and its lines for `.env`."""
    # Loads the services' client libraries, which the other commands need not wait for.
    from services.integrations import catalog, listing

    found = catalog.look(configuration.from_process()).extensions
    for extension in found:
        print("\n".join(listing.described(extension)))
    return 1 if any(one.obstacle is not None and one.obstacle.kind != "not_set_up" for one in found) else 0


def metrics(email: str | None, days: int) -> int:
    """Print what loading only the needed tools cost and saved, of all students together or of one."""
    # Loads what an agent is made of, which the other commands need not wait for.
    from services.discovery.metrics import Metrics
    from services.discovery.report import tables

    store = _store(configuration.from_process())
    students = Students(store, utc_now)
    numbers = Metrics(DailyCounters(store, students, utc_now))
    try:
        found = numbers.of(_only_student(students.with_email(email), email).id, days) if email else numbers.of_all(days)
    finally:
        store.close()
    print(tables(found))
    return 0


def mcp_check() -> int:
    """Start every MCP server once: what each offers, or why it does not come up."""
    # Loads asyncio, which a start of the app need not wait for.
    from services.tools.mcp.checking import checked

    settings = configuration.from_process()
    store = _store(settings)
    try:
        lines, all_are_up = checked(settings.mcp_servers, store)
    finally:
        store.close()
    print("\n".join(lines) or f"No servers are configured: see {mcp.VARIABLE} in .env.example.")
    return 0 if all_are_up else 1


def _only_student(found: Sequence[Student], email: str) -> Student:
    if not found:
        step = "Let them sign in once, then try again; write the address as Settings shows it."
        raise BadArguments(f"Nobody has signed in with {email} yet.", next_step=step)
    if len(found) > 1:
        step = "Let the right one make the key under Settings."
        raise BadArguments(f"{len(found)} students of different sign-in providers have {email}.", next_step=step)
    return found[0]


def _report(work: Callable[[Store, Vault], Counter[Seal]]) -> int:
    settings = configuration.from_process()
    vault = Vault(KeyRing.parse(settings.vault_keys))
    store = _store(settings)
    try:
        seals = work(store, vault)
    finally:
        store.close()
    print(f"{seals.total()} sealed: " + ", ".join(f"{seals[seal]} {seal}" for seal in Seal))
    if seals[Seal.BROKEN]:
        print("Nothing was deleted. Bring back the missing key in HOMEROOM_VAULT_KEYS, then try again.")
    return 1 if seals[Seal.BROKEN] else 0


def _store(settings: Settings) -> Store:
    return Store(open_engine(settings))


def _explain(error: HomeroomError, *, code: int) -> int:
    remedy = error.remedy if isinstance(error, StorageUnavailable) else ""
    print(f"{error}\n{remedy or error.next_step}", file=sys.stderr)
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="manage.py", description="Commands for whoever runs Homeroom.")
    verbs = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in (serve, new_secret, new_vault_key, rewrap, verify, extensions, mcp_check):
        verb = verbs.add_parser(command.__name__.replace("_", "-"), help=command.__doc__, description=command.__doc__)
        verb.set_defaults(command=command)
    _add_metrics(verbs.add_parser("metrics", help=metrics.__doc__, description=metrics.__doc__))
    _add_create_key(verbs.add_parser("create-key", help=create_key.__doc__, description=create_key.__doc__))
    export = verbs.add_parser("export-user", help=export_user.__doc__, description=export_user.__doc__)
    export.add_argument("--email", required=True, help=_EMAIL)
    export.add_argument("--out", required=True, type=Path, help="the zip file to make, such as maya.zip")
    export.set_defaults(command=export_user)
    delete = verbs.add_parser("delete-user", help=delete_user.__doc__, description=delete_user.__doc__)
    delete.add_argument("--email", required=True, help=_EMAIL)
    delete.add_argument("--yes", action="store_true", help="delete without a question, for scripts")
    delete.set_defaults(command=delete_user)
    approve = verbs.add_parser("mcp-approve", help=mcp_approve.__doc__, description=mcp_approve.__doc__)
    approve.add_argument("name", nargs="?", metavar="NAME", help="such as files__read_file")
    approve.add_argument("--yes", action="store_true", help="approve without a question, for scripts")
    approve.set_defaults(command=mcp_approve)
    return parser


def _add_metrics(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--email", help="of one student, as the sign-in provider tells it; all together, when left out")
    verb.add_argument("--days", type=int, default=30, help=f"how far back, today included; at most {KEPT_DAYS}")
    verb.set_defaults(command=metrics)


def _add_create_key(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--email", required=True, help=_EMAIL)
    verb.add_argument("--scope", action="append", required=True, choices=[*Scope], help="may be given several times")
    verb.add_argument("--label", default="Made by the operator", help="what the student sees it called")
    verb.add_argument("--days", type=int, help="after how many days it ends; never, when left out")
    verb.set_defaults(command=create_key)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
