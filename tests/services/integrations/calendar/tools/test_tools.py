from services.integrations.calendar import TOOLS as CALENDAR_TOOLS
from services.integrations.calendar.provider import READ, WRITE
from services.tools.tool import Effect


def test_every_tool_that_writes_has_a_card_and_an_undo_and_needs_a_calendar_that_can_be_written_to() -> None:
    for tool in CALENDAR_TOOLS:
        assert tool.integration is None
        assert (tool.effect is Effect.WRITE) == (tool.preview is not None) == (tool.undo is not None)
        assert tool.capabilities == ((WRITE,) if tool.effect is Effect.WRITE else (READ,))


def test_every_parameter_is_described_and_no_tool_takes_a_student() -> None:
    for tool in CALENDAR_TOOLS:
        assert all(prop.get("description") for prop in tool.schema["properties"].values()), tool.name
        assert not tool.schema["properties"].keys() & {"attendees", "rrule", "user_id"}
