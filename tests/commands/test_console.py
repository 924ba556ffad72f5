"""An operator who is asked is taken for a yes only when they say so."""

import pytest

import manage
from commands.console import agrees


@pytest.mark.parametrize(("typed", "is_yes"), [("y", True), ("YES ", True), ("", False), ("no", False)])
def test_only_yes_is_a_yes(monkeypatch: pytest.MonkeyPatch, typed: str, is_yes: bool) -> None:
    monkeypatch.setattr("builtins.input", lambda _question: typed)

    assert agrees("Delete?") is is_yes


@pytest.mark.parametrize("leaving", [EOFError, KeyboardInterrupt])
def test_whoever_leaves_has_not_agreed(monkeypatch: pytest.MonkeyPatch, leaving: type[BaseException]) -> None:
    def leave(_question: str) -> str:
        raise leaving

    monkeypatch.setattr("builtins.input", leave)

    assert not agrees("Delete?")


def test_a_command_that_is_broken_off_says_so_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken_off() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(manage.secrets, "token_urlsafe", lambda _bytes: broken_off())

    assert manage.main(["new-secret"]) == 130
    assert capsys.readouterr().err.startswith("\nStopped.")
