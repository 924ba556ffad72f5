"""`manage.py mcp-check` and `mcp-approve`: whether the MCP servers come up, and what of theirs has changed."""

from services import settings as configuration
from services.commands.opening import agrees, store_of
from services.errors import BadArguments
from services.runtime.clock import utc_now
from services.settings import mcp_servers as mcp
from services.tools.mcp.pins import Pins, described


def mcp_check() -> int:
    """Start every MCP server once: what each offers, or why it does not come up."""
    # Loads asyncio, which the other commands need not wait for.
    from services.tools.mcp.checking import checked

    settings = configuration.from_process()
    with store_of(settings) as store:
        lines, all_are_up = checked(settings.mcp_servers, store)
    print("\n".join(lines) or f"No servers are configured: see {mcp.VARIABLE} in .env.example.")
    return 0 if all_are_up else 1


def mcp_approve(name: str | None, yes: bool) -> int:
    """Show how an MCP tool has changed and approve it after a yes; without a name, show the tools that wait for it."""
    with store_of() as store:
        pins = Pins(store, utc_now)
        waiting = {pin.name: pin for pin in pins.waiting()}
        if name is None:
            print("\n\n".join(described(pin) for pin in waiting.values()) or "No tool waits for approval.")
            return 0
        if name not in waiting:
            raise _not_waiting(name)
        print(described(waiting[name]))
        if not yes and not agrees("\nShow this to the model from now on?"):
            print("Nothing is approved; the tool stays switched off.")
            return 1
        if not pins.approve(name, fingerprint=waiting[name].changed_fingerprint):
            # It has changed again while it was read.
            raise _not_waiting(name)
    print("Approved. Running processes offer it again within seconds.")
    return 0


def _not_waiting(name: str) -> BadArguments:
    step = "Run `python manage.py mcp-approve` to see which tools wait."
    return BadArguments(f"{name} does not wait for this approval.", next_step=step)
