"""What the terminal says of a demo."""

from commands.demo.environment import DemoAddress
from commands.demo.preparation import PreparedDemo
from services.classes.join_codes import join_address, spaced_join_code

PRESENT_PATH = "/sandbox/oidc/present?key="


def tell_plan(address: DemoAddress, *, students: int, is_model_real: bool, budget: int) -> None:
    """Say before anything is opened: who will be able to reach it, and what it may cost."""
    print(f"Homeroom's demo: a class of {students} made-up students, gone when you stop it.")
    if address.is_for_room:
        print(
            f"It opens at {address.host}, for everybody in this network: they may look at it and write in it as one of\n"
            "these students. Nothing is encrypted, so let nobody type what is theirs. Without --room it stays on this\n"
            "machine."
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


def tell_open(address: DemoAddress, prepared: PreparedDemo) -> None:
    """Say where it is, with a QR code for whoever stands near."""
    join = join_address(address.url, prepared.join_code)
    print(f"\nYou present here (yours alone):  {address.url}{PRESENT_PATH}{prepared.presenter_key}")
    print(f"The class joins here:            {join}   (code {spaced_join_code(prepared.join_code)})\n")
    if address.is_for_room:
        import segno

        segno.make(join, error="m", micro=False).terminal(compact=True)
    print("Ctrl+C ends the demo and removes everything.", flush=True)


def tell_end() -> None:
    """Say that it is over."""
    print("The demo is over, and nothing of it is kept.", flush=True)
