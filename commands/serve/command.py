"""`manage.py serve`: start the one process that serves, or the workers and their balancer."""

import asyncio
import logging
import os
import socket
import sys
from collections.abc import Mapping
from typing import NoReturn

from commands.check import tell_warnings
from commands.console import store_of
from commands.serve import haproxy
from commands.serve.server_environment import server_environment
from services import settings as configuration
from services.connections.vault import KeyRing
from services.errors import SettingsError
from services.runtime import log_output, logs
from services.settings import Settings
from services.storage.engines import DATABASE_FILE
from services.storage.sqlite_journal import is_journal_cut

LOCAL = "localhost"


def serve() -> int:
    """Start Homeroom on HOMEROOM_PORT."""
    settings = configuration.from_process()
    log_output.take_over(settings)
    KeyRing.parse(settings.vault_keys)
    tell_warnings(settings)
    environment = configuration.process_environment()
    balancer = haproxy.find_program(environment) if settings.workers > 1 else ""
    if settings.mongodb_uri is None:
        warn_of_cut_journal(settings)
        # A database file that cannot be used is told here, in two lines; a MongoDB that is down may come up later.
        with store_of(settings):
            pass
    os.chdir(configuration.ROOT)
    if settings.workers == 1:
        become_server(settings, environment)
    # Asks for what Windows does not have.
    from commands.serve import workers

    with listen(settings.port, address(settings, environment)) as listener:
        tell_address(settings)
        return asyncio.run(workers.run(settings, environment, program=balancer, listener=listener))


def warn_of_cut_journal(settings: Settings) -> None:
    """Say in the log where the last commit of a database is not whole: what was written in it is not there."""
    if is_journal_cut(settings.data_dir / DATABASE_FILE):
        logs.configure(settings)
        logging.getLogger("services.storage").warning("database_journal_cut starts_from=last_whole_commit")


def become_server(settings: Settings, environment: Mapping[str, str]) -> NoReturn:
    """Replace this process by the one that serves alone."""
    program, environment = serving(settings, environment)
    require_port(settings.port, LOCAL if "--server.address" in program else "")
    tell_address(settings)
    os.execve(program[0], program, environment)  # noqa: S606 - our own program


def tell_address(settings: Settings) -> None:
    print(f"Homeroom opens at {settings.public_url} in a few seconds.", flush=True)


def serving(settings: Settings, environment: Mapping[str, str]) -> tuple[list[str], dict[str, str]]:
    """The program that serves these settings alone, and its environment."""
    program = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(settings.port)]
    if settings.demo and not environment.get("STREAMLIT_SERVER_ADDRESS"):
        program += ["--server.address", LOCAL]
    return program, server_environment(settings, environment)


def address(settings: Settings, environment: Mapping[str, str]) -> str:
    """Address to listen on; "" for all of this machine.

    In the demo everybody may sign in as anybody: this machine only, unless the operator says otherwise.
    """
    return environment.get("STREAMLIT_SERVER_ADDRESS", "") or (LOCAL if settings.demo else "")


def require_port(port: int, host: str) -> None:
    """Raise `SettingsError` where nobody can listen; host: "" for all addresses of this machine."""
    with socket.socket() as probe:
        if os.name != "nt":
            # As the server itself does: what a program that has ended leaves behind is in nobody's way.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
            probe.listen()
        except OSError as error:
            raise _taken(port, error) from None


def listen(port: int, host: str) -> socket.socket:
    """A socket that listens there, on both families where `host` is ""; raises `SettingsError`.

    The balancer inherits it: visitors who come before it, or while it starts again, wait instead of being refused.
    """
    try:
        if not host and socket.has_dualstack_ipv6():
            return socket.create_server(("", port), family=socket.AF_INET6, backlog=4096, dualstack_ipv6=True)
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family, backlog=4096)
    except OSError as error:
        raise _taken(port, error) from None


def _taken(port: int, error: OSError) -> SettingsError:
    step = "Stop the program that uses it, perhaps an older Homeroom, or set another port."
    # What an error of `create_server` says ends in the address, which is no reason.
    reason = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror
    return SettingsError("HOMEROOM_PORT", f"{port} is not free ({reason}).", next_step=step)
