"""`manage.py demo`: prepare the class, serve it, begin anew when the presenter asks, and leave nothing behind."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from commands.console import store_of
from commands.demo import networks
from commands.demo.environment import DemoAddress, demo_environment, has_real_key
from commands.demo.folder import DemoFolder, remove_leftovers
from commands.demo.preparation import PreparedDemo, prepare
from commands.interruption import INTERRUPTED
from commands.serve.command import require_port, serving
from services import settings as configuration
from services.classes.join_codes import join_address, spaced_join_code
from services.errors import HomeroomError, SettingsError
from services.identity.students import Students
from services.runtime.clock import utc_now
from services.settings import demo_mode
from services.settings.files import dotenv

LOOK_EVERY_S = 0.2
OPEN_S, STOP_S = 60.0, 15.0
PORTS = range(8501, 8511)
"""Tried one after the other where none is named."""
MOST_STARTS = 3
"""Times that a server which ends by itself is started again."""
PRESENT_PATH = "/sandbox/oidc/present?key="
_HEALTH_REQUEST = b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


@dataclass(kw_only=True)
class RunningDemo:
    """A prepared demo and its server."""

    folder: DemoFolder
    address: DemoAddress
    prepared: PreparedDemo
    environment: Mapping[str, str] = field(repr=False)
    server: "subprocess.Popen[bytes] | None" = None

    def start(self) -> None:
        """Start the server and wait until it answers. Raises `HomeroomError` with its last lines when it does not."""
        program, environment = serving(configuration.read(self.environment), self.environment)
        tied = [sys.executable, "-m", "commands.serve.tied_process", str(os.getpid()), *program]
        with self.folder.log.open("ab") as log:
            self.server = subprocess.Popen(  # noqa: S603 - our own program
                tied,
                cwd=configuration.ROOT,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=(self.folder.lock,),
                start_new_session=True,
            )
        ends_at = time.monotonic() + OPEN_S
        while not _is_healthy(self.address):
            if self.server.poll() is not None or time.monotonic() > ends_at:
                raise HomeroomError(f"The demo could not start.\n{_last_lines(self.folder.log)}")
            time.sleep(LOOK_EVERY_S)

    def watch(self) -> None:
        """Serve until Ctrl+C: begin anew when the presenter asks, and start again a server that ended by itself."""
        assert self.server is not None
        left = MOST_STARTS
        while True:
            time.sleep(LOOK_EVERY_S)
            if demo_mode.is_reset_wanted(self.folder.data):
                self.begin_anew()
                print("The demo began anew: everybody who joined is signed out.", flush=True)
            elif self.server.poll() is not None:
                left -= 1
                if left < 0:
                    raise HomeroomError(f"The demo's server ends again and again.\n{_last_lines(self.folder.log)}")
                print("The demo's server ended by itself and starts again.", flush=True)
                self.start()

    def begin_anew(self) -> None:
        """Go back to the first data: what was written since is thrown away with the server that might write more."""
        self.stop(signal.SIGKILL)
        self.folder.begin_anew()
        end_sessions(self.environment, self.prepared)
        self.start()

    def stop(self, number: int = signal.SIGTERM) -> None:
        """End the server and all that it started."""
        if self.server is None:
            return
        with suppress(ProcessLookupError):
            os.killpg(self.server.pid, number)
        try:
            self.server.wait(STOP_S)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(self.server.pid, signal.SIGKILL)
            self.server.wait()


def demo(room: bool, address: str, port: int | None, students: int, demo_model: bool, budget: int) -> int:
    """Open Homeroom with a class of made-up students, for a lesson or a talk; nothing is kept afterwards.

    Returns 0 once it was open, 130 for Ctrl+C before.
    """
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
    given, file = configuration.process_environment(), dotenv(configuration.ROOT / ".env")
    is_model_real = has_real_key({**file, **given}) and not demo_model
    place = choose_place(room=room, address=address, port=port)
    if is_model_real:
        _require_key({**file, **given})
    remove_leftovers()
    code = 0
    with DemoFolder() as folder:
        try:
            _run(folder, place, students=students, given=given, file=file, is_model_real=is_model_real, budget=budget)
        except KeyboardInterrupt:
            print()
            code = INTERRUPTED
        finally:
            # A second Ctrl+C must not leave anything behind.
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)
    _tell_end()
    return code


def _run(
    folder: DemoFolder,
    place: DemoAddress,
    *,
    students: int,
    given: Mapping[str, str],
    file: Mapping[str, str],
    is_model_real: bool,
    budget: int,
) -> None:
    def environment(data_dir: Path, **more: str) -> dict[str, str]:
        return {**demo_environment(given, file, address=place, data_dir=data_dir, is_model_real=is_model_real), **more}

    _tell_plan(place, students=students, is_model_real=is_model_real, budget=budget)
    dollars = budget if is_model_real else None
    prepared = prepare(
        folder.seed, address=place, students=students, dollars=dollars, environment=environment(folder.seed)
    )
    folder.begin_anew()
    shown = {demo_mode.DEMO_CLASS: prepared.class_id, demo_mode.MATERIAL_VARIABLE: prepared.page}
    served = environment(folder.data, **shown)
    running = RunningDemo(folder=folder, address=place, prepared=prepared, environment=served)
    try:
        running.start()
        _tell_open(place, prepared)
        with suppress(KeyboardInterrupt):
            running.watch()
    finally:
        running.stop()


def choose_place(*, room: bool, address: str, port: int | None) -> DemoAddress:
    """Where the demo is opened. port: None for the first that is free. Raises `BadArguments` without a network,
    `SettingsError` where the port is taken.
    """
    host = "localhost"
    if room or address:
        host = networks.choose(networks.of_this_machine(), address).address
    tried = [port] if port else list(PORTS)
    for number in tried:
        try:
            require_port(number, host)
        except SettingsError as error:
            step = f"Stop the program that uses it, perhaps another demo, or open this one with --port {number + 1}."
            if number == tried[-1]:
                raise SettingsError("--port", str(error).partition(" ")[2], next_step=step) from None
        else:
            break
    return DemoAddress(host=host, port=number)


def _require_key(given: Mapping[str, str]) -> None:
    """Raise `SettingsError` for a key that is refused: better here than before the class."""
    from services.llm.anthropic_model import try_key

    works = try_key(api_key=given["ANTHROPIC_API_KEY"].strip(), base_url=given.get("ANTHROPIC_BASE_URL") or None)
    if works is None:
        print("Claude's API did not answer just now. Ask one question yourself before the class does.")
    elif not works:
        step = "Set one that works, or take the free demo model with --demo-model."
        raise SettingsError("ANTHROPIC_API_KEY", "Claude's API refuses this key.", next_step=step)


def end_sessions(environment: Mapping[str, str], prepared: PreparedDemo) -> None:
    """Sign everybody out but the presenter; the store has just been set back: first it is told their sign-ins."""
    settings, now = configuration.read(environment), int(time.time())
    with store_of(settings) as store:
        students = Students(store, utc_now)
        for person in prepared.people[1:]:
            student = students.sign_in(
                issuer=f"{settings.campus_url}/oidc",
                subject=person["id"],
                name=person["name"],
                email=person["email"],
                is_email_verified=True,
                session=now,
            )
            students.end_all_sessions(student.id)


def _is_healthy(address: DemoAddress) -> bool:
    with suppress(OSError), socket.create_connection((address.host, address.port), timeout=5) as asked:
        asked.sendall(_HEALTH_REQUEST)
        return asked.recv(64).startswith(b"HTTP/1.1 200")
    return False


def _last_lines(log: Path) -> str:
    with suppress(OSError):
        return "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-12:])
    return ""


def _tell_plan(address: DemoAddress, *, students: int, is_model_real: bool, budget: int) -> None:
    """Say before anything is opened: who will be able to reach it, and what it may cost."""
    print(f"Homeroom's demo: a class of {students} made-up students, gone when you stop it.")
    if address.is_for_room:
        print(
            f"It opens at {address.host}, for everybody in this network: they may look at it and write\n"
            "in it as one of these students. Nothing is encrypted, so let nobody type what is\n"
            "theirs. Without --room it stays on this machine."
        )
    else:
        print("Only this machine can reach it. With --room, others in the room can.")
    if is_model_real:
        print(
            f"Answers come from Claude with your key. They cost about 1 to 3 cents each; at {budget} dollars in all\n"
            "the demo pauses them (--budget sets another sum, --demo-model takes the free demo model)."
        )
    else:
        print("Answers come from the demo model: they cost nothing, and nothing leaves this machine.")
    print("Preparing …", flush=True)


def _tell_open(address: DemoAddress, prepared: PreparedDemo) -> None:
    """Say where it is, with a QR code for whoever stands near."""
    join = join_address(address.url, prepared.join_code)
    print(f"\nYou present here (yours alone):  {address.url}{PRESENT_PATH}{prepared.presenter_key}")
    print(f"The class joins here:            {join}   (code {spaced_join_code(prepared.join_code)})\n")
    if address.is_for_room:
        import segno

        segno.make(join, error="m", micro=False).terminal(compact=True)
    print("Ctrl+C ends the demo and removes everything.", flush=True)


def _tell_end() -> None:
    """Say that it is over."""
    print("The demo is over, and nothing of it is kept.", flush=True)
